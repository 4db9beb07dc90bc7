"""The stations of one lane: what the engine simulates there, and what its answer says of it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from frontend.answers.mechanism.model import Look, Reading, Segment, Station
from frontend.wording.numbers import counted, plain
from simulations.analysis.estimates.summary import Estimate, PointSummary
from simulations.engine.network.model import ArrivalKind, PollerKind, Pool, Stream

MOST_CELLS = 40
"""Threads that are drawn one by one."""
MOST_MEMBERS = 8
"""Members of a cluster that are drawn side by side."""
LOSSES = {
    "timeouts.queue": "timed out in wait",
    "timeouts.dispatch": "timed out at work",
    "rollbacks": "rolled back",
    "dead_letters": "dead",
    "rejected": "refused",
    "dropped": "dropped",
}
"""Ways to end or to come back, each a number per replication."""
FAINT = 0.05
"""Mean number of messages below which a place counts as empty."""


@dataclass(frozen=True)
class Path:
    """One lane as the engine sees it. ``arrivals``: in words; ``server``: its name; ``platform``: the family's name."""

    stream: Stream
    pool: Pool
    arrivals: str
    server: str
    platform: str
    summary: PointSummary | None

    @property
    def metrics(self) -> Mapping[str, Estimate]:
        """The answer of the lane's queue; empty before there is one."""
        return self.summary.queues.get(self.stream.name, {}) if self.summary else {}

    @property
    def pool_metrics(self) -> Mapping[str, Estimate]:
        """The answer of the lane's server."""
        return self.summary.servers.get(self.server, {}) if self.summary else {}

    @property
    def capacity(self) -> int:
        """Most threads that the lane can have at once, all members together."""
        pool, stream = self.pool, self.stream
        bounds = [pool.constraints[index].maximum for index in stream.constraint]
        return min(bound for bound in (pool.threads, stream.concurrency, *bounds) if bound) * pool.instances

    @property
    def busy(self) -> float | None:
        """Share of those threads that work, None where nothing is known."""
        busy = self.metrics.get("threads.busy")
        return busy.value / self.capacity if busy else None

    def value(self, name: str) -> float:
        """Return a number of the queue, 0 where there is none."""
        return self.metrics[name].value if name in self.metrics else 0.0

    def readings(self, *asked: tuple[str, str, str]) -> Iterator[Reading]:
        """Yield what the answer says: words before, metric, words after; numbers that are 0 or absent are left out."""
        for before, name, after in asked:
            estimate = self.metrics.get(name)
            if estimate is not None and estimate.value > 0:
                yield Reading(before, estimate, after)

    def losses(self) -> Iterator[Reading]:
        """Yield how many messages of a replication are lost or come back, by the way in which they do."""
        return self.readings(*(("", name, words) for name, words in LOSSES.items()))


def stations_of(path: Path, *, first: bool) -> Iterator[Station]:
    """Yield the stations in their order; the CPUs stand in the ``first`` lane of a server."""
    stream = path.stream
    yield _producers(path)
    if not stream.background:
        yield _destination(path)
    if stream.gate or stream.window or stream.poller:
        yield _limit(path)
    if stream.gate or stream.window or stream.pipeline or stream.background:
        yield _prepared(path)
    yield _threads(path, shared=not first)
    if first:
        yield _cpu(path)
    yield _outcomes(path)


def _producers(path: Path) -> Station:
    steady = path.stream.arrivals.kind in (ArrivalKind.POISSON, ArrivalKind.RENEWAL, ArrivalKind.ON_OFF)
    rate = (("", "arrival_rate", ""),) if steady else ()
    readings = list(path.readings(*rate, ("limit", "producer.limit", ""), ("sends wait", "producer.blocked_time", "")))
    words = [] if readings and steady else [Reading(path.arrivals)]
    limited = path.value("producer.limited_fraction")
    held = [Reading("limited", path.metrics["producer.limited_fraction"], "of the time")] if limited else []
    title = "Requests" if path.stream.background else counted(path.stream.producers, "producer").capitalize()
    return Station("producers", title, (*words, *held, *readings), _filled((limited, "blocked")))


def _destination(path: Path) -> Station:
    largest = path.value("backlog.max")
    saturated = path.stream.arrivals.kind is ArrivalKind.SATURATED
    flow, marks = path.stream.flow, ()
    if saturated:
        return Station("destination", "Destination", (Reading("never empty"),), _filled((1.0, "waiting")))
    if flow and flow.messages_high and largest:
        marks = _marks(flow.messages_low / max(largest, flow.messages_high), flow.messages_high / largest)
        largest = max(largest, flow.messages_high)
    grows = path.readings(("grows by", "backlog.growth", ""), ("", "backlog.mean", "waiting"))
    waits = path.readings(("mean wait", "wait.destination", ""))
    if path.metrics and "backlog.growth" not in path.metrics and path.value("backlog.mean") < FAINT:
        return Station("destination", "Destination", (Reading("empty"),), (), marks)
    share = 1.0 if "backlog.growth" in path.metrics else path.value("backlog.mean") / (largest or 1)
    return Station("destination", "Destination", (*grows, *waits), _filled((share, "waiting")), marks)


def _limit(path: Path) -> Station:
    gate, window = path.stream.gate, path.stream.window
    if window:
        held = path.value("wait.prepared") * path.value("throughput") / (window.limit * path.pool.instances)
        words = Reading(f"{plain(window.limit)} ahead, more at {plain(window.threshold)}")
        readings = path.readings(("", "window.mean_grant", "at once"), ("fullest member", "balance.busiest_share", ""))
        marks = _marks(window.threshold / window.limit)
        return Station("limit", "Flow window", (words, *readings), _filled((held, "waiting")), marks)
    if gate and path.platform == "websphere-zos":
        held = path.value("gate.in_flight") / (gate.high * path.pool.instances)
        readings = path.readings(
            ("", "gate.in_flight", "in flight"), ("closed", "gate.blocked_fraction", "of the time")
        )
        words = Reading(f"closes at {plain(gate.high)}, opens at {plain(gate.low)}")
        segments = _filled((held, "waiting"))
        return Station("limit", "Throttle", (words, *readings), segments, _marks(gate.low / gate.high))
    return _pollers(path)


def _pollers(path: Path) -> Station:
    poller = path.stream.poller
    sessions = path.stream.concurrency or (poller.sessions if poller else path.capacity)
    busy = path.value("threads.busy") / (sessions * path.pool.instances)
    readings = [Reading(f"{plain(sessions)} at once")]
    parts: list[tuple[float, Look]] = [(busy, "busy")]
    if poller and poller.kind is PollerKind.EAGER:
        held = path.pool_metrics.get("threads.held")
        readings += [Reading("", held, "wait in receive()")] if held else []
        parts.append((held.value / (sessions * path.pool.instances) if held else 0.0, "held"))
    title = "Pollers" if path.platform == "weblogic" else "Sessions"
    return Station("limit", title, tuple(readings), _filled(*parts), cells=sessions if sessions <= MOST_CELLS else 0)


def _prepared(path: Path) -> Station:
    stream = path.stream
    title = "WLM queue" if stream.gate else "Client buffer" if stream.window else "Behind the beans"
    title = "Work queue" if stream.background else title
    number = path.value("wait.prepared") * path.value("throughput")
    room = stream.pipeline * path.capacity if stream.pipeline else max(number, path.capacity)
    waits = [*path.readings(("mean wait", "wait.prepared", ""))]
    words = waits if path.value("wait.prepared") or not path.metrics else [Reading("empty")]
    return Station("prepared", title, tuple(words), _filled((number / room, "waiting")))


def _threads(path: Path, *, shared: bool) -> Station:
    total = path.capacity
    busy, idle = path.metrics.get("threads.busy"), path.pool_metrics.get("threads.idle_blocked")
    readings = [Reading("", replace(busy, unit=""), f"of {plain(total)} busy")] if busy else []
    made_of = _made_of(path.pool)
    readings += [Reading(made_of or counted(total, "thread"))] if made_of or not busy else []
    parts: list[tuple[float, Look]] = [(path.busy or 0.0, "busy")]
    if idle and idle.value > 0 and not shared:
        readings.append(Reading("", replace(idle, unit=""), "idle, held back"))
        parts.append((idle.value / total, "blocked"))
    readings += _shares(path)
    members = _members(path)
    if members:
        readings.append(Reading("fill: messages done by each"))
    cells = total if total <= MOST_CELLS and not members else 0
    title = f"Threads of {path.server}"
    return Station("threads", title, tuple(readings), _filled(*parts), cells=cells, members=members)


def _made_of(pool: Pool) -> str:
    if pool.servants_max > 1:
        return f"{counted(pool.servants_max, 'servant')} × {counted(pool.threads_per_servant, 'thread')}"
    return counted(pool.instances, "member") if pool.instances > 1 else ""


def _shares(path: Path) -> Iterator[Reading]:
    """What a lane gets of all busy threads of the server, where there are several lanes."""
    busy, every = path.metrics.get("threads.busy"), path.pool_metrics.get("threads.busy")
    if busy and every and every.value > 1.001 * busy.value:
        yield Reading("gets", replace(busy * (1 / every.value), unit="1"), "of the thread time")


def _members(path: Path) -> tuple[float, ...]:
    """What each member of a cluster completed, as a share of what the busiest did."""
    done = path.summary.instances.get(path.stream.name, ()) if path.summary else ()
    if not 1 < path.pool.instances <= MOST_MEMBERS:
        return ()
    most = max((item.value for item in done), default=0.0) or 1.0
    return tuple(item.value / most for item in done) or (0.0,) * path.pool.instances


def _cpu(path: Path) -> Station:
    used = path.pool_metrics.get("cpu.utilisation")
    share = used.value if used else 0.0
    readings = [Reading("", used, "used")] if used and share > 0 else []
    readings += path.readings(("off the CPU", "service.wait", ""), ("waits downstream", "wait.downstream", ""))
    return Station("cpu", counted(path.pool.cpus, "CPU"), tuple(readings), _filled((share, "busy")))


def _outcomes(path: Path) -> Station:
    latency = () if path.stream.arrivals.kind is ArrivalKind.SATURATED else (("p95", "latency.p95", ""),)
    done = path.readings(("", "throughput", "done"), *latency)
    lost = [replace(item, estimate=replace(item.estimate, unit="")) for item in path.losses() if item.estimate]
    return Station("outcomes", "Done", (*done, *lost), _filled((1.0, "blocked" if lost else "busy")))


def _filled(*parts: tuple[float, Look]) -> tuple[Segment, ...]:
    """Segments one after another, within the whole width; empty ones are left out."""
    left, segments = 1.0, []
    for share, look in parts:
        segments.append(Segment(max(0.0, min(share, left)), look))
        left -= segments[-1].share
    return tuple(item for item in segments if item.share > 0)


def _marks(*shares: float) -> tuple[float, ...]:
    return tuple(share for share in shares if 0 < share <= 1)
