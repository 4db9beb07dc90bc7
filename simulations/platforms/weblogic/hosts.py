"""The JMS servers that host a destination, by its sub-deployment, and what they say for it."""

from collections.abc import Mapping
from dataclasses import replace

from simulations.platforms.base import Understood
from simulations.platforms.formats.drafts import Draft
from simulations.platforms.weblogic.imported import Imported

OPEN = "JMS servers differ; which one hosts the destination is open"


def take_from_hosts(found: Imported, queues: Mapping[str, Draft], lines: list[Understood]) -> None:
    """Give each queue what all servers that may host its destination say alike; where they differ, say so."""
    for queue in queues.values():
        hosts = _hosts(_destination(queue, found), found)
        said = [{key: item.value for key, item in host.settings.items()} for host in hosts]
        if any(each != said[0] for each in said):
            lines.append(Understood("unresolved", f"queues.{queue.name}", OPEN))
        elif hosts:
            queue.inherit(_together(hosts))


def _destination(queue: Draft, found: Imported) -> str:
    """The name of a queue's destination; empty when no file describes it."""
    own = next((name for name, draft in found.destinations.items() if draft is queue), "")
    return found.destination_of.get(queue.name, own)


def _hosts(destination: str, found: Imported) -> list[Draft]:
    """The servers that the destination's sub-deployment names; all of them where nothing is known of it."""
    named = found.deployments.get(found.homes.get(destination, ""), [])
    known = [found.jms_servers[name] for name in named if name in found.jms_servers]
    return known or list(found.jms_servers.values())


def _together(hosts: list[Draft]) -> Draft:
    """What servers with equal settings say, with the places of all of them."""
    first, made = hosts[0], Draft("JMS server", "*")
    for key, item in first.settings.items():
        made.settings[key] = replace(item, places=tuple(at for host in hosts for at in host.settings[key].places))
    for key in first.lacking:
        if key not in first.settings:
            made.lacking[key] = tuple(addition for host in hosts for addition in host.lacking[key])
    return made
