"""Open MQ with GlassFish: settings of an instance with its connection, and of an MDB with its destination."""

from typing import Annotated, Literal

from pydantic import Field

from simulations.declarations.parameters import PlatformParameters, Quantity, setting
from simulations.declarations.units import Duration
from simulations.platforms.openmq.parameters.destination import Broker, Consumers, Destination, Unlimited
from simulations.platforms.openmq.sources import ADAPTER, ADMIN, CONTAINER, FLOW, OWN_MODEL
from simulations.platforms.shared.queues import MAX_INT, Percent, QueueParameters, cited


class Instance(PlatformParameters):
    """One GlassFish instance: its MDB pools, its work threads and its connection to the broker."""

    max_pool_size: Annotated[
        int,
        Field(ge=1, le=MAX_INT),
        Quantity(
            "beans",
            source=f"{cited(CONTAINER, 'max-pool-size')}; {cited(FLOW, 'pool of 32')}",
            native="max-pool-size",
            title="Maximum pool size",
            sweep=True,
            typical=(1, 200),
            where="mdb-container",
        ),
    ] = 32
    """Most instances of one MDB that run in parallel. Old guides print 60 or 64 as the default; the source has 32."""
    steady_pool_size: Annotated[
        int,
        Field(ge=0, le=MAX_INT),
        setting(
            "beans", CONTAINER, "steady-pool-size", "Steady pool size", (0, 200), sweep=False, where="mdb-container"
        ),
    ] = 1
    """Instances kept ready in the pool. It has no influence on capacity: the pool grows at once."""
    connection_flow_limit_enabled: Annotated[
        bool, setting("1", ADMIN, "imqConnectionFlowLimitEnabled", "Connection flow limit enabled", where="factory")
    ] = False
    """Whether the connection has a limit of its own, beside that of each consumer."""
    connection_flow_limit: Annotated[
        int,
        Field(ge=1, le=MAX_INT),
        setting("messages", ADMIN, "imqConnectionFlowLimit", "Connection flow limit", (1, 1000), where="factory"),
    ] = 1000
    """Unconsumed messages on the connection at which delivery stops; it goes on below. Only when enabled."""
    connection_flow_count: Annotated[
        int,
        Field(ge=0, le=MAX_INT),
        setting("messages", ADMIN, "imqConnectionFlowCount", "Connection flow count", (0, 1000), where="factory"),
    ] = 100
    """Messages after which the broker waits for an answer of the client; 0 = it never waits."""
    thread_pool_maximum: Annotated[
        int,
        Field(ge=1, le=100_000),
        setting(
            "threads",
            "GlassFish default domain.xml",
            "max-thread-pool-size",
            "Thread pool maximum",
            (1, 400),
            place="thread-pool-1 max-thread-pool-size",
            costs=True,
            where="thread-pools.thread-pool.thread-pool-1",
        ),
    ] = 200
    """Most threads of the pool that runs all MDBs of the instance."""
    pool_resize_quantity: Annotated[
        int,
        Field(ge=0, le=MAX_INT),
        setting(
            "beans",
            CONTAINER,
            "pool-resize-quantity",
            "Pool resize quantity",
            (0, 200),
            place="pool-resize-quantity; old guides print 2",
            sweep=False,
            where="mdb-container",
        ),
    ] = 8
    """Beans by which a container makes a pool smaller. The pool of the message adapter grows one by one and never gets
    smaller, so a rule says that this does nothing for MDBs."""
    pool_idle_timeout: Annotated[
        Duration,
        setting(
            "s",
            CONTAINER,
            "idle-timeout-in-seconds",
            "Pool idle timeout",
            (1, 1800),
            sweep=False,
            unlimited=0,
            where="mdb-container",
        ),
    ] = 600.0
    """Idle time after which a container takes a bean out of a pool; 0 = never. It does nothing for MDBs either."""


class InstanceSettings(Broker, Instance):
    """One GlassFish instance and the broker that it is connected to."""


class Consumer(PlatformParameters):
    """An MDB with its connection factory."""

    bean_pool_maximum: Annotated[
        int | None,
        Field(ge=1, le=MAX_INT),
        setting(
            "beans",
            "GlassFish reference, glassfish-ejb-jar.xml",
            "bean-pool/max-pool-size",
            "Pool size of this MDB",
            (1, 200),
            place="bean-pool max-pool-size",
        ),
    ] = None
    """Pool size of this MDB instead of the instance's; empty = the instance's."""
    consumer_flow_limit: Annotated[
        Unlimited,
        setting(
            "messages",
            ADMIN,
            "imqConsumerFlowLimit",
            "Consumer flow limit of the factory",
            (1, 1000),
            unlimited=-1,
            where="factory",
        ),
    ] = 1000
    """Unconsumed messages that the broker sends ahead to one MDB of one instance; -1 = unlimited. The lower of this
    and the destination's limit counts."""
    destination_consumer_flow_limit: Annotated[
        Unlimited,
        setting(
            "messages",
            ADMIN,
            "consumerFlowLimit",
            "Consumer flow limit of the destination",
            (1, 1000),
            unlimited=-1,
            where="destination",
        ),
    ] = 1000
    """The same limit, set at the physical destination; -1 = unlimited."""
    shared_consumer_flow_limit: Annotated[
        Unlimited,
        setting(
            "messages",
            ADMIN,
            "imq.autocreate.topic.sharedConsumerFlowLimit",
            "Consumer flow limit of shared subscriptions",
            (1, 1000),
            place="sharedConsumerFlowLimit",
            unlimited=-1,
            where="broker",
        ),
    ] = 5
    """The limit of a topic in a cluster, where the instances share one subscription."""
    consumer_flow_threshold: Annotated[
        Percent, setting("%", ADMIN, "imqConsumerFlowThreshold", "Consumer flow threshold", where="factory")
    ] = 50.0
    """Share of the limit that must be left before the broker tops up; set at the connection factory only."""
    prefetch: Annotated[bool, setting("1", ADMIN, "imqConsumerFlowLimitPrefetch", "Prefetch", where="factory")] = True
    """Off: one message at a time, whatever the limits say."""
    round_trip: Annotated[
        Duration, setting("s", OWN_MODEL, "", "Round trip", (0, 0.1), place="round trip", trust="assumed")
    ] = 0.005
    """Time from asking the broker for more messages to their arrival."""


class Redelivery(PlatformParameters):
    """What becomes of messages whose ``onMessage`` fails."""

    failure_mode: Annotated[
        Literal["exception", "rollback"], setting("1", ADAPTER, "", "Failure mode", place="exceptions and rollbacks")
    ] = "exception"
    """How ``onMessage`` fails: by an exception, which the adapter retries in place, or by rolling its transaction
    back, which brings the message back at once."""
    redelivery_attempts: Annotated[
        int,
        Field(ge=0, le=MAX_INT),
        setting("attempts", ADAPTER, "endpointExceptionRedeliveryAttempts", "Redelivery attempts", (0, 20)),
    ] = 1
    """Further deliveries after an exception. GlassFish sets 1; the adapter alone has 6."""
    redelivery_interval: Annotated[
        Duration, setting("s", ADAPTER, "endpointExceptionRedeliveryInterval", "Redelivery interval", (0, 60))
    ] = 0.5
    """Wait before such a delivery; the bean keeps its place in the pool meanwhile. The vendor writes milliseconds."""
    max_consecutive_rollbacks: Annotated[
        int,
        Field(ge=0, le=MAX_INT),
        setting(
            "attempts",
            ADMIN,
            "imq.transaction.message.maxConsecutiveRollbacks",
            "Maximum consecutive rollbacks",
            (1, 20),
            unlimited=0,
            where="broker",
        ),
    ] = 0
    """Rollbacks in a row after which a message goes to the dead message queue; 0 = it comes back for ever."""
    send_undeliverable_to_dmq: Annotated[
        bool, setting("1", ADAPTER, "sendUndeliverableMsgsToDMQ", "Undeliverable messages to the dead message queue")
    ] = True
    """Off: a message whose deliveries are used up goes back to the broker and comes again, to any consumer. The
    simulation lets its bean try for ever."""


class MdbSettings(QueueParameters, Consumers, Redelivery, Destination, Consumer):
    """An MDB, its connection factory and its physical destination."""
