"""Estimates with intervals of every metric that exists: for the whole system, each queue, each server, and paired."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

import numpy as np

from simulations.analysis.estimates.intervals import around, jackknife, reach
from simulations.analysis.estimates.metrics import METRICS, PERCENTILES, Metric
from simulations.analysis.estimates.summary import Estimate
from simulations.analysis.replications.columns import Columns, Floats, Measure
from simulations.analysis.replications.measures import Observation, Observed, unfinished
from simulations.analysis.replications.sample import Sample
from simulations.engine.network.model import NetworkSpec
from simulations.engine.network.results import Count

_SYSTEM = -1
FEW_REPLICATIONS = 5
FEW_BEYOND = 30
"""With fewer messages beyond a percentile than this, its value is a rough one."""
NOTICEABLE_SHARE = 1e-3
"""Unfinished messages below this share of the arrivals are the usual few in the threads, and not worth a word."""


def of_system(sample: Sample, *, unstable: bool, only: Collection[str] | None = None) -> dict[str, Estimate]:
    """Return the estimates over all queues together; without latencies when a queue is ``unstable``.

    ``only``: names of the metrics that are wanted here and below; None wants all.
    """
    observed = _at(sample.observed, sample.foreground)
    present = _mechanisms(sample.network, sample.foreground)
    return _estimates(_wanted(only), sample, sample.system, observed, present, unstable=unstable)


def of_queue(
    sample: Sample,
    index: int,
    *,
    unstable: bool,
    only: Collection[str] | None = None,
    system: Mapping[str, Estimate] | None = None,
) -> dict[str, Estimate]:
    """Return the estimates of one queue.

    ``system``: the answer of ``of_system`` to the same question; where there is no other queue, what does not count
    threads is taken from it.
    """
    chosen = [metric for metric in _wanted(only) if metric.scope != "pool"]
    known = system if system is not None and sample.foreground == [index] else {}
    shared = {metric.name: known[metric.name] for metric in chosen if metric.scope == "queue" and metric.name in known}
    rest = [metric for metric in chosen if metric.name not in shared]
    present = _mechanisms(sample.network, [index])
    own = _estimates(rest, sample, sample.queues[index], _at(sample.observed, [index]), present, unstable=unstable)
    found = shared | own
    return {metric.name: found[metric.name] for metric in chosen if metric.name in found}


def of_pool(sample: Sample, index: int) -> dict[str, Estimate]:
    """Return the estimates of one server."""
    chosen = [metric for metric in METRICS if metric.scope != "queue"]
    return _estimates(chosen, sample, sample.pools[index], _at(sample.observed, []), set(), unstable=False)


def of_instances(sample: Sample, index: int) -> tuple[Estimate, ...]:
    """Return the messages that each instance completed of one queue, mean per replication; empty without a cluster."""
    instances = sample.network.pools[sample.network.streams[index].pool].instances
    if instances == 1:
        return ()
    done = sample.observed.per_instance[:, index, :instances].astype(np.float64)
    mean = done.mean(axis=0)
    below, above = reach(done) if len(done) > 1 else (np.zeros(instances), np.zeros(instances))
    note = "" if len(done) > 1 else "one replication: no interval"
    return tuple(
        around(float(value), float(low), float(high), "messages", note)
        for value, low, high in zip(mean, below, above, strict=True)
    )


def differences(
    sample: Sample, baseline: Sample, queue: str = "", *, only: Collection[str] | None = None
) -> dict[str, Estimate]:
    """Return sample minus baseline over the replications that both have (common random numbers).

    For the whole system, or for the ``queue`` of that name in both. Extremes have no difference; nothing is returned
    for fewer than two common replications or a queue that one of them does not have.
    """
    common, ours, theirs = np.intersect1d(sample.replications, baseline.replications, return_indices=True)
    here, there = _place(sample.network, queue), _place(baseline.network, queue)
    if len(common) < 2 or here is None or there is None:
        return {}
    mine, base = _Side(sample, ours, here), _Side(baseline, theirs, there)
    both = [metric for metric in _wanted(only) if not metric.is_extreme and metric.name in mine.exists & base.exists]
    pooled = [(metric, mine.without(base, metric.pooled)) for metric in both if metric.pooled]
    found = {metric.name: _signed(value, below, above, metric) for metric, value, below, above in _intervals(pooled)}
    for metric in both:
        if metric.observed is not None:
            values = metric.observed(mine.observed) - metric.observed(base.observed)
            found[metric.name] = _signed(float(values.mean()), *reach(values), metric)
    ordered = ((metric.name, found.get(metric.name)) for metric in both)
    return {name: estimate for name, estimate in ordered if estimate is not None}


def _wanted(only: Collection[str] | None) -> list[Metric]:
    return [metric for metric in METRICS if only is None or metric.name in only]


def _place(network: NetworkSpec, queue: str) -> int | None:
    """Return the position of the queue, ``_SYSTEM`` without a name, None where there is no such queue."""
    if not queue:
        return _SYSTEM
    return next((place for place, stream in enumerate(network.streams) if stream.name == queue), None)


class _Side:
    """One side of a paired comparison, its replications in the common order."""

    def __init__(self, sample: Sample, chosen: np.ndarray[tuple[int], np.dtype[np.intp]], place: int) -> None:
        whole = place == _SYSTEM
        streams = sample.foreground if whole else [place]
        self.columns = (sample.system if whole else sample.queues[place]).rows(chosen)
        observed = _at(sample.observed, streams)
        self.observed = Observed(observed.extremes[chosen], observed.per_instance[chosen], observed.growth[chosen])
        present = _mechanisms(sample.network, streams)
        self.exists = {
            metric.name
            for metric in METRICS
            if (whole or metric.scope != "pool") and _exists(metric, sample, present, unstable=False)
        }

    def without(self, other: "_Side", measure: Measure) -> Floats:
        """Return this side's values minus the other's: of all replications, then without each, [N + 1]."""
        return self.columns.measured(measure) - other.columns.measured(measure)


def _signed(value: float, below: float | Floats, above: float | Floats, metric: Metric) -> Estimate | None:
    if not np.isfinite(value + below + above):
        return None
    return Estimate(value, value - float(below), value + float(above), metric.unit)


def _mechanisms(network: NetworkSpec, queues: list[int]) -> set[str]:
    streams = [network.streams[index] for index in queues]
    present = {name for name in ("gate", "window", "flow") if any(getattr(stream, name) for stream in streams)}
    if any(stream.quota or stream.flow for stream in streams):
        present.add("producers")
    if any(network.pools[stream.pool].instances > 1 for stream in streams):
        present.add("cluster")
    return present


def _at(observed: Observed, queues: list[int]) -> Observed:
    return Observed(observed.extremes[:, queues], observed.per_instance[:, queues], observed.growth[:, queues])


def _estimates(
    metrics: Iterable[Metric],
    sample: Sample,
    columns: Columns,
    observed: Observed,
    present: set[str],
    *,
    unstable: bool,
) -> dict[str, Estimate]:
    there = [metric for metric in metrics if _exists(metric, sample, present, unstable=unstable)]
    found = _pooled(there, sample, columns)
    for metric in there:
        if metric.observed is not None:
            found[metric.name] = _combined(metric, metric.observed, observed)
    ordered = ((metric.name, found.get(metric.name)) for metric in there)
    return {name: estimate for name, estimate in ordered if estimate is not None}


def _exists(metric: Metric, sample: Sample, present: set[str], *, unstable: bool) -> bool:
    if metric.needs and metric.needs not in present:
        return False
    if metric.only == "transient":
        return sample.transient and not unstable
    return unstable if metric.only == "unstable" else metric.when_unstable or not unstable


def _pooled(metrics: Iterable[Metric], sample: Sample, columns: Columns) -> dict[str, Estimate | None]:
    """Return the estimates of the pooled metrics that have a number in each sample, all intervals in one go."""
    values = [(metric, columns.measured(metric.pooled)) for metric in metrics if metric.pooled]
    return {
        metric.name: around(
            whole, below, above, metric.unit, _note(metric, sample, columns.jackknifed), most=metric.most
        )
        for metric, whole, below, above in _intervals(values)
    }


def _intervals(values: Sequence[tuple[Metric, Floats]]) -> Iterator[tuple[Metric, float, float, float]]:
    """Yield metric, value and how far its interval reaches below and above, where the numbers exist.

    Of each metric the value of all replications and those without each, [N + 1].
    """
    if not values:
        return
    metrics, columns = zip(*values, strict=True)
    table = np.stack(columns, axis=1)
    known = np.flatnonzero(np.isfinite(table).all(axis=0))
    table = table.take(known, axis=1)
    below, above = jackknife(table[0], table[1:])
    for place, *interval in zip(known, table[0].tolist(), below.tolist(), above.tolist(), strict=True):
        yield metrics[place], *interval


def _note(metric: Metric, sample: Sample, merged: Columns) -> str:
    """Say what there is to be cautious about; the first row of ``merged`` merges all replications."""
    notes = []
    if sample.units == "segments":
        notes.append("one replication: the interval comes from its segments")
    elif len(sample.replications) < FEW_REPLICATIONS:
        notes.append(f"{len(sample.replications)} replications only: the interval is wide")
    share = PERCENTILES.get(metric.name.removeprefix("latency."))
    beyond = FEW_BEYOND if share is None else int(merged.histogram.sizes[0] * (1 - share))
    if beyond < FEW_BEYOND:
        notes.append(f"{beyond} messages beyond this percentile only: a rough value")
    if sample.transient and metric.name.startswith("latency."):
        notes.extend(_unfinished(merged))
    return "; ".join(notes)


def _unfinished(merged: Columns) -> list[str]:
    """Say how many messages of a run without a steady state have no latency, because they were inside at its end."""
    arrived, left = int(merged.counts[0, Count.ARRIVED]), int(unfinished(merged)[0])
    if left <= NOTICEABLE_SHARE * arrived:
        return []
    return [f"{left} of {arrived} messages had not ended when the runs did; their latencies are not in it"]


def _combined(metric: Metric, observation: Observation, observed: Observed) -> Estimate | None:
    values = observation(observed)
    if metric.is_extreme:
        return _range(metric, values[np.isfinite(values)])
    if not np.isfinite(values).all():
        return None
    value = float(values.mean())
    if len(values) == 1:
        return Estimate(value, value, value, metric.unit, note="one replication: no interval")
    below, above = reach(values)
    return around(value, float(below), float(above), metric.unit, most=metric.most)


def _range(metric: Metric, values: Floats) -> Estimate | None:
    if not values.size:
        return None
    low, high = float(values.min()), float(values.max())
    return Estimate(
        high if metric.combine == "largest" else low, low, high, metric.unit, note="range over replications"
    )
