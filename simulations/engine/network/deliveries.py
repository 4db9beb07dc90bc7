"""What destinations, deliveries and servers are subject to: transactions, timeouts, quotas, resources, outages."""

from dataclasses import dataclass
from enum import IntEnum


@dataclass(frozen=True)
class Transaction:
    """Commit cost and limits. ``lifetime`` counts from the begin (EAGER: with the wait in receive()); 0 = none."""

    batch: int = 1
    commit_time: float = 0.0
    lifetime: float = 0.0


@dataclass(frozen=True)
class Outage:
    """Something is away from ``start`` on for ``duration``, in seconds."""

    start: float
    duration: float


class Exhausted(IntEnum):
    """What happens to a message whose deliveries are used up."""

    DEAD_LETTER = 0
    DROP = 1
    STOP_STREAM = 2  # the listener stops; the message stays


@dataclass(frozen=True)
class Redelivery:
    """After a failed delivery: back to the destination after ``delay``; ``limit`` failed deliveries end it (0 = none).
    ``in_place``: the retry keeps its thread during the delay."""

    delay: float = 0.0
    limit: int = 0
    exhausted: Exhausted = Exhausted.DEAD_LETTER
    in_place: bool = False


class TimeoutAction(IntEnum):
    """What a dispatch timeout does."""

    INTERRUPT = 0  # this delivery ends at the timeout and is redelivered
    RESTART_SERVANT = 1  # everything in that servant is lost; the servant comes back after servant_start_time


@dataclass(frozen=True)
class Timeouts:
    """z/OS MDB timeouts, seconds from queueing the work record; 0 = none."""

    queue: float = 0.0
    dispatch: float = 0.0
    action: TimeoutAction = TimeoutAction.INTERRUPT


class LimitBehaviour(IntEnum):
    """What a full destination does with the next message."""

    REJECT_NEWEST = 0
    REMOVE_OLDEST = 1
    REMOVE_LOW_PRIORITY = 2
    FLOW_CONTROL = 3
    BLOCK_FIFO = 4  # senders wait up to send_timeout, strictly in order
    BLOCK_PREEMPTIVE = 5  # senders wait; one that fits may pass


@dataclass(frozen=True)
class Quota:
    """Bounds of a destination; 0 = none. FLOW_CONTROL: ``producer_batch`` and ``producer_bytes`` of each producer."""

    messages: int = 0
    bytes: float = 0.0
    behaviour: LimitBehaviour = LimitBehaviour.REJECT_NEWEST
    send_timeout: float = 0.0
    producer_batch: int = 0
    producer_bytes: float = 0.0
    one_way_window: int = 1


@dataclass(frozen=True)
class Thresholds:
    """What a destination, or a store of several, holds at most before it arms flow control, and before it disarms it.
    Messages and bytes of all streams that name a store count together; 0 = off."""

    messages_high: int = 0
    messages_low: int = 0
    bytes_high: float = 0.0
    bytes_low: float = 0.0


@dataclass(frozen=True)
class FlowControl:
    """Producer flow control: armed and disarmed by the destination's own ``marks``, and by those of its store.

    The limit of each producer decays geometrically from ``maximum`` to ``minimum`` (messages per second) in ``steps``
    evaluations over ``interval`` seconds while armed, and climbs linearly otherwise. A producer is closed after
    ``messages_per_producer`` messages (0 = never), and a new one without a limit takes its place.
    """

    maximum: float
    minimum: float
    interval: float
    steps: int
    marks: Thresholds = Thresholds()
    messages_per_producer: int = 0


@dataclass(frozen=True)
class Downstream:
    """A resource (for example a JDBC pool) that the last ``share`` of the service must hold, per instance."""

    resource: int
    share: float


@dataclass(frozen=True)
class Constraint:
    """A shared object of a pool: at least ``minimum`` and at most ``maximum`` threads for the streams that name it.

    ``capacity`` bounds queued plus running work of those streams; beyond it new work is rejected. 0 = no bound.
    All of it per instance.
    """

    minimum: int = 0
    maximum: int = 0
    capacity: int = 0


@dataclass(frozen=True)
class Send:
    """What a committed message sends to the stream with the index ``stream``: the mean number of ``messages``. Each
    sends the whole number below the mean, and one more with the probability of the rest."""

    stream: int
    messages: float = 1.0


class Copies(IntEnum):
    """Topics: who gets a copy."""

    ONE = 0  # a queue, or one copy per application
    PER_INSTANCE = 1  # every instance gets each message
