"""The work of a plan, cut into tasks by its expected time, and the body of a task: from a point's JSON to rows."""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from functools import lru_cache

import pyarrow as pa

from simulations.analysis.replications.rows import compact
from simulations.analysis.theory.laws import arrival_rate, law_mean
from simulations.engine.network.model import ArrivalKind, NetworkSpec, Stream
from simulations.engine.packing.numbering import UNLIMITED
from simulations.engine.replicate import replicate
from simulations.experiment import Point
from simulations.pipeline.archive.schemas import PACKED, packed, replication_batch
from simulations.scenario.spec import parse

SHORTEST_TASK = 0.1
"""Seconds below which starting a task, 10 to 20 ms of processor time, costs more than a tenth of its work."""
LONGEST_TASK = 2.0
"""Seconds that a partial result, a cancellation or a lost task may cost at most, where replications can be split."""
TASKS_PER_SLOT = 6
"""Tasks for each core, so that cores which are done early find more work."""
SECONDS_PER_EVENT = 6e-8
"""Time of one simulated event: about 35 ns of a plain queue, about 80 ns with most mechanisms on."""
SECONDS_PER_REPLICATION = 1e-3
"""Time around the events: arrays, the compact row, its way through Spark."""
PATIENCE, PATIENCE_OF_PAGES = 2_000, 100
"""Times the expected events, or 100,000, that end a replication: of a run, and of an answer that somebody waits for."""
UNKNOWN_RATE = 1_000.0
"""Messages per second where neither the scenario states a rate nor threads bound it below this."""


class PointFailed(RuntimeError):
    """A point could not be simulated; the message names the point and what it changes in the scenario."""


@dataclass(frozen=True)
class WorkItem:
    """Replications ``first`` to ``first + count - 1`` of one point. ``cost``: expected seconds of one replication.
    ``overrides`` and ``spec`` are JSON: what the point changes in the scenario, for messages, and its whole
    scenario."""

    point: int
    overrides: str
    spec: str
    seed: int
    first: int
    count: int
    cost: float

    @classmethod
    def of(cls, point: Point, *, first: int, count: int, cost: float) -> "WorkItem":
        """Return the item for replications of ``point``."""
        return cls(
            point=point.index,
            overrides=json.dumps(dict(point.overrides)),
            spec=json.dumps(point.spec.body()),
            seed=point.spec.run.seed,
            first=first,
            count=count,
            cost=cost,
        )


Task = tuple[WorkItem, ...]


def expected_seconds(events: float) -> float:
    """Return the time of one replication with that many events."""
    return SECONDS_PER_REPLICATION + SECONDS_PER_EVENT * events


def expected_events(network: NetworkSpec) -> float:
    """Return the events of one replication: an arrival and a completion for each message."""
    horizon = network.horizon
    if horizon.messages:
        return 2.0 * horizon.messages
    return 2.0 * sum(_messages(network, one, horizon.time) * _following(network, one) for one in network.streams)


def most_events(network: NetworkSpec, patience: int = PATIENCE_OF_PAGES) -> int:
    """Return the events at which a replication is ended because it may never end by itself."""
    return min(int(patience * max(expected_events(network), 100_000)), UNLIMITED)


def split(items: Sequence[WorkItem], seconds: float, *, slots: int | None = None) -> Iterator[Task]:
    """Yield tasks of about ``seconds`` each, in the order of the items; a longer replication is a task of its own.
    Towards the end of the work of ``slots`` cores the tasks become shorter, so that all cores are done together."""
    left = sum(item.cost * item.count for item in items)
    task: list[WorkItem] = []
    room = _length(seconds, left, slots)
    for item in items:
        first, end = item.first, item.first + item.count
        while first < end:
            fitting = int(room / item.cost)
            if task and fitting < 1:
                yield tuple(task)
                task, room = [], _length(seconds, left, slots)
                continue
            count = min(max(1, fitting), end - first)
            task.append(replace(item, first=first, count=count))
            first, room, left = first + count, room - count * item.cost, left - count * item.cost
    if task:
        yield tuple(task)


def _length(seconds: float, left: float, slots: int | None) -> float:
    """The length of the next task: at most two thirds of what a core still has to do."""
    return seconds if slots is None else min(seconds, max(left / (1.5 * slots), SHORTEST_TASK))


def task_seconds(items: Sequence[WorkItem], slots: int) -> float:
    """Return the length of a task in seconds that keeps ``slots`` cores busy to the end."""
    total = sum(item.cost * item.count for item in items)
    return min(max(total / (slots * TASKS_PER_SLOT), SHORTEST_TASK), LONGEST_TASK)


def work_table(tasks: Sequence[Task]) -> pa.Table:
    """Return the tasks as a table of ``PACKED``, one row each."""
    rows = [json.dumps([asdict(item) for item in task]).encode() for task in tasks]
    return pa.table({"rows": pa.array(rows, pa.binary())}, schema=PACKED)


def simulate_batches(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Simulate every task and yield batches of ``PACKED``: the body of the Spark job."""
    for batch in batches:
        for task in batch["rows"].to_pylist():
            for item in json.loads(task):
                yield packed(simulate(WorkItem(**item)))


def simulate(item: WorkItem) -> pa.RecordBatch:
    """Return the item's replications as a batch of ``REPLICATION``; raises PointFailed."""
    try:
        network = _network(item.spec)
        numbers = range(item.first, item.first + item.count)
        most = most_events(network, PATIENCE)
        rows = (replicate(network, seed=item.seed, replication=number, most_events=most) for number in numbers)
        return replication_batch(item.point, map(compact, rows))
    except Exception as error:
        changes = ", ".join(f"{path} = {value}" for path, value in json.loads(item.overrides).items())
        reason = " ".join(str(error).split())
        message = f"point {item.point} ({changes or 'as described'}): {type(error).__name__}: {reason}"
        raise PointFailed(message) from error


def _messages(network: NetworkSpec, stream: Stream, seconds: float) -> float:
    """Messages until ``seconds``, or what comes at once where the run ends when all is drained (0 s). A stream that is
    never empty brings what its threads complete, or UNKNOWN_RATE where that is more."""
    arrivals, pool, mean = stream.arrivals, network.pools[stream.pool], law_mean(stream.service)
    rate = arrival_rate(arrivals)
    if rate is None and arrivals.kind is ArrivalKind.SATURATED and mean:
        rate = min(pool.instances * (stream.concurrency or pool.threads) / mean, UNKNOWN_RATE)
    elif rate is None:
        rate = UNKNOWN_RATE if arrivals.kind is ArrivalKind.SATURATED else arrivals.rate
    return arrivals.count + len(arrivals.instants) + rate * seconds


def _following(network: NetworkSpec, stream: Stream) -> float:
    """Messages that come of one, itself included."""
    return 1.0 + sum(send.messages * _following(network, network.streams[send.stream]) for send in stream.sends)


@lru_cache(maxsize=64)
def _network(spec: str) -> NetworkSpec:
    """The network of a scenario's JSON: the tasks of a point come one after another."""
    return parse(json.loads(spec)).network()
