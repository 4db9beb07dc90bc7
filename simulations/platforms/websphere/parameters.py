"""WebSphere Application Server: settings of a server, and of a listener port or an activation specification."""

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from simulations.declarations.parameters import PlatformParameters, assumed, held_by, labeled, setting
from simulations.declarations.units import Duration, PositiveDuration
from simulations.platforms.shared import listener_port
from simulations.platforms.shared.activation import SPEC, at_spec
from simulations.platforms.shared.queues import OWN_MODEL, AtLeastOne, AtLeastZero
from simulations.platforms.websphere.sources import ADAPTER_POOL, CONNECTIONS, LISTENER_POOL, MODES, THROTTLING

at_listener_pool = held_by(LISTENER_POOL, "ThreadPool/Message.Listener.Pool")
at_channel = held_by(f"{CONNECTIONS}, server connection channel", "")
at_adapter_pool = held_by(ADAPTER_POOL, "ThreadPool/WMQJCAResourceAdapter", doubt="the default")
at_pooling = held_by(listener_port.SERVICE, "MessageListenerService", doubt="default and meaning")
Threads = Annotated[int, Field(ge=1, le=100_000)]


class ListenerService(PlatformParameters):
    """The message listener service of a server, its connections and transactions, and IBM MQ's resource adapter."""

    listener_pool_maximum: Annotated[Threads, at_listener_pool("threads", "maximumSize", (1, 200), costs=True)] = 50
    """Most threads of the message listener service; all listener ports of the server share them."""
    total_transaction_timeout: Annotated[
        PositiveDuration,
        listener_port.at_transactions("s", "totalTranLifetimeTimeout", (1, 600), "Total transaction lifetime timeout"),
    ] = 120.0
    """Age at which a transaction is marked for rollback; in non-ASF mode the wait inside receive() counts."""
    sharing_conversations: Annotated[
        int, Field(ge=1, le=999_999_999), at_channel("conversations", "SHARECNV", (1, 100))
    ] = 10
    """Conversations that share one TCP connection to IBM MQ 7 or later; 1 = each has its own, as before version 7."""
    listener_pool_minimum: Annotated[
        int, Field(ge=0, le=100_000), at_listener_pool("threads", "minimumSize", (0, 200))
    ] = 10
    """Threads of that service which stay when nothing is to do. Making a thread takes no time in the simulation."""
    listener_pool_inactivity: Annotated[
        Duration,
        at_listener_pool(
            "s", "inactivityTimeout", (0, 60), "Listener pool inactivity timeout", sweep=False, factor=1000
        ),
    ] = 3.5
    """Idle time after which a thread above the minimum ends. A rule compares it with the time between two messages;
    the vendor writes milliseconds."""
    listener_pool_growable: Annotated[bool, at_listener_pool("1", "isGrowable")] = False
    """On: the pool makes a thread for every session, and its maximum bounds nothing."""
    connection_pool_maximum: Annotated[
        AtLeastOne, listener_port.at_pools("connections", "connectionPool/maxConnections", (1, 200), sweep=False)
    ] = 10
    """Most connections of the factory that the server's ports share; each started port takes one. A rule compares it
    with the ports; the simulation gives every port its connection."""
    pooling_threshold: Annotated[AtLeastZero, at_pooling("connections", "MQJMS.POOLING.THRESHOLD", (0, 100))] = 10
    """Unused handles to IBM MQ that are kept; the pooling timeout closes those beyond."""
    pooling_timeout: Annotated[
        Duration, at_pooling("s", "MQJMS.POOLING.TIMEOUT", (1, 1800), sweep=False, factor=1000)
    ] = 300.0
    """Time without use after which a handle beyond the threshold is closed. A rule compares it with the time between
    two messages; the vendor writes milliseconds."""
    dynamic_configuration: Annotated[
        bool, listener_port.at_service("1", "DYNAMIC.CONFIGURATION.ENABLED", sweep=False)
    ] = False
    """Whether changed listener ports act without a restart of the server. It changes when an export acts, not what a
    simulation shows."""
    adapter_pool_maximum: Annotated[
        Threads, at_adapter_pool("threads", "maximumSize", (1, 200), "WMQJCAResourceAdapter pool maximum", costs=True)
    ] = 50
    """Most threads of the resource adapter of IBM MQ; all activation specifications of the server share them."""


class ServerSettings(listener_port.ServiceParameters, ListenerService):
    """One application server."""


at_rollback = held_by(listener_port.SERVICE, "MessageListenerService", doubt="the default", sweep=False)
at_reap = held_by(listener_port.SERVICE, "MessageListenerService", doubt="the default")
at_unused = held_by(listener_port.SERVICE, "MessageListenerService", doubt="default and 0", unlimited=0)
at_bean_pool = held_by(f"{THROTTLING}, message-driven bean pool", "")
at_wait = held_by(MODES, "MessageListenerService", factor=1000)


class _Endpoint(listener_port.PortParameters):
    """The session pool of a port, and what only activation specifications have. Forms show these last."""

    initial_state: Annotated[
        Literal["START", "STOP"],
        labeled("1", listener_port.PORT, "initialState", title="Initial state", sweep=False, where="StateManageable"),
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
    maximum_sessions: Annotated[
        AtLeastOne, listener_port.at_port("sessions", "maxSessions", (1, 200), "Maximum sessions")
    ] = 1
    """Messages that the port works on in parallel; a topic in non-ASF mode always has one session."""
    maximum_messages: Annotated[
        AtLeastOne, listener_port.at_port("messages", "maxMessages", (1, 100), "Maximum messages")
    ] = 1
    """Most messages of one session's load; with IBM MQ all of them run in one transaction. ASF mode only. The
    simulation takes each when the one before it ends, while more are waiting (assumed)."""
    receive_timeout: Annotated[
        Duration, at_wait("s", "NON.ASF.RECEIVE.TIMEOUT", (0, 300), "Non-ASF receive timeout")
    ] = 0.0
    """Longest wait inside receive() before the empty transaction is rolled back and started again. Non-ASF mode only,
    and above 0 there; the vendor writes milliseconds."""

    unsuitable_messages: Annotated[
        float,
        Field(ge=0, le=1_000_000),
        assumed("messages", OWN_MODEL, (0, 100), "Messages skipped by the selector", place="message selectors"),
    ] = 0.0
    """Messages that do not suit the bean's selector, for each one that does: they stay on the destination for other
    consumers, and the arrivals entered are those that suit. Non-ASF mode only."""
    selection_time: Annotated[
        Duration, assumed("s", OWN_MODEL, (0, 0.1), "Selector time per skipped message", place="message selectors")
    ] = 0.0
    """Mean time inside receive() to pass over one of them, exponential. Non-ASF mode only."""

    @property
    def wait(self) -> float:
        """Longest wait of a session inside receive(); none in ASF mode."""
        return self.receive_timeout if self.mode == "non_asf" else 0.0

    @model_validator(mode="after")
    def _waits(self) -> Self:
        if self.mode == "non_asf" and self.receive_timeout == 0:
            msg = "non-ASF mode needs a receive_timeout above 0; set one, for example 100s, or choose mode asf"
            raise ValueError(msg)
        return self


OF_SELECTORS = ("unsuitable_messages", "selection_time")
SPEC_ONLY = ("provider", "start_timeout", "maximum_concurrent_endpoints", "mdb_pool_maximum")
"""Names of the settings that only an activation specification reads, off z/OS."""
