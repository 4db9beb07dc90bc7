"""Where the start of a run stops to matter: MSER-5 over the averaged series of all replications.

MSER-5 (White, Cobb and Spratt 2000) drops the first d batches of five so that the squared standard error of the
mean of the rest is smallest. It is applied to every queue; the longest cut wins, because segments are common to all.
While threads are still being started nothing is steady, whatever the latencies say.
"""

import math
from dataclasses import dataclass

import numpy as np

from simulations.analysis.replications.measures import Floats
from simulations.analysis.replications.rows import Stack, ratio
from simulations.engine.network.results import Count, PoolSum, Sum

BATCH = 5
LARGEST_SHARE = 0.5
"""The rule may drop at most this share: a minimum further right only says that the run is too short."""
SURE, NOTABLE = 5.0, 0.05
"""Standard errors, and share of itself, by which the pace must change over a run for that to count."""


@dataclass(frozen=True)
class Warmup:
    """The cut: whole segments, the share of the run that they are, its mean length in seconds."""

    segments: int = 0
    fraction: float = 0.0
    seconds: float = 0.0
    at_limit: bool = False
    """The rule wanted to drop half of the run or more, or what is left still gets faster or slower: it is too short."""


def mser(values: Floats) -> int:
    """Return how many leading ``values`` to drop: a multiple of ``BATCH``, at most half of them."""
    batches = len(values) // BATCH
    if batches < 4:
        return 0
    means = values[: batches * BATCH].reshape(batches, BATCH).mean(axis=1)
    if np.ptp(means) <= 1e-9 * abs(means.mean()):  # constant but for rounding
        return 0
    kept = np.arange(batches, 0, -1)
    tail_sum = means[::-1].cumsum()[::-1]
    tail_squares = ((means - means.mean()) ** 2)[::-1].cumsum()[::-1]
    offset = tail_sum / kept - means.mean()
    error = (tail_squares - kept * offset**2) / kept.astype(np.float64) ** 2
    errors = error[: int(batches * LARGEST_SHARE) + 1]
    least = errors.min() + 1e-9 * errors[0]  # of cuts that are equal but for rounding the first
    return int(np.argmax(errors <= least)) * BATCH


def averaged(series: Floats) -> Floats:
    """Return the mean latency over replications by position in the run: [R, K, 2] messages and sums to [K'].

    Replications may have grouped their messages differently; the coarsest grouping is used, up to the shortest run.
    Groups without a message are dropped.
    """
    messages = series[:, :, 0].cumsum(axis=1)
    latency = series[:, :, 1].cumsum(axis=1)
    common, size = messages[:, -1].min(), series[:, 0, 0].max()
    groups = int(common // size) if size > 0 else 0
    if groups == 0:
        return np.zeros(0)
    grid = np.arange(groups + 1) * size
    pairs = zip(messages, latency, strict=True)
    paths = [np.interp(grid, np.append(0.0, counted), np.append(0.0, summed)) for counted, summed in pairs]
    return np.diff(np.mean(paths, axis=0)) / size  # type: ignore[no-any-return]


def automatic(stack: Stack) -> Warmup:
    """Return the cut of MSER-5, rounded up to a segment, or that of threads still being started; at most half of all.

    At least one segment: every run starts empty, and where noise hides the start from the rule, keeping it biases the
    percentiles of a busy queue more than losing a sixteenth of the run widens their intervals (ADR 0030).
    """
    shares = []
    for queue in range(stack.series.shape[1]):
        path = averaged(stack.series[:, queue])
        shares.append(mser(path) / len(path) if len(path) else 0.0)
    segments = stack.durations.shape[1]
    share = max(shares)
    cut = min(max(math.ceil(share * segments), _started(stack), 1), segments // 2)
    sent = stack.counts[..., Count.ADMITTED].sum(axis=2) * 1.0, stack.sums[..., Sum.BLOCKED_SENDS].sum(axis=2)
    drifts = any(_drifts(pace[:, cut:]) for pace in (stack.durations, *sent))
    return _cut(stack, cut, at_limit=cut >= segments // 2 or drifts)


def _started(stack: Stack) -> int:
    """Return the segments until each pool has about as many threads as in the end. Latencies do not show it where
    something behind the threads, or a limit before them, decides how long messages take."""
    states = stack.pool_sums[..., : PoolSum.CPU].sum(axis=(0, 3))
    threads = ratio(states, stack.durations.sum(axis=0)[:, None])
    return int(np.argmax(threads >= (1 - NOTABLE) * threads[-1], axis=0).max())


def _drifts(pace: Floats) -> bool:
    """Whether a sum over each segment, [R, S], is another in the last quarter of them than in the first. Latencies do
    not show it where a queue is never empty and threads are still being added, or producers slowed down."""
    quarter = max(1, pace.shape[1] // 4)
    first, last = pace[:, :quarter].sum(axis=1), pace[:, -quarter:].sum(axis=1)
    error = np.std(last - first, ddof=1) / len(first) ** 0.5 if len(first) > 2 else math.inf
    return bool(abs(np.mean(last - first)) > max(SURE * error, NOTABLE * np.mean(first)))


def fixed(stack: Stack, seconds: float) -> Warmup:
    """Return the cut of a given length, rounded up to a segment; at least one segment stays."""
    ends = stack.durations.mean(axis=0).cumsum()
    segments = int(np.searchsorted(ends, seconds * (1 - 1e-9))) + 1 if seconds > 0 else 0
    return _cut(stack, min(segments, len(ends) - 1), at_limit=segments >= len(ends))


def _cut(stack: Stack, segments: int, *, at_limit: bool) -> Warmup:
    seconds = float(stack.durations[:, :segments].sum(axis=1).mean())
    return Warmup(segments, segments / stack.durations.shape[1], seconds, at_limit)
