"""The check that a fit has to pass: what the engine predicts against what the log shows.

A log of messages shows the p95 of latency; samples show means only, by Little's law.
Predictions of each queue, each against the messages it is about:
``replayed``: the arrivals of the held-out part as they came, service times and threads as fitted on the part before;
``generated``: the scenario as it will be run, against the whole log. Both must be near for *validated*.
``busiest``: the busiest stretch of the held-out part, replayed alone; it says up to which load the scenario holds.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from os import cpu_count
from typing import Any, TypeVar

import numpy as np

from simulations.analysis.estimates.intervals import t_quantile
from simulations.analysis.estimates.summary import quantity
from simulations.analysis.replications.measures import Floats
from simulations.analysis.replications.rows import Histogram, ReplicationRow, compact
from simulations.declarations.texts import as_name
from simulations.engine.network.results import Count, Sum
from simulations.engine.replicate import replicate
from simulations.experiment.arrivals import with_arrivals
from simulations.pipeline.spark.executors import Cancelled, ShouldStop
from simulations.pipeline.telemetry.fitting.questions import BLOCKS, FITTED
from simulations.pipeline.telemetry.fitting.spec import MESSAGES, replaying
from simulations.scenario.spec import ScenarioSpec, revised

Item = TypeVar("Item")
NEAR = 0.10
"""Largest relative difference of the predicted and the observed time that is near."""
SHARE = 0.95
FEWEST = 500
"""Messages that it takes to compare."""
MARGIN = 1.5
"""More messages than an interval asks for: its own width is estimated from few replications."""
EVENTS, SEED = 4_000_000, 20_260_105
MOST_REPLICATIONS, FEWEST_REPLICATIONS = 20, 5
REPLAYED = 200_000
"""Most messages of a log that are replayed."""
PARTS = 4
"""Stretches of a long held-out time from which they are taken."""
METRICS = {
    "latency.p95": "p95",
    "latency.mean": "mean time in the system",
    "wait.mean": "mean wait",
    "service.mean": "mean time on threads",
}
"""What can be compared, in words; all in seconds."""
PARTS_OF_A_LOG = {
    "replayed": "the held-out part",
    "generated": "the whole log",
    "busiest": "the busiest stretch of the held-out part",
}
"""What each kind of check is about."""


@dataclass(frozen=True)
class Observed:
    """What a log shows of a queue: messages, and times in seconds by their metric (``METRICS``)."""

    messages: int
    times: dict[str, float]


@dataclass(frozen=True)
class Look:
    """Instants of held-out messages, in order, and what the log shows of those and of all messages. ``busiest``: the
    same of the busiest stretch, where it is ``load`` times the mean rate of the log."""

    arrivals: Floats
    part: Observed
    whole: Observed
    busiest: tuple[Floats, Observed] | None = None
    load: float = 1.0


@dataclass(frozen=True)
class Check:
    """A prediction of a queue's time in seconds; ``low`` to ``high`` holds 95 % of such parts of a log.

    ``kind``: replayed, the held-out part with its own arrivals; generated, the whole log with the fitted ones; busiest,
    the busiest stretch of the held-out part. ``metric``: latency.p95 of messages; of samples latency.mean, wait.mean,
    service.mean. ``deviation``: predicted minus observed, relative to the observed. ``load``: arrivals of what it is
    about, relative to the mean rate of the log.
    """

    queue: str
    kind: str
    messages: int
    predicted: float | None
    low: float | None
    high: float | None
    observed: float | None
    deviation: float | None
    validated: bool
    sentence: str
    metric: str = "latency.p95"
    load: float = 1.0

    @property
    def contradicts(self) -> bool:
        """Whether the log shows something else: a check of the busiest stretch may also be too uncertain to tell."""
        if self.kind != "busiest" or self.low is None or self.high is None or self.observed is None:
            return self.kind != "busiest" and not self.validated
        return not self.validated and not self.low <= self.observed <= self.high


def checks_of(
    spec: ScenarioSpec, seen: Mapping[str, Item], look: Callable[[Item, int], Look], *, should_stop: ShouldStop
) -> tuple[Check, ...]:
    """Return the checks of each queue of the scenario. ``seen``: counts by the log's name of a queue. ``look`` looks at
    no more than so many held-out messages of one."""
    by_name = {as_name(name): item for name, item in seen.items()}
    looks = {queue.name: look(by_name[queue.name], REPLAYED // len(spec.queues)) for queue in spec.queues}
    held_out = {name: (item.arrivals, item.part) for name, item in looks.items()}
    replayed = _replayed("replayed", spec, held_out, should_stop)
    generated = _generated(spec, {name: item.whole for name, item in looks.items()}, should_stop)
    return (*replayed, *generated, *_busiest(spec, looks, should_stop))


def steepness(spec: ScenarioSpec, load: float, spread: float, should_stop: ShouldStop) -> float:
    """Return by how much the predicted p95 at ``load`` moves, relative, when arrivals move by ``spread``."""
    least, most = (
        _simulated(with_arrivals(spec, load * factor), MESSAGES, should_stop) for factor in (1 - spread, 1 + spread)
    )
    pairs = [(least[name]["latency.p95"], most[name]["latency.p95"]) for name in least]
    return float(max(np.mean(high) / np.mean(low) - 1 if low and high else math.inf for low, high in pairs)) / 2


def _busiest(spec: ScenarioSpec, looks: Mapping[str, Look], should_stop: ShouldStop) -> tuple[Check, ...]:
    """The busiest stretches; queues that share a server would have to be busy at one time, and are left out."""
    stretches = {name: item.busiest for name, item in looks.items() if item.busiest is not None}
    apart = len({queue.server for queue in spec.queues}) == len(spec.queues)
    if not apart or len(stretches) < len(looks):
        return ()
    checks = _replayed("busiest", spec, stretches, should_stop)
    return tuple(replace(check, load=looks[check.queue].load) for check in checks)


def _replayed(
    kind: str, spec: ScenarioSpec, parts: Mapping[str, tuple[Floats, Observed]], should_stop: ShouldStop
) -> tuple[Check, ...]:
    traces: dict[str, Mapping[str, Any]] = {}
    for name, (instants, _) in parts.items():
        start = instants[0] if len(instants) else 0.0
        traces[name] = {"kind": "trace", "source": [float(f"{at:.6f}") for at in (instants - start)] or [0.0]}
    size = sum(len(instants) for instants, _ in parts.values())
    found = _simulated(replaying(spec, traces), size, should_stop)
    return _compared(kind, found, {name: observed for name, (_, observed) in parts.items()})


def _generated(spec: ScenarioSpec, observed: Mapping[str, Observed], should_stop: ShouldStop) -> tuple[Check, ...]:
    size = sum(seen.messages for seen in observed.values())
    if spec.run.horizon.messages is not None:
        spec = revised(spec, [(("run", "horizon"), {"messages": max(1_000, min(size, 500_000))})])
    return _compared("generated", _simulated(spec, size, should_stop), observed)


def _compared(
    kind: str, found: Mapping[str, Mapping[str, list[float]]], observed: Mapping[str, Observed]
) -> tuple[Check, ...]:
    return tuple(
        _judged(name, kind, metric, found[name][metric], seen.messages, time)
        for name, seen in observed.items()
        for metric, time in seen.times.items()
    )


def _simulated(spec: ScenarioSpec, messages: int, should_stop: ShouldStop) -> dict[str, dict[str, list[float]]]:
    """By queue and metric the times of several replications, without those that ran out of room."""
    count = min(MOST_REPLICATIONS, max(FEWEST_REPLICATIONS, EVENTS // max(1, 2 * messages)))
    found: dict[str, dict[str, list[float]]] = {queue.name: {name: [] for name in METRICS} for queue in spec.queues}
    network = spec.network()

    def one(number: int) -> ReplicationRow:
        if should_stop():
            raise Cancelled
        return compact(replicate(network, seed=SEED, replication=number))

    with ThreadPoolExecutor(cpu_count()) as pool:
        rows = [row for row in pool.map(one, range(count)) if not row.overflow]
    for row in rows:
        for at, times in enumerate(found.values()):
            for metric, time in _times(row, at).items():
                times[metric].append(time)
    return found


def _times(row: ReplicationRow, at: int) -> dict[str, float]:
    """The times of one queue in one replication; the means from integrals over time, as samples see them."""
    first, counts = row.histograms[at]
    completed = int(row.counts[:, at, Count.COMPLETED].sum())
    if not counts.size or not completed:
        return {}
    merged = Histogram.counted(first, counts.sum(axis=0, keepdims=True))
    sums = row.sums[:, at].sum(axis=0)
    wait, service = float(sums[Sum.BACKLOG] + sums[Sum.PREPARED]) / completed, float(sums[Sum.RUNNING]) / completed
    return {
        "latency.p95": float(merged.percentile(SHARE)[0]),
        "latency.mean": wait + service,
        "wait.mean": wait,
        "service.mean": service,
    }


def _judged(queue: str, kind: str, metric: str, values: Sequence[float], messages: int, observed: float) -> Check:
    about, what = PARTS_OF_A_LOG[kind], METRICS[metric]
    if messages < FEWEST or len(values) < FEWEST_REPLICATIONS:
        few = f"{about} has {messages} messages, too few to compare a {what}{_needed(kind, FEWEST)}"
        why = few if messages < FEWEST else "the simulated queue grew beyond what can be held"
        unknown, sentence = (None, None, None, observed, None), f"Not validated: {why}."
        return Check(queue, kind, messages, *unknown, validated=False, sentence=sentence, metric=metric)
    predicted = float(np.mean(values))
    half = t_quantile(len(values)) * float(np.std(values, ddof=1)) * math.sqrt(1 + 1 / len(values))
    near, sharp = abs(predicted - observed) <= NEAR * observed, half <= NEAR * predicted
    low, high = max(0.0, predicted - half), predicted + half
    numbers = (predicted, low, high, observed)
    said, least, most, seen = (quantity(number, "s", half, beside=max(numbers))._replace(half="") for number in numbers)
    text = f"predicted {what} {said} ({least} to {most}), observed {seen} in {about}"
    valid = near and sharp
    chance = not sharp and (near or low <= observed <= high)
    more = f"; {messages:,} messages are too few to tell{_needed(kind, messages * (half / NEAR / predicted) ** 2)}"
    reason = "" if valid else more if chance else "; the difference is above 10 %"
    sentence = f"{'Validated' if valid else 'Not validated'}: {text}{reason}."
    off = predicted / observed - 1 if observed else None
    return Check(queue, kind, messages, predicted, low, high, observed, off, valid, sentence, metric)


def _needed(kind: str, messages: float) -> str:
    """How long a log must be for so many messages in the part that a check is about; of a stretch nobody knows."""
    share = {"generated": 1.0, "replayed": 1 - FITTED / BLOCKS}.get(kind)
    if share is None:
        return ""
    least = float(f"{MARGIN * messages / share:.2g}")
    return f"; at this load it takes a log of about {least:,.0f} messages or more"
