"""Estimates with intervals of every metric that exists: for the whole system, each queue, each server, and paired."""

import math
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

import numpy as np

from simulations.analysis.estimates import intervals
from simulations.analysis.estimates.metrics import BY_NAME, METRICS, Metric
from simulations.analysis.estimates.summary import Estimate
from simulations.analysis.replications.measures import FEW, Columns, Floats, Observation, Observed, unfinished
from simulations.analysis.replications.sample import Place, Sample
from simulations.engine.network.results import Count

FEW_REPLICATIONS = 5
FEW_BEYOND, FEWEST_BEYOND = 30, 0.999
"""With fewer messages beyond a percentile it is rough; with less than one, but for rounding, only the longest."""
ROUNDING = 1e-9
NOTICEABLE_SHARE = 1e-3
"""Unfinished messages below this share of the arrivals are the usual few in the threads, and not worth a word."""


def of_system(sample: Sample, *, unstable: bool, only: Collection[str] | None = None) -> dict[str, Estimate]:
    """Return the estimates over all queues together; without latencies when a queue is ``unstable``. ``only``: names of
    the metrics that are wanted here and below; None wants all."""
    return _estimates(_wanted(only), sample.everywhere, unstable=unstable)


def of_queue(
    sample: Sample,
    index: int,
    *,
    unstable: bool,
    only: Collection[str] | None = None,
    system: Mapping[str, Estimate] | None = None,
) -> dict[str, Estimate]:
    """Return the estimates of one queue. ``system``: the answer of ``of_system``; the only queue takes from it
    everything that does not count threads."""
    chosen = [metric for metric in _wanted(only) if metric.scope != "pool"]
    known = system if system is not None and sample.foreground == [index] else {}
    shared = {metric.name: known[metric.name] for metric in chosen if metric.scope == "queue" and metric.name in known}
    rest = [metric for metric in chosen if metric.name not in shared]
    return _in_order(chosen, shared | _estimates(rest, sample.at_queue(index), unstable=unstable))


def of_pool(sample: Sample, index: int) -> dict[str, Estimate]:
    """Return the estimates of one server."""
    chosen = [metric for metric in METRICS if metric.scope != "queue"]
    return _estimates(chosen, sample.at_server(index), unstable=False)


def of_instances(sample: Sample, index: int) -> tuple[Estimate, ...]:
    """Return the messages that each instance completed of one queue, mean per replication; empty without a cluster."""
    instances = sample.network.pools[sample.network.streams[index].pool].instances
    if instances == 1:
        return ()
    done = sample.observed.per_instance[:, index, :instances].astype(np.float64)
    return tuple(intervals.mean_estimate(each, "messages") for each in done.T)


def differences(
    sample: Sample, baseline: Sample, queue: str = "", *, only: Collection[str] | None = None
) -> dict[str, Estimate]:
    """Return sample minus baseline over the replications that both have (common random numbers).

    For the whole system, or for the ``queue`` of that name in both. Extremes have no difference; nothing is returned
    for fewer than two common replications or a queue that one of them does not have.
    """
    common, ours, theirs = np.intersect1d(sample.replications, baseline.replications, return_indices=True)
    here, there = _place(sample, queue), _place(baseline, queue)
    if len(common) < 2 or here is None or there is None:
        return {}
    mine, base = here.rows(ours), there.rows(theirs)
    asked = [metric for metric in _wanted(only) if not metric.is_extreme and (not queue or metric.scope != "pool")]
    shared = {metric.name for metric in _existing(asked, base, unstable=False)}
    both = [metric for metric in _existing(asked, mine, unstable=False) if metric.name in shared]
    pooled = [
        (metric, _columns(mine, metric).measured(metric.pooled) - _columns(base, metric).measured(metric.pooled))
        for metric in both
        if metric.pooled
    ]
    reaches = _intervals(pooled)
    changes = {metric.name: _signed(value, below, above, metric) for metric, value, below, above, *_ in reaches}
    for metric in both:
        if metric.observed is not None:
            values = metric.observed(mine.observed) - metric.observed(base.observed)
            changes[metric.name] = _signed(float(values.mean()), *intervals.reach(values), metric)
    return _in_order(both, changes)


def _wanted(only: Collection[str] | None) -> list[Metric]:
    return [metric for metric in METRICS if only is None or metric.name in only]


def _in_order(metrics: Iterable[Metric], estimates: Mapping[str, Estimate | None]) -> dict[str, Estimate]:
    """Return the estimates that exist in the order of their ``metrics``."""
    ordered = ((metric.name, estimates.get(metric.name)) for metric in metrics)
    return {name: estimate for name, estimate in ordered if estimate is not None}


def _place(sample: Sample, queue: str) -> Place | None:
    """Return the queue of that name, the whole system without a name, None where there is no such queue."""
    if not queue:
        return sample.everywhere
    names = [stream.name for stream in sample.network.streams]
    return sample.at_queue(names.index(queue)) if queue in names else None


def _signed(value: float, below: float | Floats, above: float | Floats, metric: Metric) -> Estimate | None:
    if not np.isfinite(value + below + above):
        return None
    return Estimate(value, value - float(below), value + float(above), metric.unit)


def _mechanisms(place: Place) -> set[str]:
    network = place.sample.network
    streams = [network.streams[index] for index in place.queues]
    present = {name for name in ("gate", "window", "flow") if any(getattr(stream, name) for stream in streams)}
    if any(stream.quota or stream.flow for stream in streams):
        present.add("producers")
    pools = [network.pools[stream.pool] for stream in streams] or network.pools
    if any(pool.instances > 1 for pool in pools):
        present.add("cluster")
    if any(pool.outage for pool in pools) or any(stream.outage or stream.absence for stream in streams):
        present.add("outage")
    if any(pool.outage or pool.queue_capacity for pool in pools):
        present.add("absence")
    if place.columns.chains is not None:
        present.add("chain")
    return present


def _existing(metrics: Iterable[Metric], place: Place, *, unstable: bool) -> list[Metric]:
    """Return the metrics that such a run has at the place."""
    present = _mechanisms(place) | {""}
    runs = {"transient": place.sample.transient and not unstable, "unstable": unstable}
    return [
        metric
        for metric in metrics
        if metric.needs in present and runs.get(metric.only, metric.when_unstable or not unstable)
    ]


def _estimates(metrics: Iterable[Metric], place: Place, *, unstable: bool) -> dict[str, Estimate]:
    there = _existing(metrics, place, unstable=unstable)
    estimates = _pooled(there, place)
    for metric in there:
        if metric.observed is not None:
            estimates[metric.name] = _combined(metric, metric.observed, place.observed)
    return _in_order(there, estimates)


def _columns(place: Place, metric: Metric) -> Columns:
    return place.columns.of_chains if metric.needs == "chain" else place.columns


def _pooled(metrics: Iterable[Metric], place: Place) -> dict[str, Estimate | None]:
    """Return the estimates of the pooled metrics that have a number in each sample, all intervals in one go."""
    values = [(metric, _columns(place, metric).measured(metric.pooled)) for metric in metrics if metric.pooled]
    estimates: dict[str, Estimate | None] = {}
    for metric, whole, below, above, usual, others in _intervals(values):
        columns, sized = _columns(place, metric), metric.unit not in ("events", "messages")
        few, beyond = columns.few(metric.rests_on), columns.beyond(metric.share)
        edge = _edge(metric, place, whole, below) if metric.per_run or metric.unit == "/s" else 0.0
        down, up = intervals.rare(whole, max(below, edge), max(above, edge), few, sized=sized)
        if metric.share and beyond < FEWEST_BEYOND:
            continue
        if metric.share:
            up *= intervals.upwards(metric.share, beyond)
            down, up = intervals.beside_gaps(columns, metric.share, whole, down, up)
        else:
            down, up = intervals.rare(whole, down, up, others, usual=usual)
        note = _note(metric, place, few, others)
        estimates[metric.name] = intervals.around(whole, down, up, metric.unit, note, most=metric.most)
    return estimates


def _edge(metric: Metric, place: Place, whole: float, below: float) -> float:
    """Return what one more event of each replication, and of each queue, would add to a rate or a count of whole runs.
    Nothing to a count without a warm-up cut, or of which replications differ: chance evens out what their ends miss."""
    columns, size = _columns(place, metric), len(place.columns.runs)
    if metric.unit == "/s":
        happened = float(columns.jackknifed.counts[0, list(metric.rests_on)].sum()) / size
        return whole / happened if 0 < happened < FEW else 0.0
    left = float(columns.runs.sum()) / len(place.sample.replications)
    alike = below * math.sqrt(size) / intervals.t_quantile(size) < 1 / (2 * left)
    return min(len(place.queues) / left, whole) if left < 1 - ROUNDING and alike else 0.0


def _intervals(values: Sequence[tuple[Metric, Floats]]) -> Iterator[tuple[Metric, float, float, float, float, float]]:
    """Yield metric, value, how far its interval reaches below and above, and what is ``concentrated`` there. Of each
    metric the value of all replications and those without each, [N + 1]."""
    if not values:
        return
    metrics, columns = zip(*values, strict=True)
    table = np.stack(columns, axis=1)
    known = np.flatnonzero(np.isfinite(table).all(axis=0))
    table = table.take(known, axis=1)
    single = intervals.pseudo_values(table[0], table[1:])
    numbers = np.stack([table[0], *intervals.reach(single), *intervals.concentrated(single)], axis=1)
    for place, (value, below, above, usual, others) in zip(known, numbers.tolist(), strict=True):
        yield metrics[place], value, below, above, usual, others


def _note(metric: Metric, place: Place, few: float, others: float) -> str:
    """Say what there is to be cautious about."""
    sample, merged = place.sample, place.columns.jackknifed  # the first row merges all replications
    notes = []
    if sample.units == "segments":
        notes.append("one replication: the interval comes from its segments")
    elif len(sample.replications) < FEW_REPLICATIONS:
        notes.append(f"{len(sample.replications)} replications only: the interval is wide")
    if few:
        notes.append(f"rests on {few:.0f} events: a rough value")
    elif others and not metric.share:
        notes.append(intervals.FEW_DIFFER)
    if metric.share and (beyond := int(_columns(place, metric).beyond(metric.share))) < FEW_BEYOND:
        notes.append(f"{beyond} messages beyond this percentile only: a rough value")
    if sample.transient and metric.name.startswith(("latency.", "end_to_end.")):
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
    known = values[np.isfinite(values)]
    if not metric.is_extreme:
        return intervals.mean_estimate(values, metric.unit, most=metric.most) if len(known) == len(values) else None
    if not known.size:
        return None
    low, high = float(known.min()), float(known.max())
    value = high if metric.combine == "largest" else low
    return Estimate(value, low, high, metric.unit, note="range over replications")


def replication_values(place: Place, metrics: Iterable[str]) -> Iterator[tuple[str, Floats]]:
    """Yield metrics of every replication on its own, nan where it says nothing: what the estimates are made of.

    A percentile of merged replications is not the mean of theirs, so these values explain an estimate without summing
    up to it; differences between points pair up by replication number (common random numbers).
    """
    # A single replication was cut into its segments to get an interval; here it is one value again.
    columns = place.columns if place.sample.units == "replications" else place.columns.merged()
    for name in metrics:
        metric = BY_NAME[name]
        if metric.pooled is not None:
            yield name, metric.pooled(columns.of_chains if metric.needs == "chain" else columns)
        elif metric.observed is not None:
            yield name, metric.observed(place.observed)
