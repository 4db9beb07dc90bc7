"""Intervals of 95 % over independent replications, and how many replications a wished width takes.

Pooled values get the jackknife: leave each replication out in turn, so that one rule serves means, ratios and
percentiles, the bias of a percentile of a finite run (of order 1/length) falls to that of the pooled run, and a
replication that differs in size gets its true weight. ADR 0031 compares it with the alternatives.
"""

import math
from typing import NamedTuple

from scipy.special import stdtrit

from simulations.analysis.columns import Floats
from simulations.analysis.summary import Estimate

CONFIDENCE = 0.95


class Precision(NamedTuple):
    """What is asked: the half-width of the interval of ``metric``, relative to its value (0.02 = 2 %)."""

    metric: str = "latency.p95"
    relative: float = 0.02


def t_quantile(samples: int) -> float:
    """Return the two-sided 95 % quantile of Student's t for a mean of ``samples`` values; needs at least two."""
    if samples < 2:
        msg = "an interval needs at least two samples"
        raise ValueError(msg)
    return float(stdtrit(samples - 1, 0.5 + CONFIDENCE / 2))


def jackknife(whole: Floats, left_out: Floats) -> Floats:
    """Return the half-width of the interval around ``whole`` [...] from the values without each sample, [N, ...]."""
    samples = len(left_out)
    pseudo = samples * whole - (samples - 1) * left_out
    return mean_half_width(pseudo)


def mean_half_width(values: Floats) -> Floats:
    """Return the half-width of the t-interval of the mean over the first axis."""
    samples = len(values)
    return t_quantile(samples) * values.std(axis=0, ddof=1) / math.sqrt(samples)  # type: ignore[no-any-return]


def around(value: float, half_width: float, unit: str, note: str = "") -> Estimate:
    """Return the estimate ``value`` ± ``half_width``; the interval of a value that cannot be negative ends at 0."""
    low = value - half_width
    return Estimate(value, max(low, 0.0) if value >= 0 else low, value + half_width, unit, note=note)


def relative_half_width(estimate: Estimate) -> float:
    """Return half the interval's width divided by the value; inf when the value is 0 and the interval is not."""
    half = (estimate.high - estimate.low) / 2
    if half == 0:
        return 0.0
    return half / abs(estimate.value) if estimate.value else math.inf


def replications_needed(estimate: Estimate, replications: int, relative: float) -> int:
    """Return how many replications in all should bring the relative half-width down to ``relative``.

    The spread seen in the ``replications`` done so far is taken as the true one, so the answer is a forecast: after the
    next round it is asked again. Never less than ``replications``; twice as many when the value is 0.
    """
    now = relative_half_width(estimate)
    if now <= relative:
        return replications
    if not math.isfinite(now):
        return 2 * replications
    spread = now * math.sqrt(replications) / t_quantile(max(replications, 2))
    wanted = replications
    for _ in range(20):  # the quantile depends on the answer; this converges in three or four steps
        step = max(math.ceil((t_quantile(max(wanted, 2)) * spread / relative) ** 2), replications + 1)
        if step == wanted:
            break
        wanted = step
    return wanted
