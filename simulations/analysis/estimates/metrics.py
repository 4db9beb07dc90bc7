"""Every metric, declared once: name, unit, meaning, better direction, scope and how samples become a number.

Names are those of the scenario format. A metric whose number is nan (no message completed, no gate, ...) is left out.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from simulations.analysis.replications import measures
from simulations.analysis.replications.columns import Measure
from simulations.analysis.replications.measures import Observation
from simulations.engine.network.results import Count, Extreme, PoolSum, Sum

Better = Literal["lower", "higher", "neither"]
Scope = Literal["queue", "pool", "both"]
Combine = Literal["mean", "largest", "smallest"]

PERCENTILES = {"p50": 0.50, "p90": 0.90, "p95": 0.95, "p99": 0.99, "p999": 0.999}
"""Percentile names and the share of messages at or below them."""


@dataclass(frozen=True)
class Metric:
    """One result of a simulation. Exactly one of ``pooled`` and ``observed`` is set.

    Attributes:
        unit: key of ``units.UNITS``.
        meaning: one sentence for tooltips, tables and reports.
        scope: besides the whole system it exists at each queue, at each server's pool of threads, or at both.
        pooled: value of merged replications; intervals come from leaving each out.
        observed: value of each replication, to be combined by ``combine``.
        combine: how observations become one value; extremes have a range instead of a confidence interval.
        when_unstable: still means something when a backlog grows without end.
        only: the kind of run in which it exists: without a steady state, or with a backlog that grows without end.
        needs: the mechanism that must be switched on at a queue (``producers``: a quota or flow control; ``cluster``:
            more than one instance), or empty.
        repeats: a message may count several times, so that the fraction may be above 1.
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
    needs: Literal["", "gate", "window", "flow", "producers", "cluster"] = ""
    repeats: bool = False
    native: Mapping[str, str] = field(default_factory=dict)

    @property
    def most(self) -> float:
        """Largest value that can be: a share ends at 1."""
        return 1.0 if self.unit == "1" and not self.repeats else math.inf

    @property
    def is_extreme(self) -> bool:
        """Whether the value is an extreme over the replications, which no confidence interval covers."""
        return self.observed is not None and self.combine != "mean"


def _delay(name: str, title: str, meaning: str, measure: Measure) -> Metric:
    return Metric(name, title, "s", meaning, "lower", pooled=measure, when_unstable=False)


def _part(name: str, title: str, meaning: str, column: Sum) -> Metric:
    stays = name.startswith("service.")
    return Metric(name, title, "s", meaning, "lower", pooled=measures.per_message(column), when_unstable=stays)


def _threads(name: str, title: str, meaning: str, column: PoolSum, better: Better, scope: Scope = "pool") -> Metric:
    return Metric(f"threads.{name}", title, "threads", meaning, better, scope, pooled=measures.threads(column))


def _events(name: str, title: str, unit: str, meaning: str, column: Count, better: Better = "lower") -> Metric:
    text = f"{meaning}; mean number per replication, warm-up excluded."
    return Metric(name, title, unit, text, better, pooled=measures.per_run(column))


def _extreme(name: str, title: str, unit: str, meaning: str, combine: Combine, column: Extreme) -> Metric:
    text = f"{meaning} in any replication; its interval is the range over the replications."
    seen = measures.smallest(column) if combine == "smallest" else measures.largest(column)
    return Metric(name, title, unit, text, "lower", observed=seen, combine=combine)


def _percentile(key: str, share: float) -> Metric:
    percent = f"{share * 100:g} %"
    meaning = f"{percent} of the messages took at most this long from arrival to the end of processing."
    return _delay(f"latency.{key}", f"Latency of {percent}", meaning, measures.percentile(share))


_Z = "websphere-zos"
METRICS: tuple[Metric, ...] = (
    _delay(
        "latency.mean",
        "Mean latency",
        "Mean time from arrival to the end of processing.",
        measures.per_message(Sum.LATENCY),
    ),
    *(_percentile(key, share) for key, share in PERCENTILES.items()),
    Metric(
        "latency.max",
        "Longest latency",
        "s",
        "Longest latency in any replication, warm-up included; its interval is the range over the replications.",
        "lower",
        observed=measures.largest(Extreme.LATENCY_MAX),
        combine="largest",
        when_unstable=False,
    ),
    _part(
        "wait.destination",
        "Wait on the destination",
        "Mean time before a message is prepared for a thread.",
        Sum.WAIT_DESTINATION,
    ),
    _part(
        "wait.prepared",
        "Wait prepared",
        "Mean time in the WLM queue, the client's buffer or behind a session.",
        Sum.WAIT_PREPARED,
    ),
    _part("wait.thread", "Wait for a thread", "Mean time ready to run without a thread.", Sum.WAIT_THREAD),
    _part(
        "wait.downstream",
        "Wait for a resource",
        "Mean time waiting for a downstream resource, thread in hand.",
        Sum.WAIT_DOWNSTREAM,
    ),
    _part(
        "wait.redelivery",
        "Earlier deliveries",
        "Mean time of failed deliveries and of the delays after them.",
        Sum.REDELIVERY,
    ),
    _part(
        "service.cpu",
        "onMessage on a CPU",
        "Mean time of onMessage that needs a CPU, sharing of CPUs included.",
        Sum.CPU,
    ),
    _part(
        "service.wait",
        "onMessage off the CPU",
        "Mean time of onMessage that needs no CPU: it waits for a database, a service or a disk.",
        Sum.WAITING,
    ),
    _part("service.commit", "Commit", "Mean time of the commit and of waiting for the rest of the batch.", Sum.COMMIT),
    Metric(
        "throughput",
        "Throughput",
        "/s",
        "Messages completed per second.",
        "higher",
        pooled=measures.rate(Count.COMPLETED),
    ),
    Metric(
        "arrival_rate",
        "Arrival rate",
        "/s",
        "Messages that arrived per second.",
        "neither",
        pooled=measures.rate(Count.ARRIVED),
    ),
    Metric(
        "backlog.mean",
        "Mean backlog",
        "messages",
        "Mean number of messages on the destination.",
        "lower",
        pooled=measures.over_time(Sum.BACKLOG),
        when_unstable=False,
    ),
    Metric(
        "backlog.max",
        "Largest backlog",
        "messages",
        "Most messages on a destination in any replication; its interval is the range over the replications.",
        "lower",
        observed=measures.largest(Extreme.BACKLOG_MAX),
        combine="largest",
        when_unstable=False,
    ),
    Metric(
        "backlog.end",
        "Backlog at the end",
        "messages",
        "Messages on the destination when a replication ends, mean over the replications.",
        "lower",
        observed=measures.together(Extreme.BACKLOG_END),
        when_unstable=False,
    ),
    Metric(
        "backlog.growth",
        "Growth of the backlog",
        "/s",
        "Messages per second by which the backlog grows without end, from the second half of the run.",
        "lower",
        observed=measures.growth,
        only="unstable",
    ),
    Metric(
        "drain_time",
        "Drain time",
        "s",
        "Time from the start to the last outcome, mean over the replications.",
        "lower",
        observed=measures.largest(Extreme.LAST_OUTCOME),
        only="transient",
    ),
    _threads(
        "busy",
        "Busy threads",
        "Mean number of threads that run onMessage or other work.",
        PoolSum.BUSY,
        "neither",
        "both",
    ),
    _threads(
        "idle_no_work",
        "Idle without work",
        "Mean number of idle threads while nothing was held back.",
        PoolSum.IDLE_NO_WORK,
        "neither",
    ),
    _threads(
        "idle_blocked",
        "Idle, held back",
        "Mean number of idle threads while a closed gate or used-up credit held messages back: lost capacity.",
        PoolSum.IDLE_BLOCKED,
        "lower",
    ),
    _threads(
        "held",
        "Held threads",
        "Mean number of threads held by waiting pollers, retries in place or restarts.",
        PoolSum.HELD,
        "lower",
    ),
    Metric(
        "cpu.utilisation",
        "CPU utilisation",
        "1",
        "Share of the CPUs in use.",
        "neither",
        "pool",
        pooled=measures.cpu_utilisation,
    ),
    Metric(
        "gate.in_flight",
        "In flight",
        "messages",
        "Mean number of messages past the gate: prepared or on threads.",
        "neither",
        pooled=measures.in_flight,
        needs="gate",
        native={_Z: "IN-FLIGHT"},
    ),
    Metric(
        "gate.blocks",
        "Gate closed",
        "events",
        "How often the gate closed; mean number per replication, warm-up excluded.",
        "neither",
        pooled=measures.per_run(Count.BLOCKS),
        needs="gate",
        native={_Z: "BLOCKS"},
    ),
    Metric(
        "gate.blocked_fraction",
        "Time blocked",
        "1",
        "Share of the time with the gate closed.",
        "neither",
        pooled=measures.blocked_fraction,
        needs="gate",
    ),
    Metric(
        "gate.backlog_at_release_min",
        "Smallest backlog at release",
        "messages",
        "Fewest prepared messages left when the gate opened, in any replication; its interval is the range.",
        "higher",
        observed=measures.smallest(Extreme.RELEASE_MIN),
        combine="smallest",
        needs="gate",
    ),
    Metric(
        "gate.backlog_at_release_max",
        "Largest backlog at release",
        "messages",
        "Most prepared messages left when the gate opened, in any replication; its interval is the range.",
        "neither",
        observed=measures.largest(Extreme.RELEASE_MAX),
        combine="largest",
        needs="gate",
    ),
    Metric(
        "window.topups",
        "Top-ups",
        "events",
        "Grants of the credit window; mean number per replication, warm-up excluded.",
        "neither",
        pooled=measures.per_run(Count.TOPUPS),
        needs="window",
    ),
    Metric(
        "window.mean_grant",
        "Messages per top-up",
        "messages",
        "Mean number of messages granted at once.",
        "neither",
        pooled=measures.share(Count.GRANTED, Count.TOPUPS),
        needs="window",
    ),
    _events(
        "timeouts.queue",
        "Queue timeouts",
        "messages",
        "Deliveries that timed out before a thread took them",
        Count.QUEUE_TIMEOUTS,
    ),
    _events(
        "timeouts.dispatch",
        "Dispatch timeouts",
        "messages",
        "Deliveries that timed out on a thread",
        Count.DISPATCH_TIMEOUTS,
    ),
    _events(
        "timeouts.transaction",
        "Transaction timeouts",
        "events",
        "Transactions that outlived their limit",
        Count.TRANSACTION_TIMEOUTS,
    ),
    Metric(
        "timeouts.share",
        "Timeouts per message",
        "1",
        "Timeouts of all kinds per message that arrived; above 1 when redeliveries time out again.",
        "lower",
        pooled=measures.timeout_share,
        repeats=True,
    ),
    _events("rollbacks", "Rollbacks", "events", "Transactions rolled back", Count.ROLLBACKS),
    _events("redeliveries", "Redeliveries", "messages", "Deliveries after the first", Count.REDELIVERIES),
    _events(
        "dead_letters", "Dead letters", "messages", "Messages given up after their last delivery", Count.DEAD_LETTERS
    ),
    _events("rejected", "Rejected", "messages", "Messages that were refused for lack of room", Count.REJECTED),
    _events("dropped", "Dropped", "messages", "Messages removed without an outcome", Count.DROPPED),
    Metric(
        "wasted_work",
        "Wasted work",
        "1",
        "Share of the thread time spent on deliveries that were rolled back.",
        "lower",
        pooled=measures.wasted,
    ),
    Metric(
        "overtaken_fraction",
        "Overtaken",
        "1",
        "Share of the messages that finished after one that arrived later.",
        "lower",
        pooled=measures.share(Count.OVERTAKEN, Count.COMPLETED),
    ),
    Metric(
        "batch.mean_size",
        "Messages per transaction",
        "messages",
        "Mean number of messages in the transactions that held any.",
        "neither",
        pooled=measures.share(Count.BATCHED, Count.BATCHES),
    ),
    _extreme(
        "buffer.bytes_max",
        "Largest buffer",
        "B",
        "Most bytes of prepared messages held in memory",
        "largest",
        Extreme.BUFFER_BYTES_MAX,
    ),
    Metric(
        "producer.rate",
        "Producers' rate",
        "/s",
        "Messages per second that all producers together got onto the destination.",
        "higher",
        pooled=measures.rate(Count.ADMITTED),
        needs="producers",
    ),
    Metric(
        "producer.limit",
        "Producers' limit",
        "/s",
        "Mean limit of all producers together while flow control slowed them; none when it never did.",
        "higher",
        pooled=measures.limit,
        needs="flow",
    ),
    Metric(
        "producer.limited_fraction",
        "Time with a limit",
        "1",
        "Share of the time with a limit on the producers.",
        "lower",
        pooled=measures.over_time(Sum.LIMITED),
        needs="flow",
    ),
    Metric(
        "producer.blocked_sends",
        "Blocked sends",
        "messages",
        "Sends that had to wait for room or for the limit; mean number per replication, warm-up excluded.",
        "lower",
        pooled=measures.per_run(Count.BLOCKED_SENDS),
        needs="producers",
    ),
    Metric(
        "producer.blocked_time",
        "Time of a blocked send",
        "s",
        "Mean time that a send waited which had to wait.",
        "lower",
        pooled=measures.blocked_time,
        needs="producers",
    ),
    Metric(
        "balance.busiest_share",
        "Share of the busiest instance",
        "1",
        "Share of the messages that the busiest instance completed, mean over the replications.",
        "lower",
        observed=measures.busiest_share,
        needs="cluster",
    ),
)
"""All metrics, in the order in which tables show them."""

BY_NAME: Mapping[str, Metric] = {metric.name: metric for metric in METRICS}
"""The metrics by name."""
