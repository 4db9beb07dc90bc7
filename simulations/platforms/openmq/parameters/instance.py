"""Open MQ with GlassFish: settings of an instance with its connection, and of an MDB with its destination."""

from typing import Annotated, Literal

from pydantic import Field

from simulations.parameters import PlatformParameters, Quantity
from simulations.platforms.openmq.parameters.destination import Broker, Consumers, Destination, Unlimited
from simulations.platforms.openmq.sources import ADAPTER, ADMIN, CONTAINER, FLOW, OWN_MODEL
from simulations.platforms.shared.queues import MAX_INT, Percent, QueueParameters, cited
from simulations.units import Duration


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
        ),
    ] = 32
    """Most instances of one MDB that run in parallel. Old guides print 60 or 64 as the default; the source has 32."""
    steady_pool_size: Annotated[
        int,
        Field(ge=0, le=MAX_INT),
        Quantity(
            "beans", source=cited(CONTAINER, "steady-pool-size"), native="steady-pool-size", title="Steady pool size"
        ),
    ] = 1
    """Instances kept ready in the pool. It has no influence on capacity: the pool grows at once."""
    connection_flow_limit_enabled: Annotated[
        bool,
        Quantity(
            "1",
            source=cited(ADMIN, "imqConnectionFlowLimitEnabled"),
            native="imqConnectionFlowLimitEnabled",
            title="Connection flow limit enabled",
            sweep=True,
        ),
    ] = False
    """Whether the connection has a limit of its own, beside that of each consumer."""
    connection_flow_limit: Annotated[
        int,
        Field(ge=1, le=MAX_INT),
        Quantity(
            "messages",
            source=cited(ADMIN, "imqConnectionFlowLimit"),
            native="imqConnectionFlowLimit",
            title="Connection flow limit",
            sweep=True,
        ),
    ] = 1000
    """Unconsumed messages on the connection at which delivery stops; it goes on below. Only when enabled."""
    connection_flow_count: Annotated[
        int,
        Field(ge=0, le=MAX_INT),
        Quantity(
            "messages",
            source=cited(ADMIN, "imqConnectionFlowCount"),
            native="imqConnectionFlowCount",
            title="Connection flow count",
            sweep=True,
        ),
    ] = 100
    """Messages after which the broker waits for an answer of the client; 0 = it never waits."""
    thread_pool_maximum: Annotated[
        int,
        Field(ge=1, le=100_000),
        Quantity(
            "threads",
            source=cited("GlassFish default domain.xml", "thread-pool-1 max-thread-pool-size"),
            native="max-thread-pool-size",
            title="Thread pool maximum",
            sweep=True,
        ),
    ] = 200
    """Most threads of the pool that runs all MDBs of the instance."""
    pool_resize_quantity: Annotated[
        int,
        Field(ge=0, le=MAX_INT),
        Quantity(
            "beans",
            source=cited(CONTAINER, "pool-resize-quantity; old guides print 2"),
            native="pool-resize-quantity",
            title="Pool resize quantity",
        ),
    ] = 8
    """Beans by which a container makes a pool smaller. The pool of the message adapter grows one by one and never gets
    smaller, so a rule says that this does nothing for MDBs."""
    pool_idle_timeout: Annotated[
        Duration,
        Quantity(
            "s",
            source=cited(CONTAINER, "idle-timeout-in-seconds"),
            native="idle-timeout-in-seconds",
            title="Pool idle timeout",
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
        Quantity(
            "beans",
            source=cited("GlassFish reference, glassfish-ejb-jar.xml", "bean-pool max-pool-size"),
            native="bean-pool/max-pool-size",
            title="Pool size of this MDB",
            sweep=True,
        ),
    ] = None
    """Pool size of this MDB instead of the instance's; empty = the instance's."""
    consumer_flow_limit: Annotated[
        Unlimited,
        Quantity(
            "messages",
            source=cited(ADMIN, "imqConsumerFlowLimit"),
            native="imqConsumerFlowLimit",
            title="Consumer flow limit of the factory",
            sweep=True,
        ),
    ] = 1000
    """Unconsumed messages that the broker sends ahead to one MDB of one instance; -1 = unlimited. The lower of this
    and the destination's limit counts."""
    destination_consumer_flow_limit: Annotated[
        Unlimited,
        Quantity(
            "messages",
            source=cited(ADMIN, "consumerFlowLimit"),
            native="consumerFlowLimit",
            title="Consumer flow limit of the destination",
            sweep=True,
        ),
    ] = 1000
    """The same limit, set at the physical destination; -1 = unlimited."""
    shared_consumer_flow_limit: Annotated[
        Unlimited,
        Quantity(
            "messages",
            source=cited(ADMIN, "sharedConsumerFlowLimit"),
            native="imq.autocreate.topic.sharedConsumerFlowLimit",
            title="Consumer flow limit of shared subscriptions",
            sweep=True,
        ),
    ] = 5
    """The limit of a topic in a cluster, where the instances share one subscription."""
    consumer_flow_threshold: Annotated[
        Percent,
        Quantity(
            "%",
            source=cited(ADMIN, "imqConsumerFlowThreshold"),
            native="imqConsumerFlowThreshold",
            title="Consumer flow threshold",
            sweep=True,
        ),
    ] = 50.0
    """Share of the limit that must be left before the broker tops up; set at the connection factory only."""
    prefetch: Annotated[
        bool,
        Quantity(
            "1",
            source=cited(ADMIN, "imqConsumerFlowLimitPrefetch"),
            native="imqConsumerFlowLimitPrefetch",
            title="Prefetch",
            sweep=True,
        ),
    ] = True
    """Off: one message at a time, whatever the limits say."""
    round_trip: Annotated[
        Duration,
        Quantity("s", source=cited(OWN_MODEL, "round trip"), title="Round trip", sweep=True, trust="assumed"),
    ] = 0.005
    """Time from asking the broker for more messages to their arrival."""


class Redelivery(PlatformParameters):
    """What becomes of messages whose ``onMessage`` fails."""

    failure_mode: Annotated[
        Literal["exception", "rollback"],
        Quantity("1", source=cited(ADAPTER, "exceptions and rollbacks"), title="Failure mode", sweep=True),
    ] = "exception"
    """How ``onMessage`` fails: by an exception, which the adapter retries in place, or by rolling its transaction
    back, which brings the message back at once."""
    redelivery_attempts: Annotated[
        int,
        Field(ge=0, le=MAX_INT),
        Quantity(
            "attempts",
            source=cited(ADAPTER, "endpointExceptionRedeliveryAttempts"),
            native="endpointExceptionRedeliveryAttempts",
            title="Redelivery attempts",
            sweep=True,
        ),
    ] = 1
    """Further deliveries after an exception. GlassFish sets 1; the adapter alone has 6."""
    redelivery_interval: Annotated[
        Duration,
        Quantity(
            "s",
            source=cited(ADAPTER, "endpointExceptionRedeliveryInterval"),
            native="endpointExceptionRedeliveryInterval",
            title="Redelivery interval",
            sweep=True,
        ),
    ] = 0.5
    """Wait before such a delivery; the bean keeps its place in the pool meanwhile. The vendor writes milliseconds."""
    max_consecutive_rollbacks: Annotated[
        int,
        Field(ge=0, le=MAX_INT),
        Quantity(
            "attempts",
            source=cited(ADMIN, "imq.transaction.message.maxConsecutiveRollbacks"),
            native="imq.transaction.message.maxConsecutiveRollbacks",
            title="Maximum consecutive rollbacks",
            sweep=True,
        ),
    ] = 0
    """Rollbacks in a row after which a message goes to the dead message queue; 0 = it comes back for ever."""
    send_undeliverable_to_dmq: Annotated[
        bool,
        Quantity(
            "1",
            source=cited(ADAPTER, "sendUndeliverableMsgsToDMQ"),
            native="sendUndeliverableMsgsToDMQ",
            title="Undeliverable messages to the dead message queue",
            sweep=True,
        ),
    ] = True
    """Off: a message whose deliveries are used up goes back to the broker and comes again, to any consumer. The
    simulation lets its bean try for ever."""


class MdbSettings(QueueParameters, Consumers, Redelivery, Destination, Consumer):
    """An MDB, its connection factory and its physical destination."""
