"""What the imported files tell about the domain's objects: their names, and what only an application has."""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import PurePosixPath

from simulations.declarations.problems import InvalidInput
from simulations.platforms.shared.changes import Change
from simulations.platforms.weblogic.files.domain_contents import Imported, Key
from simulations.platforms.weblogic.files.names import Label
from simulations.platforms.weblogic.files.work_manager_file import WorkFile
from simulations.platforms.weblogic.files.work_manager_patches import SETTINGS, THREADS

OF_APPLICATION = "the application's descriptor holds it, which the domain's self-tuning does not reach"


def identities(found: Imported, queues: Iterable[str], files: Mapping[str, bytes]) -> dict[Label, str]:
    """Return the names that the files tell; what they leave open is left out."""
    names = dict(_of_server(found, files))
    for queue in queues:
        own = next((key for key, draft in found.destinations.items() if draft.name == queue), None)
        alone = next(iter(found.factories)) if len(found.factories) == 1 and not found.beans else None
        names |= _of_destination(found, queue, found.destination_of.get(queue, own))
        factory = found.factory_of.get(queue, alone)
        if factory is not None:
            names |= {Label(f"factory of {queue}"): factory[1], **_module(found, f"factory of {queue}", factory)}
    return names


def _of_server(found: Imported, files: Mapping[str, bytes]) -> Iterator[tuple[Label, str]]:
    """The server where there is only one, and what new work managers are for."""
    if len(found.sized) == 1 and not found.running:
        yield Label("server of server"), found.sized[0][0]
    for work in (
        work for file, content in files.items() if (work := WorkFile(file, content)).kind in ("domain", "model")
    ):
        try:
            yield Label("target of server"), work.target()
        except InvalidInput:
            continue


def _of_destination(found: Imported, queue: str, key: Key | None) -> dict[Label, str]:
    """A destination that only names others has no settings of its own: its name is left open."""
    if key is None or key not in found.kind_of or key in found.members_of:
        return {}
    kind = "".join(word.title() for word in found.kind_of[key].split("-"))
    quota = next(
        (link.key[1] for link in found.quota_links if link.draft is found.destinations[key]), f"{key[1]}-quota"
    )
    return {
        Label(f"{'Topic' if kind.endswith('Topic') else 'Queue'} of {queue}"): kind,
        Label(f"destination of {queue}"): key[1],
        Label(f"quota of {queue}"): quota,
        **_module(found, queue, key),
    }


def _module(found: Imported, name: str, key: Key) -> dict[Label, str]:
    module = found.modules.get(PurePosixPath(key[0]).name)
    return {} if module is None else {Label(f"module of {name}"): module}


def of_applications(changes: tuple[Change, ...], files: Mapping[str, bytes]) -> dict[str, str]:
    """Return the changes of work managers that an application's descriptor declares: no script has them, and why."""
    works = (WorkFile(file, content) for file, content in files.items())
    inline = [work for work in works if work.declares and work.is_inline]
    refused = {}
    for change in changes:
        if change.setting not in SETTINGS:
            continue
        for item in set(change.before) ^ set(change.after):
            if change.setting == "constraints":
                held = any(work.objects(THREADS[item.kind], item.name) for work in inline)
            else:
                held = any(item.name in work.managers() for work in inline)
            if held:
                refused[change.path] = OF_APPLICATION
    return refused
