"""WebSphere Application Server for z/OS: settings of a listener port or the activation specification in its place."""

from typing import Annotated, Literal

from pydantic import Field

from simulations.declarations.parameters import assumed, held_by, setting
from simulations.declarations.units import Duration
from simulations.platforms.shared.activation import SPEC
from simulations.platforms.shared.listener_port import PortParameters
from simulations.platforms.shared.queues import AtLeastOne, AtLeastZero
from simulations.platforms.websphere_zos.sources import IN_FLIGHT, LISTENING, OWN_MODEL, THROTTLE

at_spec = held_by(IN_FLIGHT, SPEC, doubt="where it is set")
at_sessions = held_by(f"{THROTTLE}, high threshold", "ListenerPort")
at_throttle = held_by(THROTTLE, "MessageListenerService")


class _Endpoint(PortParameters):
    """What kind of endpoint it is, and the limit of an activation specification. Forms show these last."""

    durable_subscription: Annotated[bool, setting("1", LISTENING, "", place="non-durable subscriptions")] = True
    """Off, at a topic: a servant listens instead of the controller and the WLM dispatch timeout counts instead of the
    MDB request timeout. The throttle is simulated in both cases."""
    endpoint: Annotated[
        Literal["listener_port", "activation_spec"],
        setting("1", IN_FLIGHT, "", place="listener ports and activation specifications"),
    ] = "listener_port"
    """Listener port: the MDB throttle with its two thresholds. Activation specification: one limit of messages in
    flight, and the WLM dispatch timeout instead of the MDB request timeout."""
    in_flight_scale_factor: Annotated[
        float,
        Field(ge=0, le=1e6, allow_inf_nan=False),
        at_spec("1", "MaxInFlightMessagesScaleFactor", (0, 10), "In-flight scale factor"),
    ] = 1.0
    """Factor of the in-flight limit: active servants × Maximum server sessions × this, plus the constant."""
    in_flight_constant: Annotated[
        AtLeastZero, at_spec("messages", "MaxInFlightMessagesConstant", (0, 200), "In-flight constant")
    ] = 0
    """Messages added to the in-flight limit. The simulated limit counts all servants that may run; while fewer have
    started the real one is lower, and 0 as long as none runs."""


class ListenerPort(_Endpoint):
    """A listener port or the activation specification in its place, and the backout of its IBM MQ queue."""

    switch = "endpoint"
    maximum_sessions: Annotated[AtLeastOne, at_sessions("messages", "maxSessions", (1, 200))] = 1
    """High threshold of the MDB throttle: messages in flight (prepared or dispatched) that block the queue agent."""
    low_equals_high: Annotated[
        bool, at_throttle("1", "MDB.THROTTLE.THRESHOLD.LOW.EQUALS.HIGH", title="Low threshold equals high")
    ] = False
    """True: the throttle opens after every completion. False: only when half of Maximum sessions has completed.
    A custom property of the whole message listener service."""
    queue_agent_time: Annotated[Duration, assumed("s", OWN_MODEL, (0, 0.05), place="queue agent")] = 0.002
    """Time the one queue agent thread of the port needs to prepare a message. Nobody documents it."""
    in_flight_from: Annotated[
        Literal["queued", "taken"], assumed("1", OWN_MODEL, title="In flight from", place="when a record is counted")
    ] = "queued"
    """When a message counts as in flight: when its record is put on the WLM queue, or when the queue agent takes it.
    The vendor's page does not say."""


SPEC_ONLY = ("in_flight_scale_factor", "in_flight_constant")
"""Names of the settings that only an activation specification reads, on z/OS."""
