"""Open MQ with GlassFish: settings of an instance with its broker, and of an MDB with its factory and destination."""

from typing import Annotated, Literal

from pydantic import BeforeValidator, Field

from simulations.declarations.parameters import PlatformParameters, assumed, held_by, setting
from simulations.declarations.units import Duration, Size
from simulations.platforms.openmq.sources import ADAPTER, ADMIN, CONTAINER, FLOW, OWN_MODEL
from simulations.platforms.shared.outages import ServerOutage
from simulations.platforms.shared.queues import MAX_INT, AtLeastOne, AtLeastZero, CountOrAny, Percent, QueueParameters

at_factory, at_broker = held_by(ADMIN, "factory"), held_by(ADMIN, "broker")
at_container = held_by(CONTAINER, "mdb-container")
at_reconnect = held_by(f"{CONTAINER}, properties for reconnecting MDBs", "mdb-container.property")
at_thread_pool = held_by("GlassFish default domain.xml, thread-pool-1", "thread-pools.thread-pool.thread-pool-1")
Unlimited = Annotated[int, BeforeValidator(lambda value: -1 if value == 0 else value), Field(ge=-1, le=MAX_INT)]
"""A count; -1 and 0 both mean unlimited and are kept as -1."""


class InstanceSettings(PlatformParameters):
    """One GlassFish instance and the broker that it is connected to."""

    max_pool_size: Annotated[
        AtLeastOne,
        at_container(
            "beans", "max-pool-size", (1, 200), "Maximum pool size", place=f"max-pool-size; {FLOW}: pool of 32"
        ),
    ] = 32
    """Most instances of one MDB that run in parallel. Old guides print 60 or 64 as the default; the source has 32."""
    steady_pool_size: Annotated[AtLeastZero, at_container("beans", "steady-pool-size", (0, 200), sweep=False)] = 1
    """Instances kept ready in the pool. It has no influence on capacity: the pool grows at once."""
    connection_flow_limit_enabled: Annotated[bool, at_factory("1", "imqConnectionFlowLimitEnabled")] = False
    """Whether the connection has a limit of its own, beside that of each consumer."""
    connection_flow_limit: Annotated[AtLeastOne, at_factory("messages", "imqConnectionFlowLimit", (1, 1000))] = 1000
    """Unconsumed messages on the connection at which delivery stops; it goes on below. Only when enabled."""
    connection_flow_count: Annotated[AtLeastZero, at_factory("messages", "imqConnectionFlowCount", (0, 1000))] = 100
    """Messages after which the broker waits for an answer of the client; 0 = it never waits."""
    thread_pool_maximum: Annotated[
        int, Field(ge=1, le=100_000), at_thread_pool("threads", "max-thread-pool-size", (1, 400), costs=True)
    ] = 200
    """Most threads of the pool that runs all MDBs of the instance."""
    pool_resize_quantity: Annotated[
        AtLeastZero,
        at_container(
            "beans", "pool-resize-quantity", (0, 200), place="pool-resize-quantity; old guides print 2", sweep=False
        ),
    ] = 8
    """Beans by which a container makes a pool smaller. The pool of the message adapter grows one by one and never gets
    smaller, so a rule says that this does nothing for MDBs."""
    pool_idle_timeout: Annotated[
        Duration, at_container("s", "idle-timeout-in-seconds", (1, 1800), sweep=False, unlimited=0)
    ] = 600.0
    """Idle time after which a container takes a bean out of a pool; 0 = never. It does nothing for MDBs either."""
    broker_max_count: Annotated[
        Unlimited,
        at_broker("messages", "imq.system.max_count", (100, 10_000_000), "Most messages of the broker", unlimited=-1),
    ] = -1
    """Messages that the broker holds on all its destinations together; -1 = unlimited. Beyond, persistent messages are
    refused and others vanish. Simulated where the scenario has one destination; several are only compared by a rule."""
    broker_max_size: Annotated[
        Size, at_broker("B", "imq.system.max_size", (100_000, 100_000_000_000), "Most bytes of the broker", unlimited=0)
    ] = 0.0
    """The same limit in bytes; 0 = unlimited."""
    reconnect_enabled: Annotated[bool, at_reconnect("1", "reconnect-enabled")] = False
    """Whether the container connects MDBs again after the broker was away."""
    reconnect_delay: Annotated[Duration, at_reconnect("s", "reconnect-delay-in-seconds", (0, 300))] = 60.0
    """Wait before each such try; an outage of the broker lasts for MDBs until one. With their number it gives the
    longest outage that they survive."""
    reconnect_retries: Annotated[AtLeastZero, at_reconnect("attempts", "reconnect-max-retries", (0, 100))] = 60
    """Tries to connect again before the container gives up."""
    outage: Annotated[ServerOutage | None, assumed("1", OWN_MODEL, place="outages", sweep=False)] = None
    """A time in which instances or their broker are away: what runs is rolled back, and what is held goes back to the
    destinations, where other instances take it. Never when empty."""


at_factory, at_destination = held_by(ADMIN, "factory"), held_by(ADMIN, "destination")
at_count, at_size = held_by(ADMIN, "destination", unlimited=-1), held_by(ADMIN, "destination", unlimited=0)
at_rollbacks = held_by(ADMIN, "broker", unlimited=0)
at_pool = held_by("GlassFish reference, glassfish-ejb-jar.xml, bean-pool", "ejb/bean-pool")
at_shared = held_by(ADMIN, "broker", place="sharedConsumerFlowLimit", unlimited=-1)
at_adapter = held_by(ADAPTER, "activation-config")
Behaviour = Literal["REJECT_NEWEST", "REMOVE_OLDEST", "REMOVE_LOW_PRIORITY", "FLOW_CONTROL"]


class Consumer(PlatformParameters):
    """An MDB with its connection factory, the limits of its destination, and what becomes of messages that fail."""

    bean_pool_maximum: Annotated[
        AtLeastOne | None, at_pool("beans", "max-pool-size", (1, 200), "Pool size of this MDB")
    ] = None
    """Pool size of this MDB instead of the instance's; empty = the instance's."""
    consumer_flow_limit: Annotated[
        Unlimited,
        at_factory("messages", "imqConsumerFlowLimit", (1, 1000), "Consumer flow limit of the factory", unlimited=-1),
    ] = 1000
    """Unconsumed messages that the broker sends ahead to one MDB of one instance; -1 = unlimited. The lower of this
    and the destination's limit counts."""
    destination_consumer_flow_limit: Annotated[
        Unlimited, at_count("messages", "consumerFlowLimit", (1, 1000), "Consumer flow limit of the destination")
    ] = 1000
    """The same limit, set at the physical destination; -1 = unlimited."""
    shared_consumer_flow_limit: Annotated[
        Unlimited,
        at_shared(
            "messages",
            "imq.autocreate.topic.sharedConsumerFlowLimit",
            (1, 1000),
            "Consumer flow limit of shared subscriptions",
        ),
    ] = 5
    """The limit of a topic in a cluster, where the instances share one subscription."""
    consumer_flow_threshold: Annotated[Percent, at_factory("%", "imqConsumerFlowThreshold")] = 50.0
    """Share of the limit that must be left before the broker tops up; set at the connection factory only."""
    prefetch: Annotated[bool, at_factory("1", "imqConsumerFlowLimitPrefetch")] = True
    """Off: one message at a time, whatever the limits say."""
    round_trip: Annotated[Duration, assumed("s", OWN_MODEL, (0, 0.1), place="round trip")] = 0.005
    """Time from asking the broker for more messages to their arrival."""
    messages_per_commit: Annotated[
        AtLeastOne, assumed("messages", OWN_MODEL, (1, 100), place="acknowledgment of several messages")
    ] = 1
    """Messages that are acknowledged or committed together, fewer where no more are at hand: 1 as by a bean, more by a
    client's own session. Until then they count against the flow limits; a failure brings all of them back."""
    max_num_msgs: Annotated[
        Unlimited, at_count("messages", "maxNumMsgs", (100, 10_000_000), "Maximum number of messages")
    ] = -1
    """Unconsumed messages that the destination holds; -1 = unlimited (auto-created destinations: 100000)."""
    max_total_msg_bytes: Annotated[
        Size, at_size("B", "maxTotalMsgBytes", (100_000, 100_000_000_000), "Maximum total message bytes")
    ] = 0.0
    """Bytes of unconsumed messages that the destination holds; 0 = unlimited (auto-created destinations: 10 MB)."""
    limit_behavior: Annotated[Behaviour, at_destination("1", "limitBehavior")] = "REJECT_NEWEST"
    """What a full destination does: refuse the newest, drop the oldest or the least important message, or slow the
    producers down."""
    max_num_producers: Annotated[
        CountOrAny, at_count("producers", "maxNumProducers", (1, 1000), "Maximum number of producers")
    ] = 100
    """Producers that may be connected, -1 = any number; it also divides the room among them when producers are slowed
    down."""
    failure_mode: Annotated[
        Literal["exception", "rollback"], setting("1", ADAPTER, "", place="exceptions and rollbacks")
    ] = "exception"
    """How ``onMessage`` fails: by an exception, which the adapter retries in place, or by rolling its transaction
    back, which brings the message back at once."""
    redelivery_attempts: Annotated[
        AtLeastZero, at_adapter("attempts", "endpointExceptionRedeliveryAttempts", (0, 20))
    ] = 1
    """Further deliveries after an exception. GlassFish sets 1; the adapter alone has 6."""
    redelivery_interval: Annotated[
        Duration, at_adapter("s", "endpointExceptionRedeliveryInterval", (0, 60), factor=1000)
    ] = 0.5
    """Wait before such a delivery; the bean keeps its place in the pool meanwhile. The vendor writes milliseconds."""
    max_consecutive_rollbacks: Annotated[
        AtLeastZero,
        at_rollbacks(
            "attempts", "imq.transaction.message.maxConsecutiveRollbacks", (1, 20), "Maximum consecutive rollbacks"
        ),
    ] = 0
    """Rollbacks in a row after which a message goes to the dead message queue; 0 = it comes back for ever."""
    send_undeliverable_to_dmq: Annotated[
        bool, at_adapter("1", "sendUndeliverableMsgsToDMQ", title="Undeliverable messages to the dead message queue")
    ] = True
    """Off: a message whose deliveries are used up goes back to the broker and comes again, to any consumer. The
    simulation lets its bean try for ever."""
    max_bytes_per_msg: Annotated[
        Size, at_size("B", "maxBytesPerMsg", (1000, 100_000_000), "Maximum bytes per message")
    ] = 0.0
    """Size above which one message is refused; 0 = unlimited (auto-created destinations: 10 kB). A rule compares it
    with the declared sizes; the simulation lets every message in."""
    max_active_consumers: Annotated[
        Unlimited, at_count("consumers", "maxNumActiveConsumers", (1, 100), "Maximum active consumers")
    ] = -1
    """Instances of the cluster that get messages of a queue, one consumer each; -1 = all. Simulated where the MDB is
    alone on its server."""
    max_backup_consumers: Annotated[
        CountOrAny, at_count("consumers", "maxNumBackupConsumers", (0, 100), "Maximum backup consumers")
    ] = 0
    """Further instances that may wait to replace an active one; -1 = any number. All others are refused. The simulation
    lets none take over."""
    use_dmq: Annotated[
        bool, at_destination("1", "useDMQ", title="Use dead message queue", doubt="the default", sweep=False)
    ] = True
    """Whether messages that are dropped are kept on the dead message queue. Off, they are lost; a rule says so, the
    simulated counts are the same."""


class MdbSettings(QueueParameters, Consumer):
    """An MDB, its connection factory and its physical destination."""
