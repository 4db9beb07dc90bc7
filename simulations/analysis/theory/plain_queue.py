"""A queue reduced to the numbers that formulas know, where its network is plain enough for them."""

from dataclasses import dataclass

from simulations.analysis.theory.laws import arrival_cv2, arrival_rate, is_poisson, law_cv2, law_mean
from simulations.analysis.theory.throttle import window_mean_busy
from simulations.engine.network import model

UNCOVERED = (
    *("background", "poller", "pipeline", "transaction", "timeouts", "quota", "flow", "downstream"),
    *("failure_rate", "poison_rate", "outage", "absence", "urgent_share", "search"),
)
"""What a stream must not have, because no formula here covers it."""


@dataclass(frozen=True)
class PlainQueue:
    """One queue with its own threads. ``rate`` is None when it is never empty; ``surge`` messages come at ``surge_at``.

    ``cpu_share`` is 0 when the threads never compete for a CPU. ``high`` and ``low`` are the marks of its gate or
    credit window; without one they are such that they never bind.
    """

    rate: float | None
    poisson: bool
    arrival_cv2: float
    interval: model.Law | None
    service: float
    service_cv2: float
    kind: model.LawKind
    threads: int
    cpus: int
    cpu_share: float
    high: int
    low: int
    is_gate: bool
    surge: int = 0
    surge_at: float = 0.0

    @property
    def gate_never_binds(self) -> bool:
        """Whether a thread never idles while messages are held back: all but the thread just freed have work."""
        return min(self.low, self.high - 1) >= self.threads - 1

    @property
    def markov(self) -> bool:
        """Whether arrivals are Poisson and service exponential, with no CPU to share."""
        return self.kind is model.LawKind.EXPONENTIAL and self.poisson and self.cpu_share == 0

    @property
    def capacity(self) -> float:
        """Largest throughput per second; an estimate unless ``capacity_is_exact``."""
        by_threads = window_mean_busy(self.high, self.low, self.threads) / self.service
        if self.cpu_share == 0:
            return by_threads
        return min(by_threads, self.cpus / (self.cpu_share * self.service))

    @property
    def capacity_is_exact(self) -> bool:
        """Whether ``capacity`` is exact: no CPU to share, and service exponential where the window binds."""
        return self.cpu_share == 0 and (self.gate_never_binds or self.kind is model.LawKind.EXPONENTIAL)


def plain_queue(network: model.NetworkSpec, index: int) -> PlainQueue | None:
    """Return queue ``index`` in plain numbers, or None when its network is richer than any formula."""
    stream = network.streams[index]
    pool = network.pools[stream.pool]
    machine = network.machine(stream.pool)
    alone = sum(network.machine(other.pool) == machine for other in network.streams) == 1
    variation = arrival_cv2(stream.arrivals)
    chained = network.senders(index) or any(network.streams[send.stream].quota for send in stream.sends)
    if not (alone and _is_plain(stream) and _is_steady(pool)) or variation is None or chained:
        return None
    threads = min(pool.threads, stream.concurrency or pool.threads)
    high, low = _marks(stream, threads)
    surge = stream.arrivals.kind is model.ArrivalKind.SURGE
    return PlainQueue(
        rate=stream.arrivals.rate if surge else arrival_rate(stream.arrivals),
        poisson=is_poisson(stream.arrivals),
        arrival_cv2=variation,
        interval=_interval(stream.arrivals),
        service=law_mean(stream.service),
        service_cv2=law_cv2(stream.service),
        kind=stream.service.kind,
        threads=threads,
        cpus=pool.cpus,
        cpu_share=stream.cpu_share if threads > pool.cpus else 0.0,
        high=high,
        low=low,
        is_gate=stream.gate is not None,
        surge=stream.arrivals.count if surge else 0,
        surge_at=stream.arrivals.start if surge else 0.0,
    )


def _is_plain(stream: model.Stream) -> bool:
    if any(getattr(stream, name) for name in UNCOVERED) or stream.constraint or law_mean(stream.service) <= 0:
        return False
    gate, window = stream.gate, stream.window
    if gate is not None:
        return window is None and gate.agent_time == 0
    return window is None or not (window.round_trip or window.connection_limit or window.connection_count)


def _is_steady(pool: model.Pool) -> bool:
    at_once = pool.growth in {model.PoolGrowth.FIXED, model.PoolGrowth.INSTANT}
    complete = pool.servants_min == pool.servants_max and pool.growth is not model.PoolGrowth.HISTORY
    return pool.instances == 1 and (at_once or complete) and pool.outage is None and pool.queue_capacity == 0


def _interval(arrivals: model.ArrivalSpec) -> model.Law | None:
    """The distribution of the independent intervals, where arrivals have one."""
    if arrivals.kind is model.ArrivalKind.CONSTANT:
        return model.Law(model.LawKind.CONSTANT, 1 / arrivals.rate)
    return arrivals.law if arrivals.kind is model.ArrivalKind.RENEWAL else None


def _marks(stream: model.Stream, threads: int) -> tuple[int, int]:
    if stream.gate is not None:
        return stream.gate.high, stream.gate.low
    if stream.window is not None:
        return stream.window.limit, min(stream.window.threshold, stream.window.limit)
    return threads, threads - 1
