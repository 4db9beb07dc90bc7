"""Outages of a server's members, and of the broker from which its consumers take messages."""

import math
from typing import Annotated, Literal

from pydantic import BeforeValidator

from simulations.declarations.parameters import assumed
from simulations.declarations.system import Outage, Server
from simulations.engine.network import model
from simulations.platforms.shared.queues import OWN_MODEL, AtLeastZero

_Cause = Annotated[
    Literal["server", "broker"], BeforeValidator(lambda name: "broker" if name == "queue_manager" else name)
]


class ServerOutage(Outage):
    """An outage of members of a server, or of the broker that hosts its queues."""

    cause: Annotated[_Cause, assumed("1", OWN_MODEL, title="What is away")] = "server"
    """Server: it works again when the outage ends. Broker: the queue manager, or what else hosts the queues. Consumers
    find it back at their next try to connect, and stay down after the last one; messages that are sent meanwhile wait,
    and their latency counts."""
    members: Annotated[AtLeastZero, assumed("instances", OWN_MODEL, (0, 32), title="Members away")] = 0
    """How many members go away; 0, or more than there are: all. Without their broker all do."""


def outage_of(server: Server) -> ServerOutage | None:
    """Return the outage of the server or of its broker."""
    outage: ServerOutage | None = getattr(server.settings, "outage", None)
    return outage


def time_without(duration: float, tries: float, wait: float) -> float:
    """Return the seconds until consumers are connected again to what is away for ``duration``. They try ``tries``
    times, ``wait`` seconds apart; then they stay down, which is infinite."""
    return math.inf if duration > tries * wait else math.ceil(duration / wait) * wait


def absence_of(server: Server, tries: float, wait: float, *, at_once: bool = False) -> model.Outage | None:
    """Return when consumers at ``server`` lack their broker, who try to connect as for ``time_without``; or who find it
    back ``at_once``."""
    outage = outage_of(server)
    if outage is None or outage.cause == "server":
        return None
    return model.Outage(outage.start, outage.duration if at_once else time_without(outage.duration, tries, wait))
