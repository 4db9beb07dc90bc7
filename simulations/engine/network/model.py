"""What the engine simulates: pools of threads and the streams of messages that use them, in seconds and counts.

A platform's ``mapping.py`` writes this value; None or 0 switches a mechanism off, and what is off costs nothing.
The engine packs it into arrays (``engine.packing``) before it calls the compiled loop. Here too is what
``network.deliveries`` declares.
"""

from dataclasses import dataclass, field
from enum import IntEnum

from simulations.engine.network.deliveries import Constraint, Copies, Downstream, Exhausted, FlowControl, LimitBehaviour
from simulations.engine.network.deliveries import Outage, Quota, Redelivery, Send, Thresholds, TimeoutAction, Timeouts
from simulations.engine.network.deliveries import Transaction


class LawKind(IntEnum):
    """Distributions of durations. ``a``, ``b``, ``c`` are the kind's own parameters, given at each member."""

    CONSTANT = 0  # a = value
    EXPONENTIAL = 1  # a = mean
    LOGNORMAL = 2  # a = mean of log, b = standard deviation of log
    GAMMA = 3  # a = shape, b = scale
    WEIBULL = 4  # a = shape, b = scale
    HYPEREXPONENTIAL = 5  # a = probability of phase 1, b = mean of phase 1, c = mean of phase 2
    EMPIRICAL = 6  # values = equally likely values


@dataclass(frozen=True)
class Law:
    """A distribution of durations in seconds, or of sizes in bytes."""

    kind: LawKind
    a: float = 0.0
    b: float = 0.0
    c: float = 0.0
    values: tuple[float, ...] = ()


class ArrivalKind(IntEnum):
    """How messages arrive; rates are per second, all producers together."""

    POISSON = 0  # rate
    CONSTANT = 1  # rate
    RENEWAL = 2  # law
    ON_OFF = 3  # rate while on, rate_off, mean_on, mean_off
    SURGE = 4  # count at start, then Poisson with rate
    PERIODIC = 5  # count every period seconds, first at 0
    PROFILE = 6  # instants, rates: piecewise linear, repeated with the period instants[-1]
    TRACE = 7  # instants, sizes
    SATURATED = 8  # the destination is never empty; message k arrives when it is taken
    NONE = 9  # nothing but what other streams send


@dataclass(frozen=True)
class ArrivalSpec:
    """The arrivals of one stream."""

    kind: ArrivalKind
    rate: float = 0.0
    rate_off: float = 0.0
    mean_on: float = 0.0
    mean_off: float = 0.0
    count: int = 0
    start: float = 0.0
    period: float = 0.0
    law: Law | None = None
    instants: tuple[float, ...] = ()
    rates: tuple[float, ...] = ()
    sizes: tuple[float, ...] = ()


class Dispatch(IntEnum):
    """Who gets a free thread."""

    FIFO = 0  # oldest prepared message first
    THREAD_TIME = 1  # least thread time divided by weight first
    NEXT_THREAD = 2  # a lottery with the weights


class PoolGrowth(IntEnum):
    """How the number of threads follows the work."""

    FIXED = 0  # servants_max x threads_per_servant from the start
    INSTANT = 1  # a thread whenever one is needed, up to the maximum
    HISTORY = 2  # hill climbing on throughput every ``growth_interval``
    SERVANTS = 3  # servants_min at the start, one more after ``servant_start_time`` while work waits


@dataclass(frozen=True)
class Pool:
    """The threads and CPUs of one server; ``instances`` equal members of it."""

    instances: int = 1
    cpus: int = 1
    threads_per_servant: int = 1
    servants_min: int = 1
    servants_max: int = 1
    servant_start_time: float = 0.0
    dispatch: Dispatch = Dispatch.FIFO
    growth: PoolGrowth = PoolGrowth.FIXED
    growth_interval: float = 2.0
    constraints: tuple[Constraint, ...] = ()
    queue_capacity: int = 0
    """Prepared messages of all gates together beyond which an instance fails; 0 = it never does."""
    restart_time: float = 0.0
    """Seconds until an instance that failed works again."""
    outage: Outage | None = None
    """When instances are away, with all that they hold."""
    outage_instances: int = 0
    """How many of them are, the first ones; 0 = all."""
    host: int | None = None
    """Index of the pool whose CPUs and downstream resources its members use, each those of its counterpart there; None
    = they have their own."""

    @property
    def threads(self) -> int:
        """Threads of one instance when all servants run."""
        return self.threads_per_servant * self.servants_max


@dataclass(frozen=True)
class Gate:
    """Hysteresis gate before the prepared queue, per instance: closes at ``high`` in flight, opens at ``low``.

    ``agent_time``: seconds of one serial agent per message that passes. A message is in flight from the end of that
    time, or from its start (``from_start``).
    """

    high: int
    low: int
    agent_time: float = 0.0
    from_start: bool = False


@dataclass(frozen=True)
class Window:
    """Credit window per consumer: ``limit`` granted, asked again when pending <= ``threshold``.

    ``round_trip``: seconds from the request to the delivery. ``connection_limit`` (0 = off) bounds the pending
    messages of the connection; after each ``connection_count`` messages (0 = off) the broker waits for an answer.
    """

    limit: int
    threshold: int
    round_trip: float = 0.0
    connection_limit: int = 0
    connection_count: int = 0


class PollerKind(IntEnum):
    """How threads find messages on the destination."""

    EAGER = 0  # all sessions hold a thread and wait inside receive() (non-ASF)
    ON_MESSAGE = 1  # a thread is taken only when a message is there (ASF)
    TOKEN = 2  # one poller stays; each received message may wake one more
    LEGACY = 3  # pollers are added one per poll cycle and stay


@dataclass(frozen=True)
class Poller:
    """Synchronous consumption, per instance. ``sessions`` bounds the parallel pollers."""

    kind: PollerKind
    sessions: int
    receive_timeout: float = 0.0  # a transaction's longest wait; 0 = it begins with the message
    interval: float = 0.0


@dataclass(frozen=True)
class Stream:
    """One destination with its MDB (or, with ``background``, other work that enters the thread queue directly)."""

    name: str
    pool: int
    arrivals: ArrivalSpec
    service: Law
    cpu_share: float = 0.0
    background: bool = False
    producers: int = 1
    message_size: float = 1000.0
    size_law: Law | None = None
    """Distribution of the bytes of a message, with the mean ``message_size``; None = all have that size."""
    concurrency: int = 0
    """Parallel ``onMessage`` per instance; 0 = as many as threads."""
    weight: float = 1.0
    """Fair share among the streams of the pool."""
    goal: float = 0.0
    """Response-time goal in seconds; 0 = none (the weight counts)."""
    constraint: tuple[int, ...] = ()
    """Indices into the pool's constraints."""
    gate: Gate | None = None
    window: Window | None = None
    poller: Poller | None = None
    pipeline: int = 0
    """Messages prefetched behind each parallel ``onMessage``; 0 = off."""
    transaction: Transaction | None = None
    timeouts: Timeouts | None = None
    redelivery: Redelivery = field(default_factory=Redelivery)
    quota: Quota | None = None
    flow: FlowControl | None = None
    store: int | None = None
    """Index of the store whose thresholds count the stream's messages, beside those of its own ``flow``."""
    downstream: Downstream | None = None
    copies: Copies = Copies.ONE
    failure_rate: float = 0.0
    """Probability that a delivery fails at the end of ``onMessage``."""
    poison_rate: float = 0.0
    """Probability that a message fails at every delivery."""
    loss_rate: float = 0.0
    """Probability that a failed delivery outside transactions was acknowledged all the same: its message is lost."""
    urgent_share: float = 0.0
    """Share of messages that have a higher priority: their destination gives them out first."""
    search: Law | None = None
    """Distribution of the seconds on its thread before each delivery in which messages that do not suit are passed
    over; None = none."""
    outage: Outage | None = None
    """When something is away without which every delivery fails at the end of ``onMessage``."""
    absence: Outage | None = None
    """When its consumers are without their broker: what they hold goes back, and they take nothing."""
    sends: tuple[Send, ...] = ()
    """What goes on to other streams with the commit of each message."""


@dataclass(frozen=True)
class Horizon:
    """When a replication ends: after ``messages`` outcomes, at ``time`` seconds, or when everything is ``drained``."""

    messages: int = 0
    time: float = 0.0
    drained: bool = False


@dataclass(frozen=True)
class NetworkSpec:
    """Everything one replication needs besides its random streams. ``resources``: sizes of downstream resources."""

    pools: tuple[Pool, ...]
    streams: tuple[Stream, ...]
    horizon: Horizon
    resources: tuple[int, ...] = ()
    stores: tuple[Thresholds, ...] = ()

    def machine(self, pool: int) -> int:
        """Return the pool whose CPUs and downstream resources the threads of ``pool`` use."""
        host = self.pools[pool].host
        return pool if host is None else host

    def receivers(self, stream: Stream) -> int:
        """Return how many instances get each message of the stream, and so how often it is counted as arrived."""
        return self.pools[stream.pool].instances if stream.copies is Copies.PER_INSTANCE else 1

    def senders(self, target: int) -> tuple[tuple[int, Send], ...]:
        """Return the streams, by index, that send to the stream ``target``, each with what it sends."""
        sent = ((q, send) for q, spec in enumerate(self.streams) for send in spec.sends)
        return tuple((q, send) for q, send in sent if send.stream == target)
