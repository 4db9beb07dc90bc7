"""What the files of a domain call its objects: the identities of the server, the queues and the work managers."""

from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath

from simulations.declarations.identity import MOST_PARTS
from simulations.platforms.files.importing.drafts import Draft
from simulations.platforms.shared.family import Change
from simulations.platforms.weblogic.files.domain.contents import Imported, Key
from simulations.platforms.weblogic.files.names import camel
from simulations.platforms.weblogic.files.work_managers.patches import SETTINGS

OF_APPLICATION = "the application's descriptor holds it, which the domain's self-tuning does not reach"


def identify(found: Imported, queues: Mapping[str, Draft]) -> None:
    """Give the server and each queue the identity that the files tell; what they leave open stays empty."""
    targets = [{"role": "target", "name": name, "scope": "domain"} for name in found.work_targets]
    known = targets if len(targets) == 1 else []
    members = [
        {"role": "member", "name": item.template or item.name, "kind": "ServerTemplate" if item.template else "Server"}
        for item in found.chosen
    ]
    found.server.identify(_server(found), [*known, *(members if len(members) < MOST_PARTS else ())])
    own = {draft.name: key for key, draft in found.destinations.items()}
    alone = next(iter(found.factories)) if len(found.factories) == 1 and not found.beans else None
    for name, queue in queues.items():
        key = found.destination_of.get(name, own.get(name))
        factory = found.factory_of.get(name, alone)
        queue.identify(_destination(found, key), _parts(found, name, key, factory))


def _server(found: Imported) -> dict[str, str]:
    """The server where there is only one, else the cluster whose members run the beans."""
    if len(found.sized) == 1 and not found.running:
        return {"name": found.sized[0][0], "kind": "Server", "scope": "domain"}
    clusters = {item.cluster for item in found.chosen}
    return {"name": clusters.pop(), "kind": "Cluster", "scope": "domain"} if len(clusters) == 1 else {}


def _destination(found: Imported, key: Key | None) -> dict[str, str]:
    if key is None or key not in found.kind_of:
        return {}
    return {**_in_module(found, key), "kind": camel(found.kind_of[key]), "target": found.homes.get(key, "")}


def _parts(found: Imported, queue: str, key: Key | None, factory: Key | None) -> Iterator[dict[str, str]]:
    if queue in found.beans:
        yield {"role": "bean", "name": queue, "kind": "MessageDrivenBean", "scope": "application"}
    if factory is not None:
        yield {"role": "factory", "kind": "ConnectionFactory", **_in_module(found, factory)}
    for link in found.quota_links:
        if key in found.destinations and link.draft is found.destinations[key]:
            yield {"role": "quota", "kind": "Quota", **_in_module(found, link.key)}
    if queue in found.quota_hosts:
        yield {"role": "quota", "kind": "JMSServer", "name": found.quota_hosts[queue], "scope": "domain"}


def _in_module(found: Imported, key: Key) -> dict[str, str]:
    module = found.modules.get(PurePosixPath(key[0]).name, "")
    return {"name": key[1], "module": module, "file": "" if key[0] == module else key[0], "scope": "domain"}


def of_applications(changes: tuple[Change, ...]) -> Iterator[tuple[str, str]]:
    """Yield the changes of work managers that an application's descriptor declares: no script has them, and why."""
    for change in changes:
        if change.setting in SETTINGS:
            changed = {item.name for item in set(change.before) ^ set(change.after)}
            identities = [item.identity for item in change.before if item.name in changed]
            if any(identity is not None and identity.scope == "application" for identity in identities):
                yield change.path, OF_APPLICATION
