"""Open MQ with GlassFish: settings of an MDB with its connection factory and its physical destination."""

from typing import Annotated, Literal

from pydantic import Field

from simulations.declarations.parameters import PlatformParameters, assumed, held_by, setting
from simulations.declarations.units import Duration, Size
from simulations.platforms.openmq.parameters.instance import Unlimited
from simulations.platforms.openmq.sources import ADAPTER, ADMIN, OWN_MODEL
from simulations.platforms.shared.queues import MAX_INT, AtLeastZero, Percent, QueueParameters

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
        int | None, Field(ge=1, le=MAX_INT), at_pool("beans", "max-pool-size", (1, 200), "Pool size of this MDB")
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
        int,
        Field(ge=-1, le=MAX_INT),
        at_count("producers", "maxNumProducers", (1, 1000), "Maximum number of producers"),
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
        int,
        Field(ge=-1, le=MAX_INT),
        at_count("consumers", "maxNumBackupConsumers", (0, 100), "Maximum backup consumers"),
    ] = 0
    """Further instances that may wait to replace an active one; -1 = any number. All others are refused."""
    use_dmq: Annotated[
        bool, at_destination("1", "useDMQ", title="Use dead message queue", doubt="the default", sweep=False)
    ] = True
    """Whether messages that are dropped are kept on the dead message queue. Off, they are lost; a rule says so, the
    simulated counts are the same."""


class MdbSettings(QueueParameters, Consumer):
    """An MDB, its connection factory and its physical destination."""
