"""Activation specifications of IBM MQ: what they have in common on z/OS and elsewhere."""

from typing import Annotated, ClassVar

from simulations.declarations.parameters import held_by
from simulations.declarations.system import Queue, System
from simulations.declarations.units import Duration
from simulations.platforms.shared import queues
from simulations.platforms.shared.rules import Kind, Rule, Verdict, ignored, outlives, per_queue

ADVANCED = "Activation specification of the IBM MQ messaging provider: advanced properties"
COMMAND = "createWMQActivationSpec command"
SPEC = "J2CActivationSpec"
at_spec, at_pool = held_by(COMMAND, SPEC), held_by(ADVANCED, SPEC)


class ActivationSpec(queues.QueueParameters):
    """An activation specification, the successor of the listener port. Its settings count only where it is used."""

    maximum_server_sessions: Annotated[queues.AtLeastOne, at_pool("sessions", "maxPoolDepth", (1, 200))] = 10
    """Server sessions of an activation specification: messages that it works on in parallel."""
    server_session_idle_timeout: Annotated[
        Duration, at_pool("s", "poolTimeout", (1, 1800), sweep=False, factor=1000)
    ] = 300.0
    """Time without use after which a server session is closed. A rule compares it with the time between two messages;
    making a session takes no time in the simulation. The vendor writes milliseconds."""
    stop_if_delivery_fails: Annotated[
        bool, at_spec("1", "stopEndpointIfDeliveryFails", title="Stop endpoint if delivery fails")
    ] = True
    """Whether failed deliveries stop the endpoint of an activation specification; off, a message comes back without
    end unless a backout threshold ends it."""
    failure_delivery_count: Annotated[queues.AtLeastZero, at_spec("attempts", "failureDeliveryCount", (0, 20))] = 0
    """Failed deliveries in a row that are allowed before the endpoint stops; 0 = it stops at the first. The simulation
    counts them for each message by itself."""

    switch: ClassVar[str]
    """Name of the setting that says what listens."""

    @property
    def activated(self) -> bool:
        """Whether an activation specification listens, and not a listener port."""
        return bool(getattr(self, self.switch) == "activation_spec")


SETTINGS = tuple(name for name in ActivationSpec.model_fields if name not in queues.QueueParameters.model_fields)
"""Names of the settings that only an activation specification reads."""


def is_spec(queue: Queue) -> bool:
    """Return whether an activation specification listens to the queue."""
    return queues.settings_of(queue, ActivationSpec).activated


def is_port(queue: Queue) -> bool:
    """Return whether a listener port listens to the queue."""
    return not is_spec(queue)


def session_rules(family: str, kind: Kind) -> tuple[Rule, Rule]:
    """Return the rules about server sessions of the queues of a ``kind``, and about the count of failures."""
    quiet, count = f"{family}.server-sessions-survive-quiet-times", f"{family}.failure-count-ignored"
    return (
        per_queue(quiet, "info", ADVANCED, "Server session pool timeout", kind)(_sessions_survive),
        per_queue(count, "info", COMMAND, "failureDeliveryCount")(_failure_count_ignored),
    )


def _sessions_survive(system: System, queue: Queue) -> Verdict | None:
    """Server sessions outlive the time between two messages."""
    gap, limit = queues.quiet_time(system, queue), queues.settings_of(queue, ActivationSpec).server_session_idle_timeout
    if gap is None:
        return None
    closed = f"a server session is closed after {queues.number(limit)} s without use"
    ends = f"{closed}: sessions are made anew for the next messages"
    fix = {"settings.server_session_idle_timeout": 2 * gap}
    return outlives(gap, limit, "server sessions stay open", ends, fix)


def _failure_count_ignored(spec: ActivationSpec) -> Verdict | None:
    """The failure delivery count counts only where failures stop the endpoint."""
    if not spec.activated or spec.stop_if_delivery_fails:
        return None
    message = "The failure delivery count does nothing: failed deliveries do not stop this endpoint."
    return ignored(spec, message, "failure_delivery_count")
