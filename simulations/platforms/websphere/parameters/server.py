"""WebSphere Application Server: settings of a server."""

from typing import Annotated

from pydantic import Field

from simulations.declarations.parameters import PlatformParameters, held_by
from simulations.declarations.units import Duration, PositiveDuration
from simulations.platforms.shared.listener_port import SERVICE, ServiceParameters, at_pools, at_service, at_transactions
from simulations.platforms.shared.queues import AtLeastOne, AtLeastZero
from simulations.platforms.websphere.sources import ADAPTER_POOL, CONNECTIONS, LISTENER_POOL

at_listener_pool = held_by(LISTENER_POOL, "ThreadPool/Message.Listener.Pool")
at_channel = held_by(f"{CONNECTIONS}, server connection channel", "")
at_adapter_pool = held_by(ADAPTER_POOL, "ThreadPool/WMQJCAResourceAdapter", doubt="the default")
at_pooling = held_by(SERVICE, "MessageListenerService", doubt="default and meaning")
Threads = Annotated[int, Field(ge=1, le=100_000)]


class ListenerService(PlatformParameters):
    """The message listener service of a server, its connections and transactions, and IBM MQ's resource adapter."""

    listener_pool_maximum: Annotated[Threads, at_listener_pool("threads", "maximumSize", (1, 200), costs=True)] = 50
    """Most threads of the message listener service; all listener ports of the server share them."""
    total_transaction_timeout: Annotated[
        PositiveDuration,
        at_transactions("s", "totalTranLifetimeTimeout", (1, 600), "Total transaction lifetime timeout"),
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
        AtLeastOne, at_pools("connections", "connectionPool/maxConnections", (1, 200), sweep=False)
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
    dynamic_configuration: Annotated[bool, at_service("1", "DYNAMIC.CONFIGURATION.ENABLED", sweep=False)] = False
    """Whether changed listener ports act without a restart of the server. It changes when an export acts, not what a
    simulation shows."""
    adapter_pool_maximum: Annotated[
        Threads, at_adapter_pool("threads", "maximumSize", (1, 200), "WMQJCAResourceAdapter pool maximum", costs=True)
    ] = 50
    """Most threads of the resource adapter of IBM MQ; all activation specifications of the server share them."""


class ServerSettings(ServiceParameters, ListenerService):
    """One application server."""
