"""Curves of bounded size for the charts: the tail of the latency, bands and threads over time, one sampled path."""

import math
from dataclasses import replace

import numpy as np

from simulations.analysis.estimates.intervals import jackknife
from simulations.analysis.replications.measures import Columns, Floats
from simulations.analysis.replications.rows import Histogram, ReplicationRow, Stack, edges, ratio
from simulations.engine.network.results import AtInstance, PoolSum, ReplicationResult, Timeline

TAIL_POINTS = 200
TIMELINE_POINTS = 512
BANDS = {"p50": 0.50, "p95": 0.95, "p99": 0.99}
STATES = (PoolSum.BUSY, PoolSum.IDLE_NO_WORK, PoolSum.IDLE_BLOCKED, PoolSum.HELD)
"""What a thread can be doing; together these are all threads that exist."""

Curve = dict[str, list[float | None]]


def tail(columns: Columns) -> Curve:
    """Return ``latency`` (s) and the ``survival`` (share of slower messages) with its 95 % band ``low`` and ``high``.
    At most 200 points, evenly spread over the logarithm of the survival, down to the slowest message."""
    histogram, merged = columns.histogram, columns.histogram.merged
    whole = merged.survival(slice(None))[0]
    if not np.isfinite(whole).all():
        return {}
    levels = np.geomspace(1.0, 0.5 / int(merged.sizes[0]), TAIL_POINTS)
    last_above = np.searchsorted(-whole, -levels, side="right")
    at = np.unique(np.clip(last_above, 0, len(whole) - 1))
    at = at[whole[at] > 0]
    curve: Curve = {"latency": _plain(edges()[histogram.first + at + 1]), "survival": _plain(whole[at])}
    return curve | _band(("low", "high"), whole[at], histogram.jackknifed.survival(at)[1:], most=1.0)


def bands(stack: Stack, queue: int) -> Curve:
    """Return the percentiles of latency by segment of the run: ``band_time`` (s), ``p50``, ``p95``, ``p99`` over all
    replications' messages, and the 95 % band of the second, ``p95_low`` and ``p95_high``.

    Needs at least two replications; a segment in which a replication completed nothing has no band (None).
    """
    first, counts = stack.histograms[queue]
    total = counts.sum(axis=0, dtype=np.int64)
    merged = Histogram.counted(first, total)
    percentiles = {name: merged.percentile(share) for name, share in BANDS.items()}
    curve: Curve = {"band_time": _plain(stack.middles)} | {name: _plain(values) for name, values in percentiles.items()}
    left_out = np.array([Histogram.counted(first, total - group).percentile(BANDS["p95"]) for group in counts])
    return curve | _band(("p95_low", "p95_high"), percentiles["p95"], left_out)


def _band(names: tuple[str, str], whole: Floats, left_out: Floats, most: float = math.inf) -> Curve:
    """Return both ends of the 95 % interval of values between 0 and ``most``, from those without each replication."""
    below, above = jackknife(whole, left_out)
    low, high = names
    return {low: _plain(np.maximum(whole - below, 0.0)), high: _plain(np.minimum(whole + above, most))}


def threads(stack: Stack, pool: int) -> Curve:
    """Return the mean number of threads in each state by segment of the run, over all replications.

    ``band_time`` (s), one list per state of ``STATES`` in lower case, and with two or more replications the 95 % band
    of the busy ones, ``busy_low`` and ``busy_high``. None = no replication lasted that long.
    """
    durations, spent = stack.durations, stack.pool_sums[:, :, pool]
    curve: Curve = {"band_time": _plain(stack.middles)}
    means = {state: ratio(spent[:, :, state].sum(axis=0), durations.sum(axis=0)) for state in STATES}
    curve |= {state.name.lower(): _plain(mean) for state, mean in means.items()}
    if len(stack) < 2:
        return curve
    busy = spent[:, :, PoolSum.BUSY]
    left_out = ratio(busy.sum(axis=0) - busy, durations.sum(axis=0) - durations)
    return curve | _band(("busy_low", "busy_high"), means[PoolSum.BUSY], left_out)


def timeline(row: ReplicationRow, queue: int) -> Curve:
    """Return the sampled path of one replication: ``time`` (s) and one list per column of ``Timeline``, None = nothing.
    At most 512 samples, every k-th of the engine's."""
    step = max(1, -(-len(row.timeline_at) // TIMELINE_POINTS))
    columns = row.timeline[::step, queue].copy()
    columns[columns[:, Timeline.ADMITTED] < 0, Timeline.ADMITTED] = np.nan
    curve: Curve = {"time": _plain(row.timeline_at[::step])}
    return curve | {column.name.lower(): _plain(columns[:, column]) for column in Timeline}


def by_instance(result: ReplicationResult, queue: int, instances: int) -> Curve:
    """Return the sampled path of one queue's instances: ``time`` (s), and for each instance ``running.1``, threads in
    use, and ``buffered.1``, further messages that it has taken or been sent. At most 512 samples, as ``timeline``.
    """
    step = max(1, -(-len(result.timeline_at) // TIMELINE_POINTS))
    seen = result.by_instance[::step, queue, :instances].astype(np.float64)
    running = seen[..., AtInstance.RUNNING]
    buffered = np.maximum(seen[..., AtInstance.INFLIGHT] - running, 0)
    curve: Curve = {"time": _plain(result.timeline_at[::step])}
    for name, values in (("running", running), ("buffered", buffered)):
        curve |= {f"{name}.{number + 1}": _plain(values[:, number]) for number in range(instances)}
    return curve


def telling_stretch(result: ReplicationResult, seconds: float) -> ReplicationResult:
    """Return the result with the samples of a stretch of ``seconds`` only, later than the beginning, which is empty.

    It lies around the time when most threads idle behind a limit; where none do when the limit first closes, and where
    that never happens when most messages wait. A result that ends before keeps its last seconds.
    """
    at, columns = result.timeline_at, result.timeline.sum(axis=1) * (result.timeline_at >= seconds)[:, None]
    waiting = columns[:, Timeline.BACKLOG] + columns[:, Timeline.PREPARED]
    signs = (columns[:, Timeline.IDLE_BLOCKED], columns[:, Timeline.BLOCKED] > 0, waiting)
    middle = at[np.argmax(next((sign for sign in signs if sign.any()), waiting))]
    start = min(max(middle - seconds / 2, seconds), at[-1] - seconds)
    kept = (at >= start) & (at <= start + seconds)
    return replace(result, timeline_at=at[kept], timeline=result.timeline[kept], by_instance=result.by_instance[kept])


def _plain(values: Floats) -> list[float | None]:
    plain: list[float] = values.tolist()
    return [*plain] if np.isfinite(values).all() else [value if math.isfinite(value) else None for value in plain]
