"""WebSphere Application Server: settings of a server and of a listener port, in ASF and in non-ASF mode."""

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from simulations.declarations.parameters import PlatformParameters, setting
from simulations.declarations.units import Duration, PositiveDuration
from simulations.platforms.shared.listener_port import (
    POOLS,
    PORT,
    SERVICE,
    TRANSACTIONS,
    PortParameters,
    ServiceParameters,
)
from simulations.platforms.shared.queues import MAX_INT
from simulations.platforms.websphere.parameters.activation import AdapterPool, Endpoints
from simulations.platforms.websphere.parameters.listener_port import PortProperties

LISTENER_POOL = "Message listener service thread pool"
MODES = "Message processing in ASF mode and non-ASF mode"
AVOIDING = "Avoiding transaction timeouts in non-ASF mode"
CONNECTIONS = "Determining the number of TCP/IP connections created from WebSphere to IBM MQ"
OWN_MODEL = "Sluice, model of WebSphere listener ports"


class ListenerService(PlatformParameters):
    """The message listener service of a server, its connections and its transactions."""

    listener_pool_maximum: Annotated[
        int,
        Field(ge=1, le=100_000),
        setting(
            "threads", LISTENER_POOL, "maximumSize", "Listener pool maximum", (1, 200), place="Maximum size", costs=True
        ),
    ] = 50
    """Most threads of the message listener service; all listener ports of the server share them."""
    total_transaction_timeout: Annotated[
        PositiveDuration,
        setting(
            "s",
            TRANSACTIONS,
            "totalTranLifetimeTimeout",
            "Total transaction lifetime timeout",
            (1, 600),
            place="Total transaction lifetime timeout",
        ),
    ] = 120.0
    """Age at which a transaction is marked for rollback; in non-ASF mode the wait inside receive() counts."""
    sharing_conversations: Annotated[
        int,
        Field(ge=1, le=999_999_999),
        setting(
            "conversations",
            CONNECTIONS,
            "SHARECNV",
            "Sharing conversations",
            (1, 100),
            place="SHARECNV of the server connection channel",
        ),
    ] = 10
    """Conversations that share one TCP connection to IBM MQ 7 or later; 1 = each has its own, as before version 7."""
    listener_pool_minimum: Annotated[
        int,
        Field(ge=0, le=100_000),
        setting("threads", LISTENER_POOL, "minimumSize", "Listener pool minimum", (0, 200), place="Minimum size"),
    ] = 10
    """Threads of that service which stay when nothing is to do. Making a thread takes no time in the simulation."""
    listener_pool_inactivity: Annotated[
        Duration,
        setting(
            "s",
            LISTENER_POOL,
            "inactivityTimeout",
            "Listener pool inactivity timeout",
            (0, 60),
            place="Thread inactivity timeout",
            sweep=False,
        ),
    ] = 3.5
    """Idle time after which a thread above the minimum ends. A rule compares it with the time between two messages;
    the vendor writes milliseconds."""
    listener_pool_growable: Annotated[
        bool,
        setting(
            "1",
            LISTENER_POOL,
            "isGrowable",
            "Listener pool growable",
            place="Allow thread allocation beyond maximum thread size",
        ),
    ] = False
    """On: the pool makes a thread for every session, and its maximum bounds nothing."""
    connection_pool_maximum: Annotated[
        int,
        Field(ge=1, le=MAX_INT),
        setting(
            "connections",
            POOLS,
            "connectionPool/maxConnections",
            "Connection pool maximum",
            (1, 200),
            place="maximum of the connection pool",
            sweep=False,
        ),
    ] = 10
    """Most connections of the factory that the server's ports share; each started port takes one. A rule compares it
    with the ports; the simulation gives every port its connection."""
    pooling_threshold: Annotated[
        int,
        Field(ge=0, le=MAX_INT),
        setting(
            "connections",
            SERVICE,
            "MQJMS.POOLING.THRESHOLD",
            "Pooling threshold",
            (0, 100),
            place="MQJMS.POOLING.THRESHOLD; default and meaning were not confirmed",
            trust="unverified",
        ),
    ] = 10
    """Unused handles to IBM MQ that are kept; the pooling timeout closes those beyond."""
    pooling_timeout: Annotated[
        Duration,
        setting(
            "s",
            SERVICE,
            "MQJMS.POOLING.TIMEOUT",
            "Pooling timeout",
            (1, 1800),
            place="MQJMS.POOLING.TIMEOUT; default and meaning were not confirmed",
            sweep=False,
            trust="unverified",
        ),
    ] = 300.0
    """Time without use after which a handle beyond the threshold is closed. A rule compares it with the time between
    two messages; the vendor writes milliseconds."""
    dynamic_configuration: Annotated[
        bool, setting("1", SERVICE, "DYNAMIC.CONFIGURATION.ENABLED", "Dynamic configuration", sweep=False)
    ] = False
    """Whether changed listener ports act without a restart of the server. It changes when an export acts, not what a
    simulation shows."""


class ServerSettings(ServiceParameters, AdapterPool, ListenerService):
    """One application server."""


class ListenerPort(Endpoints, PortProperties, PortParameters):
    """A listener port of the message listener service, or the activation specification in its place."""

    mode: Annotated[
        Literal["asf", "non_asf", "activation_spec"],
        setting("1", MODES, "", "Mode", place="switch by NON.ASF.RECEIVE.TIMEOUT"),
    ] = "asf"
    """Listener port in ASF mode: a thread is taken only when a message is there. In non-ASF mode every session holds a
    thread that waits in receive() inside a transaction. Activation specification: as ASF, but with server sessions
    and threads of the resource adapter instead of those of the listener service."""
    maximum_sessions: Annotated[
        int,
        Field(ge=1, le=MAX_INT),
        setting("sessions", PORT, "maxSessions", "Maximum sessions", (1, 200), place="Maximum sessions"),
    ] = 1
    """Messages that the port works on in parallel; a topic in non-ASF mode always has one session."""
    maximum_messages: Annotated[
        int,
        Field(ge=1, le=MAX_INT),
        setting("messages", PORT, "maxMessages", "Maximum messages", (1, 100), place="Maximum messages"),
    ] = 1
    """Messages loaded into one session at once; with IBM MQ all of them run in one transaction. ASF mode only."""
    receive_timeout: Annotated[
        Duration, setting("s", MODES, "NON.ASF.RECEIVE.TIMEOUT", "Non-ASF receive timeout", (0, 300))
    ] = 0.0
    """Longest wait inside receive() before the empty transaction is rolled back and started again. Non-ASF mode only,
    and above 0 there; the vendor writes milliseconds."""

    @property
    def activated(self) -> bool:
        """Whether an activation specification listens, and not a listener port."""
        return self.mode == "activation_spec"

    @model_validator(mode="after")
    def _waits(self) -> Self:
        if self.mode == "non_asf" and self.receive_timeout == 0:
            msg = "non-ASF mode needs a receive_timeout above 0; set one, for example 100s, or choose mode asf"
            raise ValueError(msg)
        return self
