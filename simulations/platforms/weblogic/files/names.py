"""What the scripts call the objects that they change: by their identities, else for somebody to fill in."""

import re
import zlib
from collections.abc import Iterator

from simulations.declarations.identity import UNKNOWN
from simulations.declarations.system import Queue, System

OF_MEMBERS = ("DistributedQueue", "DistributedTopic")
"""Destinations that only name others, which have the settings."""


class Label(str):
    """A part of an edit's path that stands for a name in the domain, such as ``factory of orders``."""

    __slots__ = ()

    @property
    def assumed(self) -> str:
        """The scenario's name where it may be that of the domain, which a script looks up; else nothing."""
        what, _, name = self.partition(" of ")
        return name if what in ("server", "target", "destination") else ""

    @property
    def variable(self) -> str:
        """The variable of a Deploy Tooling model, which the tool refuses to do without."""
        words = re.sub(r"[^0-9A-Za-z]+", ".", self)
        unique = "" if words == self.replace(" ", ".") else f".{zlib.crc32(self.encode()):x}"
        return f"@@PROP:{words}{unique}@@"


def camel(name: str) -> str:
    """Return what the bean of the domain calls an element."""
    return "".join(word[:1].upper() + word[1:] for word in name.split("-"))


def names_of(system: System) -> dict[Label, str]:
    """Return the names that the identities tell; a name that an identity leaves open is empty."""
    names = {}
    for server in system.servers:
        if server.identity is not None:
            known = server.identity if server.identity.kind == "Server" else UNKNOWN
            names[Label(f"server of {server.name}")] = known.name
            names[Label(f"target of {server.name}")] = server.identity.part("target").name
    for queue in system.queues:
        names.update(_of_queue(queue))
    return names


def _of_queue(queue: Queue) -> Iterator[tuple[Label, str]]:
    identity = queue.identity
    if identity is None:
        return
    known = UNKNOWN if identity.kind in OF_MEMBERS else identity
    factory, quota = identity.part("factory"), identity.part("quota")
    yield Label(f"{queue.kind.title()} of {queue.name}"), known.kind
    yield Label(f"destination of {queue.name}"), known.name
    yield Label(f"module of {queue.name}"), known.module
    yield Label(f"quota of {queue.name}"), quota.name if quota.kind == "Quota" else known.name and f"{known.name}-quota"
    yield Label(f"factory of {queue.name}"), factory.name
    yield Label(f"module of factory of {queue.name}"), factory.module
