"""Intervals of 95 % over independent replications, and how many replications a given width takes.

Pooled values get the jackknife: leave each replication out in turn, so that one rule serves means, ratios and
percentiles, the bias of a percentile of a finite run (of order 1/length) falls to that of the pooled run, and a
replication that differs in size gets its true weight. The t-interval of the pseudo-values is widened for their
skewness, without which high percentiles of busy queues are missed too often. ADR 0031 has the figures.
"""

import math
from typing import NamedTuple

import numpy as np
from scipy.special import fdtri, gammaincinv, ndtri, stdtrit

from simulations.analysis.estimates.summary import Estimate
from simulations.analysis.replications.measures import FEW, Columns, Floats
from simulations.analysis.replications.rows import edges

CONFIDENCE = 0.95
NORMAL_QUANTILE = float(ndtri(0.5 + CONFIDENCE / 2))
LARGEST_SHIFT = 0.12
"""Most of skewness x t / (6 sqrt(n)) that is corrected: one side grows by about half then. For ten values this
is a skewness of 1; of so few values it is known too badly to trust more (ADR 0031)."""
TAIL = 0.99
"""Percentiles from this share on have an interval that is longer upwards, by ``upwards``."""
FEW_IN_TAIL = 2_000
"""Messages beyond such a percentile, of all replications, up to which that side is one and a half times as long."""
CONCENTRATED = 0.2
"""Share of the replications that makes up nearly all that differs, at most, where this is rare events."""
FEW_DIFFER = "few replications differ from the others: a rough value"


class Precision(NamedTuple):
    """The largest half-width of the interval of ``metric``, relative to its value (0.02 = 2 %)."""

    metric: str = "latency.p95"
    relative: float = 0.02


def t_quantile(samples: int) -> float:
    """Return the two-sided 95 % quantile of Student's t for a mean of ``samples`` values; needs at least two."""
    if samples < 2:
        raise ValueError("an interval needs at least two samples")
    return float(stdtrit(samples - 1, 0.5 + CONFIDENCE / 2))


def jackknife(whole: Floats, left_out: Floats) -> tuple[Floats, Floats]:
    """Return how far the interval reaches below and above ``whole``, from the values without each sample [N, ...]."""
    return reach(pseudo_values(whole, left_out))


def pseudo_values(whole: Floats, left_out: Floats) -> Floats:
    """Return what each sample adds to ``whole`` by itself, from the values without it [N, ...]."""
    samples = len(left_out)
    return np.asarray(samples * whole - (samples - 1) * left_out)


def reach(values: Floats) -> tuple[Floats, Floats]:
    """Return how far the 95 % interval of the mean over the first axis reaches below and above that mean.

    Each side is the longer of Student's t and of t skewed by the transformation of R. Willink, "A confidence interval
    and test for the mean of an asymmetric distribution", Communications in Statistics 34 (2005).
    """
    samples, quantile = len(values), t_quantile(len(values))
    centered = values - values.mean(axis=0)
    deviation = values.std(axis=0, ddof=1)
    error = deviation / math.sqrt(samples)
    plain = quantile * error
    if samples < 3:
        return plain, plain
    third = (centered**3).sum(axis=0) * samples / ((samples - 1) * (samples - 2))
    skewness = np.divide(third, deviation**3, out=np.zeros_like(error), where=deviation**3 > 0)
    largest = LARGEST_SHIFT / quantile
    skew = np.clip(skewness / (6 * math.sqrt(samples)), -largest, largest)
    return np.maximum(plain, _skewed(quantile, skew) * error), np.maximum(plain, -_skewed(-quantile, skew) * error)


def upwards(share: float, beyond: float) -> float:
    """Return by which factor the upper side of the interval of a percentile is longer, ``beyond`` messages above it.

    High percentiles of busy queues come from few long busy periods. Replications that happen to have none agree on a
    value that is too low, and nothing in them shows it; the factor falls towards 1 as messages come in (ADR 108).
    """
    return 1.0 if share < TAIL else 1.0 + 0.5 * math.sqrt(min(FEW_IN_TAIL / max(beyond, 1.0), 1.0))


def rare(
    value: float, below: float, above: float, events: float, *, sized: bool = True, usual: float = 0.0
) -> tuple[float, float]:
    """Return how far the interval reaches: at least as far as few ``events`` leave open; 0 of them change nothing.

    Of few events replications may agree by chance, and none shows what the next one may see. Their count has the
    limits of F. Garwood, "Fiducial limits for the Poisson distribution", Biometrika 28 (1936). Where they are ``sized``
    they add what varies as exponential values do, and the limits are those of an F distribution (ADR 188).
    ``usual``: the value without such events.
    """
    if not events:
        return below, above
    tail, twice = (1 - CONFIDENCE) / 2, 2 * events
    least, most = gammaincinv([events, events + 1], [tail, 1 - tail]) / events
    if sized:
        least, most = fdtri(twice, twice, tail), (1 + 1 / events) * fdtri(twice + 2, twice, 1 - tail)
    nearer, farther = abs(value - usual) * float(1 - least), abs(value - usual) * float(most - 1)
    lower, upper = (nearer, farther) if value >= usual else (farther, nearer)
    return max(below, lower), max(above, upper)


def concentrated(values: Floats) -> tuple[Floats, Floats]:
    """Return the usual one of the ``values`` [N, ...], and on how many of them the distance of their mean to it rests.

    That is the effective size of L. Kish, "Survey Sampling" (1965), of their distances to the median; 0 where these are
    more than few of the values, whose spread then tells how they vary.
    """
    usual = np.median(values, axis=0)
    apart = np.where(np.isclose(values, usual, rtol=1e-9, atol=0.0), 0.0, np.abs(values - usual))  # but for rounding
    squares = (apart**2).sum(axis=0)
    size = np.divide(apart.sum(axis=0) ** 2, squares, out=np.zeros_like(squares), where=squares > 0)
    return usual, np.where(size <= CONCENTRATED * len(values), size, 0.0)


def beside_gaps(columns: Columns, share: float, value: float, below: float, above: float) -> tuple[float, float]:
    """Return how far the interval of the percentile ``value`` reaches, ``below`` and ``above`` as a rule.

    Where no latencies lie for most of the way and 1 % of the value, as beside a redelivery delay, leaving replications
    out shows one side alone. The interval of the share of messages up to the value shows both: R. S. Woodruff,
    "Confidence intervals for medians and other position measures", J. American Statistical Association 47 (1952).
    Where the messages beyond it are few, it shows too how rare these are.
    """
    histogram, longest = columns.histogram, float(columns.jackknifed.longest[0])
    slower = histogram.jackknifed.survival(np.searchsorted(edges(), [value]) - 1 - histogram.first)[:, 0]
    less, more = map(float, jackknife(slower[0], slower[1:]))
    few = beyond if (beyond := columns.beyond(share)) < FEW else 0.0
    more, less = rare(1 - share, more, less, few, sized=False)
    ends = np.clip([share - less, share + more], 1e-9, 1 - 1e-9)
    low, high = (min(float(histogram.merged.percentile(end)[0]), longest) for end in ends)
    filled = edges()[histogram.first + np.flatnonzero(histogram.merged.counts[0])]
    reaches = []
    for start, end, usual in ((low, value, below), (value, high, above)):
        steps = np.diff([start, *filled[(filled > start) & (filled < end)], end])
        gap = steps.max() > max((end - start) / 2, 0.01 * value)
        reaches.append(max(usual, end - start) if few or gap else usual)
    return reaches[0], reaches[1]


def _skewed(quantile: float, skew: Floats) -> Floats:
    """Willink's g: the quantile of t for a mean of n values of skewness 6 sqrt(n) ``skew``; g(q) = q in the limit 0."""
    plain = np.abs(skew) < 1e-6
    safe = np.where(plain, 1.0, skew)
    return np.where(plain, quantile, (np.cbrt(1 + 6 * safe * (quantile - safe)) - 1) / (2 * safe))


def around(value: float, below: float, above: float, unit: str, note: str = "", *, most: float = math.inf) -> Estimate:
    """Return the estimate with its interval; that of a value that cannot be negative ends at 0, and never above
    ``most``, the largest value that can be (rounding may put the value itself a little beyond)."""
    low = value - below
    return Estimate(value, max(low, 0.0) if value >= 0 else low, min(value + above, max(value, most)), unit, note=note)


def mean_estimate(values: Floats, unit: str, *, most: float = math.inf) -> Estimate:
    """Return the mean of one value of each replication with its interval; for a single one a note says it has none."""
    value = float(values.mean())
    if len(values) == 1:
        return Estimate(value, value, value, unit, note="one replication: no interval")
    usual, others = map(float, concentrated(values))
    below, above = map(float, reach(values))
    reaches = rare(value, below, above, others, usual=usual)
    return around(value, *reaches, unit, FEW_DIFFER if others else "", most=most)


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
    wanted = max(math.ceil((NORMAL_QUANTILE * spread / relative) ** 2), replications + 1)
    while t_quantile(wanted) * spread > relative * math.sqrt(wanted):
        wanted += 1
    return wanted
