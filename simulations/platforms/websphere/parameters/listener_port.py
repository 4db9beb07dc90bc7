"""WebSphere Application Server: settings of a listener port, or of the activation specification in its place."""

from typing import Annotated, Literal, Self

from pydantic import model_validator

from simulations.declarations.parameters import held_by, labeled, setting
from simulations.declarations.units import Duration
from simulations.platforms.shared.activation import SPEC, at_spec
from simulations.platforms.shared.listener_port import PORT, SERVICE, PortParameters, at_port
from simulations.platforms.shared.queues import AtLeastOne
from simulations.platforms.websphere.sources import MODES, THROTTLING

at_rollback = held_by(SERVICE, "MessageListenerService", doubt="the default", sweep=False)
at_reap = held_by(SERVICE, "MessageListenerService", doubt="the default")
at_unused = held_by(SERVICE, "MessageListenerService", doubt="default and 0", unlimited=0)
at_bean_pool = held_by(f"{THROTTLING}, message-driven bean pool", "")
at_wait = held_by(MODES, "MessageListenerService", factor=1000)


class _Endpoint(PortParameters):
    """The session pool of a port, and what only activation specifications have. Forms show these last."""

    initial_state: Annotated[
        Literal["START", "STOP"],
        labeled("1", PORT, "initialState", title="Initial state", sweep=False, where="StateManageable"),
    ] = "START"
    """Whether the port takes messages when its server has started. A stopped port is flagged by a rule; the simulation
    shows it as started."""
    session_reap_time: Annotated[
        Duration, at_reap("s", "SERVER.SESSION.POOL.REAP.TIME", (1, 1800), "Session pool reap time")
    ] = 240.0
    """Time between two looks at the port's idle server sessions. ASF mode only."""
    session_unused_timeout: Annotated[
        Duration, at_unused("s", "SERVER.SESSION.POOL.UNUSED.TIMEOUT", (1, 1800), "Session pool unused timeout")
    ] = 240.0
    """Idle time after which the next look gives a server session back; 0 = it is kept. ASF mode only. Making a session
    takes no time in the simulation."""
    bmt_rollback: Annotated[
        bool, at_rollback("1", "NON.ASF.BMT.ROLLBACK.ENABLED", title="Rollback for bean-managed transactions")
    ] = False
    """Whether a message comes back when a bean that manages its own transactions fails. Non-ASF mode only; a simulated
    message that fails always comes back."""
    provider: Annotated[
        Literal["ibm_mq", "default_messaging"],
        setting("1", THROTTLING, "", title="Messaging provider", place="messaging providers"),
    ] = "ibm_mq"
    """Who delivers the messages of an activation specification: IBM MQ with its server sessions, or the default
    messaging provider with its endpoints. Every endpoint of the default messaging provider has a thread here."""
    start_timeout: Annotated[Duration, at_spec("s", "startTimeout", (0.1, 60), unlimited=0, factor=1000)] = 10.0
    """Longest wait of a scheduled message for a thread of the resource adapter; then it returns to its queue. It can
    only act where the adapter has fewer threads than sessions; 0 = none. The vendor writes milliseconds."""
    maximum_concurrent_endpoints: Annotated[
        AtLeastOne,
        labeled("sessions", THROTTLING, "maxConcurrency", (1, 200), "Maximum concurrent endpoints", where=SPEC),
    ] = 10
    """Messages in work at once with the default messaging provider."""
    mdb_pool_maximum: Annotated[
        AtLeastOne, at_bean_pool("beans", "", (1, 1000), "Message-driven bean pool maximum")
    ] = 500
    """Instances of the bean that the container keeps. With the default messaging provider fewer of them than endpoints
    bound the work; IBM MQ bounds it by its server sessions."""


class ListenerPort(_Endpoint):
    """A listener port of the message listener service, or the activation specification in its place."""

    switch = "mode"
    mode: Annotated[
        Literal["asf", "non_asf", "activation_spec"], setting("1", MODES, "", place="switch by NON.ASF.RECEIVE.TIMEOUT")
    ] = "asf"
    """Listener port in ASF mode: a thread is taken only when a message is there. In non-ASF mode every session holds a
    thread that waits in receive() inside a transaction. Activation specification: as ASF, but with server sessions
    and threads of the resource adapter instead of those of the listener service."""
    maximum_sessions: Annotated[AtLeastOne, at_port("sessions", "maxSessions", (1, 200), "Maximum sessions")] = 1
    """Messages that the port works on in parallel; a topic in non-ASF mode always has one session."""
    maximum_messages: Annotated[AtLeastOne, at_port("messages", "maxMessages", (1, 100), "Maximum messages")] = 1
    """Most messages of one session's load; with IBM MQ all of them run in one transaction. ASF mode only. The
    simulation takes each when the one before it ends, while more are waiting (assumed)."""
    receive_timeout: Annotated[
        Duration, at_wait("s", "NON.ASF.RECEIVE.TIMEOUT", (0, 300), "Non-ASF receive timeout")
    ] = 0.0
    """Longest wait inside receive() before the empty transaction is rolled back and started again. Non-ASF mode only,
    and above 0 there; the vendor writes milliseconds."""

    @model_validator(mode="after")
    def _waits(self) -> Self:
        if self.mode == "non_asf" and self.receive_timeout == 0:
            msg = "non-ASF mode needs a receive_timeout above 0; set one, for example 100s, or choose mode asf"
            raise ValueError(msg)
        return self


SPEC_ONLY = ("provider", "start_timeout", "maximum_concurrent_endpoints", "mdb_pool_maximum")
"""Names of the settings that only an activation specification reads, off z/OS."""
