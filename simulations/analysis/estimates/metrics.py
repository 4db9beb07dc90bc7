"""Every metric, declared once: name, unit, meaning, better direction, scope and how samples become a number.

Names are those of the scenario format. A metric whose number is nan (no message completed, no gate, ...) is left out.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

import numpy as np

from simulations.analysis.replications import measures
from simulations.analysis.replications.measures import Measure, Observation, over_queues, over_time, per_run, quotient
from simulations.declarations.tables import table_beside
from simulations.engine.network.results import Count, Extreme, PoolSum, Sum

Better = Literal["lower", "higher", "neither"]
Scope = Literal["queue", "pool", "both"]
Combine = Literal["mean", "largest", "smallest"]

PERCENTILES = {"p50": 0.50, "p90": 0.90, "p95": 0.95, "p99": 0.99, "p999": 0.999}
"""Percentile names and the share of messages at or below them."""
MEANINGS: Mapping[str, str] = table_beside(__file__, "meanings.yaml")
"""Metric -> one sentence; that of a percentile follows from its share."""


@dataclass(frozen=True)
class Metric:
    """One result of a simulation. Exactly one of ``pooled`` and ``observed`` is set.

    Attributes:
        unit: key of ``units.UNITS``.
        meaning: one sentence for tooltips, tables and reports.
        scope: where it exists apart from the whole system: at each queue, at each server's pool of threads, or both.
        pooled: value of merged replications; intervals come from leaving each out.
        observed: value of each replication, to be combined by ``combine``.
        combine: how observations become one value; extremes have a range instead of a confidence interval.
        when_unstable: still means something when a backlog grows without end.
        only: the kind of run in which it exists: without a steady state, or with a backlog that grows without end.
        needs: the mechanism that must be switched on at a queue (``producers``: a quota or flow control; ``cluster``:
            more than one instance; ``absence``: its server may be away; ``chain``: other queues send to it), or empty.
        part: what of a message's time its mean is, for such metrics.
        rests_on: the events that it counts or is a mean over, all together.
        repeats: a message may count several times, so that the fraction may be above 1.
        per_run: it counts events of a whole run at the pace after the warm-up.
        native: platform name -> the operator's own name for it.
    """

    name: str
    title: str
    unit: str
    meaning: str
    better: Better
    scope: Scope = "queue"
    pooled: Measure | None = None
    observed: Observation | None = None
    combine: Combine = "mean"
    when_unstable: bool = True
    only: Literal["", "transient", "unstable"] = ""
    needs: Literal["", "gate", "window", "flow", "producers", "cluster", "outage", "absence", "chain"] = ""
    rests_on: Sequence[Count] = (Count.COMPLETED,)
    repeats: bool = False
    per_run: bool = False
    part: Sum | None = None
    native: Mapping[str, str] = field(default_factory=dict)

    @property
    def most(self) -> float:
        """Largest value that can be: a share ends at 1."""
        return 1.0 if self.unit == "1" and not self.repeats else math.inf

    @cached_property
    def share(self) -> float:
        """The share of messages at or below a percentile; 0 for every other metric."""
        return PERCENTILES.get(self.name.partition(".")[2], 0.0)

    @property
    def is_extreme(self) -> bool:
        """Whether the value is an extreme over the replications, which no confidence interval covers."""
        return self.observed is not None and self.combine != "mean"


HELD = "producer.wait"
"""What latencies do not count: settings that hold senders back make them shorter, and this longer."""
_NEEDS = {"gate": "gate", "window": "window", "producer": "producers", "balance": "cluster", "end_to_end": "chain"}
"""First word of a metric -> the mechanism that it needs, unless it says otherwise."""
_ENDS = (Count.COMPLETED, Count.FAILED, Count.QUEUE_TIMEOUTS, Count.DISPATCH_TIMEOUTS, Count.TRANSACTION_TIMEOUTS)
_RESTS_ON: Mapping[str, tuple[Count, ...]] = {
    **dict.fromkeys(("threads", "cpu", "gate"), _ENDS),
    **dict.fromkeys(("gate.block_time", "gate.blocked_fraction"), (Count.BLOCKS,)),
    **dict.fromkeys(("arrival_rate", "backlog", "producer", "batch", "threads.idle_no_work"), (Count.ARRIVED,)),
    **{"timeouts": _ENDS[2:], "wasted_work": (Count.ROLLBACKS,), "overtaken_fraction": (Count.OVERTAKEN,)},
}
"""A metric or its first word -> the events that it rests on, unless it says otherwise or these are the completed."""


def _metric(
    name: str, title: str, unit: str, pooled: Measure | None = None, better: Better = "lower", **more: Any
) -> Metric:
    word = name.partition(".")[0]
    known = {"needs": _NEEDS.get(word, ""), "rests_on": _RESTS_ON.get(name, _RESTS_ON.get(word, (Count.COMPLETED,)))}
    return Metric(name, title, unit, MEANINGS[name], better, pooled=pooled, **known | more)


def _percentiles(first: str, title: str, since: str, **more: Any) -> Iterator[Metric]:
    for key, share in PERCENTILES.items():
        meaning = f"{share * 100:g} % of the messages took at most this long from {since} to the end of processing."
        name, titled, pooled = f"{first}.{key}", f"p{share * 100:g} {title}", measures.percentile(share)
        yield Metric(name, titled, "s", meaning, "lower", pooled=pooled, when_unstable=False, **more)


def _part(name: str, title: str, column: Sum) -> Metric:
    stays = name.startswith("service.")
    return _metric(name, title, "s", quotient(column, Count.COMPLETED), when_unstable=stays, part=column)


def _causes() -> Iterator[Metric]:
    """The mean latency by cause; what passes with the thread in hand does not grow with the backlog."""
    yield _metric("cause.gate", "Lost to the gate", "s", measures.kept_back(0), when_unstable=False, needs="gate")
    window = measures.kept_back(1)
    yield _metric("cause.window", "Lost to the credit window", "s", window, when_unstable=False, needs="window")
    yield _metric("cause.thread", "Lost to missing threads", "s", measures.thread_wait, when_unstable=False)
    yield _metric("cause.cpu", "Lost to shared CPUs", "s", quotient(Sum.WAIT_CPU, Count.COMPLETED))
    yield _metric("cause.downstream", "Lost to a resource", "s", quotient(Sum.WAIT_DOWNSTREAM, Count.COMPLETED))
    yield _metric("cause.batch", "Lost to the batch", "s", quotient(Sum.WAIT_BATCH, Count.COMPLETED))
    yield _metric("cause.commit", "Commit alone", "s", quotient(Sum.COMMIT, Count.COMPLETED, less=Sum.WAIT_BATCH))
    yield _part("cause.redelivery", "Lost to redeliveries", Sum.REDELIVERY)
    alone = quotient(Sum.CPU, Count.COMPLETED, Sum.WAITING, less=Sum.WAIT_CPU)
    yield _metric("cause.work", "onMessage by itself", "s", alone, "neither")


def _threads(name: str, title: str, column: PoolSum, better: Better = "lower", scope: Scope = "pool") -> Metric:
    return _metric(name, title, "threads", over_time(column), better, scope=scope)


def _events(name: str, title: str, unit: str, column: Count, better: Better = "lower", **more: Any) -> Metric:
    return _metric(name, title, unit, per_run(column), better, per_run=True, **{"rests_on": (column,)} | more)


def _seen(name: str, title: str, unit: str, over: Any, column: Extreme, **more: Any) -> Metric:
    return _metric(name, title, unit, observed=over_queues(over, column), **more)


def _largest(name: str, title: str, unit: str, column: Extreme, better: Better = "lower", **more: Any) -> Metric:
    return _seen(name, title, unit, np.max, column, better=better, combine="largest", **more)


_Z = "websphere-zos"
_IN_FLIGHT = over_time(Sum.PREPARED, Sum.RUNNING)
_GIVEN_BLOCKED = quotient(PoolSum.IDLE_BLOCKED, PoolSum.HELD_BACK)
_URGENT = quotient(Sum.URGENT, Count.URGENT)
_LEAST: dict[str, Any] = {"over": np.min, "column": Extreme.RELEASE_MIN, "better": "higher", "combine": "smallest"}
_TIMEOUTS = quotient(Count.QUEUE_TIMEOUTS, Count.ARRIVED, Count.DISPATCH_TIMEOUTS, Count.TRANSACTION_TIMEOUTS)
METRICS: tuple[Metric, ...] = (
    _part("latency.mean", "Mean latency", Sum.LATENCY),
    *_percentiles("latency", "latency", "arrival"),
    _largest("latency.max", "Longest latency", "s", Extreme.LATENCY_MAX, when_unstable=False),
    _metric("latency.urgent", "Mean latency of urgent messages", "s", _URGENT, when_unstable=False),
    _metric("end_to_end.mean", "Mean end-to-end latency", "s", measures.chain_mean, when_unstable=False),
    *_percentiles("end_to_end", "end-to-end latency", "the first arrival of their chains", needs="chain"),
    _part("wait.destination", "Wait on the destination", Sum.WAIT_DESTINATION),
    _part("wait.prepared", "Wait prepared", Sum.WAIT_PREPARED),
    _part("wait.thread", "Wait for a thread", Sum.WAIT_THREAD),
    _part("wait.downstream", "Wait for a resource", Sum.WAIT_DOWNSTREAM),
    _part("wait.redelivery", "Earlier deliveries", Sum.REDELIVERY),
    _part("service.cpu", "onMessage on a CPU", Sum.CPU),
    _part("service.wait", "onMessage off the CPU", Sum.WAITING),
    _part("service.commit", "Commit", Sum.COMMIT),
    *_causes(),
    _metric("throughput", "Throughput", "/s", over_time(Count.COMPLETED), "higher"),
    _metric("arrival_rate", "Arrival rate", "/s", over_time(Count.ARRIVED), "neither"),
    _metric("backlog.mean", "Mean backlog", "messages", over_time(Sum.BACKLOG), when_unstable=False),
    _largest("backlog.max", "Largest backlog", "messages", Extreme.BACKLOG_MAX, when_unstable=False),
    _seen("backlog.end", "Backlog at the end", "messages", np.sum, Extreme.BACKLOG_END, when_unstable=False),
    _metric("backlog.growth", "Growth of the backlog", "/s", observed=measures.growth, only="unstable"),
    _seen("drain_time", "Drain time", "s", np.max, Extreme.LAST_OUTCOME, only="transient"),
    _seen("recovery_time", "Time to recover", "s", np.max, Extreme.RECOVERY, only="transient", needs="outage"),
    _metric("away_fraction", "Time away", "1", over_time(PoolSum.AWAY, of="instances"), scope="pool", needs="absence"),
    _threads("threads.busy", "Busy threads", PoolSum.BUSY, "neither", "both"),
    _threads("threads.idle_no_work", "Idle without work", PoolSum.IDLE_NO_WORK, "neither"),
    _threads("threads.idle_blocked", "Idle, held back", PoolSum.IDLE_BLOCKED),
    _metric("threads.idle_given_blocked", "Idle threads, given held back", "threads", _GIVEN_BLOCKED, scope="pool"),
    _threads("threads.held", "Held threads", PoolSum.HELD),
    _metric("cpu.utilisation", "CPU utilization", "1", over_time(PoolSum.CPU, of="cpus"), "neither", scope="pool"),
    _metric("gate.in_flight", "In flight", "messages", _IN_FLIGHT, "neither", native={_Z: "IN-FLIGHT"}),
    _events("gate.blocks", "Gate closed", "events", Count.BLOCKS, "neither", native={_Z: "BLOCKS"}),
    _metric("gate.block_time", "Time of a block", "s", quotient(Sum.BLOCKED, Count.BLOCKS), "neither"),
    _metric("gate.blocked_fraction", "Time blocked", "1", over_time(Sum.BLOCKED, of="gates"), "neither"),
    _seen("gate.backlog_at_release_min", "Smallest backlog at release", "messages", **_LEAST),
    _largest("gate.backlog_at_release_max", "Largest backlog at release", "messages", Extreme.RELEASE_MAX, "neither"),
    _events("window.topups", "Top-ups", "events", Count.TOPUPS, "neither", rests_on=(Count.GRANTED,)),
    _metric("window.mean_grant", "Messages per top-up", "messages", quotient(Count.GRANTED, Count.TOPUPS), "neither"),
    _events("timeouts.queue", "Queue timeouts", "messages", Count.QUEUE_TIMEOUTS),
    _events("timeouts.dispatch", "Dispatch timeouts", "messages", Count.DISPATCH_TIMEOUTS),
    _events("timeouts.transaction", "Transaction timeouts", "events", Count.TRANSACTION_TIMEOUTS),
    _metric("timeouts.share", "Timeouts per message", "1", _TIMEOUTS, repeats=True),
    _events("rollbacks", "Rollbacks", "events", Count.ROLLBACKS),
    _events("redeliveries", "Redeliveries", "messages", Count.REDELIVERIES),
    _events("dead_letters", "Dead letters", "messages", Count.DEAD_LETTERS),
    _events("rejected", "Rejected", "messages", Count.REJECTED),
    _events("dropped", "Dropped", "messages", Count.DROPPED),
    _metric("wasted_work", "Wasted work", "1", measures.wasted, repeats=True),
    _metric("overtaken_fraction", "Overtaken", "1", quotient(Count.OVERTAKEN, Count.COMPLETED)),
    _metric(
        "batch.mean_size", "Messages per transaction", "messages", quotient(Count.BATCHED, Count.BATCHES), "neither"
    ),
    _largest("buffer.bytes_max", "Largest buffer", "B", Extreme.BUFFER_BYTES_MAX),
    _metric("producer.rate", "Producers' rate", "/s", over_time(Count.ADMITTED), "higher"),
    _metric("producer.limit", "Producers' limit", "/s", quotient(Sum.LIMIT, Sum.LIMITED), "higher", needs="flow"),
    _metric("producer.limited_fraction", "Time with a limit", "1", over_time(Sum.LIMITED), needs="flow"),
    _events("producer.blocked_sends", "Blocked sends", "messages", Count.BLOCKED_SENDS),
    _metric("producer.blocked_time", "Time of a blocked send", "s", quotient(Sum.BLOCKED_SENDS, Count.BLOCKED_SENDS)),
    _metric(HELD, "Wait of senders", "s", quotient(Sum.BLOCKED_SENDS, Count.ARRIVED), when_unstable=False),
    _metric("balance.busiest_share", "Share of the busiest instance", "1", observed=measures.busiest_share),
)
"""All metrics, in the order in which tables show them."""

LOST = ("dead_letters", "rejected", "dropped")
"""Messages that nobody processes."""
BY_NAME: Mapping[str, Metric] = {metric.name: metric for metric in METRICS}
"""The metrics by name."""
