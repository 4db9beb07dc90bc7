"""What listener ports have in common on z/OS and elsewhere: retries that stop the port, and the backout of IBM MQ."""

from typing import Annotated

from pydantic import Field

from simulations.engine.network import Exhausted, Redelivery
from simulations.parameters import Quantity
from simulations.platforms.base import Script
from simulations.platforms.changes import Change
from simulations.platforms.common import MAX_INT, QueueParameters, cited, settings_of
from simulations.platforms.rules import Verdict
from simulations.system import Queue, Server, System

PORT = "Listener port settings"
MQ_BACKOUT = "Handling poison messages in IBM MQ classes for JMS"


class PortParameters(QueueParameters):
    """Retries of a listener port and the backout of its IBM MQ queue."""

    maximum_retries: Annotated[
        int,
        Field(ge=0, le=MAX_INT),
        Quantity(
            "attempts",
            source=cited(PORT, "Maximum retries"),
            native="maxRetries",
            title="Maximum retries",
            sweep=True,
        ),
    ] = 0
    """Failed deliveries of one message at which the whole listener port stops; 0 = it stops at the first failure."""
    backout_threshold: Annotated[
        int,
        Field(ge=0, le=MAX_INT),
        Quantity(
            "attempts",
            source=cited(MQ_BACKOUT, "BOTHRESH; that 0 switches it off was not confirmed"),
            native="BOTHRESH",
            title="Backout threshold",
            sweep=True,
            trust="unverified",
        ),
    ] = 0
    """Failed deliveries after which IBM MQ moves a message to the backout queue; 0 = off."""


def stops_at(port: PortParameters) -> int:
    """Return the failed deliveries of one message at which the port stops."""
    return max(1, port.maximum_retries)


def redelivery_of(port: PortParameters) -> Redelivery:
    """Return the redelivery rule: backout comes first only where its threshold is not above the retries."""
    if 0 < port.backout_threshold <= stops_at(port):
        return Redelivery(limit=port.backout_threshold, exhausted=Exhausted.DEAD_LETTER)
    return Redelivery(limit=stops_at(port), exhausted=Exhausted.STOP_STREAM)


def retries_stop_port(_: System, __: Server, queue: Queue) -> Verdict:
    """A message that keeps failing and no backout queue that takes it away."""
    port = settings_of(queue, PortParameters)
    stop = stops_at(port)
    if 0 < port.backout_threshold <= stop:
        return Verdict("ok", f"IBM MQ moves a message away after {port.backout_threshold} failures; the port goes on.")
    if port.failure_rate == 0 and port.poison_rate == 0:
        return Verdict("ok", f"No failures are expected; {stop} of one message would stop the port.")
    message = (
        f"After {stop} failed deliveries of one message the whole listener port stops and nothing is processed. Set a "
        f"backout threshold not above Maximum retries."
    )
    fix = {"settings.maximum_retries": max(3, stop), "settings.backout_threshold": max(3, stop)}
    return Verdict("violated", message, fix)


def backout_before_retries(_: System, __: Server, queue: Queue) -> Verdict | None:
    """A backout threshold that is never reached because the port stops first."""
    port = settings_of(queue, PortParameters)
    stop = stops_at(port)
    if port.backout_threshold == 0:
        return None
    if port.backout_threshold <= stop:
        return Verdict("ok", f"Backout at {port.backout_threshold} comes before the port stops at {stop}.")
    message = (
        f"The port stops after {stop} failed deliveries, before the backout threshold {port.backout_threshold} is "
        f"reached: backout never happens."
    )
    return Verdict("violated", message, {"settings.maximum_retries": port.backout_threshold})


def backout_script(changes: tuple[Change, ...], scenario_hash: str) -> Script | None:
    """Return the MQSC commands: the backout threshold is an attribute of the IBM MQ queue, not of the server."""
    found = [change for change in changes if change.setting == "backout_threshold"]
    if not found:
        return None
    header = f"* Written by Sluice for the scenario {scenario_hash}"
    apply = [f"ALTER QLOCAL('{change.entity.name}') BOTHRESH({change.after})" for change in found]
    undo = [f"ALTER QLOCAL('{change.entity.name}') BOTHRESH({change.before})" for change in found]
    left_out = tuple(change.path for change in changes if change not in found)
    return Script("mqsc", "backout.mqsc", "\n".join([header, *apply, ""]), "\n".join([header, *undo, ""]), left_out)
