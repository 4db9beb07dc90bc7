"""WebSphere Application Server: settings of a server and of a listener port, in ASF and in non-ASF mode."""

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from simulations.parameters import PlatformParameters, Quantity
from simulations.platforms.shared.listener_port import (
    POOLS,
    PORT,
    SERVICE,
    TRANSACTIONS,
    PortParameters,
    ServiceParameters,
)
from simulations.platforms.shared.queues import MAX_INT, cited
from simulations.platforms.websphere.parameters.activation import AdapterPool, Endpoints
from simulations.platforms.websphere.parameters.listener_port import PortProperties
from simulations.units import Duration, PositiveDuration

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
        Quantity(
            "threads",
            source=cited(LISTENER_POOL, "Maximum size"),
            native="maximumSize",
            title="Listener pool maximum",
            sweep=True,
        ),
    ] = 50
    """Most threads of the message listener service; all listener ports of the server share them."""
    total_transaction_timeout: Annotated[
        PositiveDuration,
        Quantity(
            "s",
            source=cited(TRANSACTIONS, "Total transaction lifetime timeout"),
            native="totalTranLifetimeTimeout",
            title="Total transaction lifetime timeout",
            sweep=True,
        ),
    ] = 120.0
    """Age at which a transaction is marked for rollback; in non-ASF mode the wait inside receive() counts."""
    sharing_conversations: Annotated[
        int,
        Field(ge=1, le=999_999_999),
        Quantity(
            "conversations",
            source=cited(CONNECTIONS, "SHARECNV of the server connection channel"),
            native="SHARECNV",
            title="Sharing conversations",
            sweep=True,
        ),
    ] = 10
    """Conversations that share one TCP connection to IBM MQ 7 or later; 1 = each has its own, as before version 7."""
    listener_pool_minimum: Annotated[
        int,
        Field(ge=0, le=100_000),
        Quantity(
            "threads",
            source=cited(LISTENER_POOL, "Minimum size"),
            native="minimumSize",
            title="Listener pool minimum",
            sweep=True,
        ),
    ] = 10
    """Threads of that service which stay when nothing is to do. Making a thread takes no time in the simulation."""
    listener_pool_inactivity: Annotated[
        Duration,
        Quantity(
            "s",
            source=cited(LISTENER_POOL, "Thread inactivity timeout"),
            native="inactivityTimeout",
            title="Listener pool inactivity timeout",
        ),
    ] = 3.5
    """Idle time after which a thread above the minimum ends. A rule compares it with the time between two messages;
    the vendor writes milliseconds."""
    listener_pool_growable: Annotated[
        bool,
        Quantity(
            "1",
            source=cited(LISTENER_POOL, "Allow thread allocation beyond maximum thread size"),
            native="isGrowable",
            title="Listener pool growable",
            sweep=True,
        ),
    ] = False
    """On: the pool makes a thread for every session, and its maximum bounds nothing."""
    connection_pool_maximum: Annotated[
        int,
        Field(ge=1, le=MAX_INT),
        Quantity(
            "connections",
            source=cited(POOLS, "maximum of the connection pool"),
            native="connectionPool/maxConnections",
            title="Connection pool maximum",
        ),
    ] = 10
    """Most connections of the factory that the server's ports share; each started port takes one. A rule compares it
    with the ports; the simulation gives every port its connection."""
    pooling_threshold: Annotated[
        int,
        Field(ge=0, le=MAX_INT),
        Quantity(
            "connections",
            source=cited(SERVICE, "MQJMS.POOLING.THRESHOLD; default and meaning were not confirmed"),
            native="MQJMS.POOLING.THRESHOLD",
            title="Pooling threshold",
            sweep=True,
            trust="unverified",
        ),
    ] = 10
    """Unused handles to IBM MQ that are kept; the pooling timeout closes those beyond."""
    pooling_timeout: Annotated[
        Duration,
        Quantity(
            "s",
            source=cited(SERVICE, "MQJMS.POOLING.TIMEOUT; default and meaning were not confirmed"),
            native="MQJMS.POOLING.TIMEOUT",
            title="Pooling timeout",
            trust="unverified",
        ),
    ] = 300.0
    """Time without use after which a handle beyond the threshold is closed. A rule compares it with the time between
    two messages; the vendor writes milliseconds."""
    dynamic_configuration: Annotated[
        bool,
        Quantity(
            "1",
            source=cited(SERVICE, "DYNAMIC.CONFIGURATION.ENABLED"),
            native="DYNAMIC.CONFIGURATION.ENABLED",
            title="Dynamic configuration",
        ),
    ] = False
    """Whether changed listener ports act without a restart of the server. It changes when an export acts, not what a
    simulation shows."""


class ServerSettings(ServiceParameters, AdapterPool, ListenerService):
    """One application server."""


class ListenerPort(Endpoints, PortProperties, PortParameters):
    """A listener port of the message listener service, or the activation specification in its place."""

    mode: Annotated[
        Literal["asf", "non_asf", "activation_spec"],
        Quantity("1", source=cited(MODES, "switch by NON.ASF.RECEIVE.TIMEOUT"), title="Mode", sweep=True),
    ] = "asf"
    """Listener port in ASF mode: a thread is taken only when a message is there. In non-ASF mode every session holds a
    thread that waits in receive() inside a transaction. Activation specification: as ASF, but with server sessions
    and threads of the resource adapter instead of those of the listener service."""
    maximum_sessions: Annotated[
        int,
        Field(ge=1, le=MAX_INT),
        Quantity(
            "sessions",
            source=cited(PORT, "Maximum sessions"),
            native="maxSessions",
            title="Maximum sessions",
            sweep=True,
        ),
    ] = 1
    """Messages that the port works on in parallel; a topic in non-ASF mode always has one session."""
    maximum_messages: Annotated[
        int,
        Field(ge=1, le=MAX_INT),
        Quantity(
            "messages",
            source=cited(PORT, "Maximum messages"),
            native="maxMessages",
            title="Maximum messages",
            sweep=True,
        ),
    ] = 1
    """Messages loaded into one session at once; with IBM MQ all of them run in one transaction. ASF mode only."""
    receive_timeout: Annotated[
        Duration,
        Quantity(
            "s",
            source=cited(MODES, "NON.ASF.RECEIVE.TIMEOUT"),
            native="NON.ASF.RECEIVE.TIMEOUT",
            title="Non-ASF receive timeout",
            sweep=True,
        ),
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
