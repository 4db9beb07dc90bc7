"""Moments of the engine's distributions and the mean rates of its arrivals."""

import math

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaincc, ndtr

from simulations.engine.network.model import ArrivalKind, ArrivalSpec, Law, LawKind


def law_mean(law: Law) -> float:
    """Return the mean of a distribution, in seconds."""
    return _moments(law)[0]


def law_cv2(law: Law) -> float:
    """Return the squared coefficient of variation (variance / mean²) of a distribution."""
    mean, second = _moments(law)
    return max(second / mean**2 - 1.0, 0.0) if mean > 0 else 0.0


def _moments(law: Law) -> tuple[float, float]:
    """Return the first two moments of a distribution."""
    a, b, c = law.a, law.b, law.c
    match law.kind:
        case LawKind.CONSTANT:
            return a, a * a
        case LawKind.EXPONENTIAL:
            return a, 2 * a * a
        case LawKind.LOGNORMAL:
            return math.exp(a + b * b / 2), math.exp(2 * a + 2 * b * b)
        case LawKind.GAMMA:
            return a * b, a * (a + 1) * b * b
        case LawKind.WEIBULL:
            return b * math.gamma(1 + 1 / a), b * b * math.gamma(1 + 2 / a)
        case LawKind.HYPEREXPONENTIAL:
            return a * b + (1 - a) * c, 2 * (a * b * b + (1 - a) * c * c)
        case LawKind.EMPIRICAL:
            values = np.asarray(law.values)
            return float(values.mean()), float((values**2).mean())


def arrival_rate(arrivals: ArrivalSpec) -> float | None:
    """Return the mean arrivals per second in the long run; None for surges, traces and saturated queues."""
    match arrivals.kind:
        case ArrivalKind.NONE:
            return 0.0
        case ArrivalKind.POISSON | ArrivalKind.CONSTANT:
            return arrivals.rate
        case ArrivalKind.RENEWAL if arrivals.law is not None:
            return 1.0 / law_mean(arrivals.law)
        case ArrivalKind.ON_OFF:
            cycle = arrivals.mean_on + arrivals.mean_off
            return (arrivals.rate * arrivals.mean_on + arrivals.rate_off * arrivals.mean_off) / cycle
        case ArrivalKind.PERIODIC:
            return arrivals.count / arrivals.period
        case ArrivalKind.PROFILE:
            return float(np.trapezoid(arrivals.rates, arrivals.instants)) / arrivals.instants[-1]
        case _:
            return None


def arrival_cv2(arrivals: ArrivalSpec) -> float | None:
    """Return the squared coefficient of variation of the intervals, or None where they are not independent. A surge
    counts as Poisson (what follows it is), a saturated queue as 0: nothing of it depends on intervals."""
    match arrivals.kind:
        case ArrivalKind.POISSON | ArrivalKind.SURGE:
            return 1.0
        case ArrivalKind.CONSTANT | ArrivalKind.SATURATED:
            return 0.0
        case ArrivalKind.RENEWAL if arrivals.law is not None:
            return law_cv2(arrivals.law)
        case _:
            return None


def is_poisson(arrivals: ArrivalSpec) -> bool:
    """Return whether messages arrive independently of each other at a constant rate (after the surge, for a surge)."""
    if arrivals.kind is ArrivalKind.RENEWAL and arrivals.law is not None:
        return arrivals.law.kind is LawKind.EXPONENTIAL
    return arrivals.kind in {ArrivalKind.POISSON, ArrivalKind.SURGE}


def survival(law: Law, seconds: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the probability that a duration is longer than each of ``seconds``, which are not negative."""
    a, b, c = law.a, law.b, law.c
    match law.kind:
        case LawKind.CONSTANT:
            return np.where(seconds < a, 1.0, 0.0)
        case LawKind.EXPONENTIAL:
            return np.exp(-seconds / a)
        case LawKind.LOGNORMAL:
            with np.errstate(divide="ignore"):
                return np.asarray(ndtr((a - np.log(seconds)) / b), dtype=np.float64)
        case LawKind.GAMMA:
            return np.asarray(gammaincc(a, seconds / b), dtype=np.float64)
        case LawKind.WEIBULL:
            return np.exp(-((seconds / b) ** a))
        case LawKind.HYPEREXPONENTIAL:
            return a * np.exp(-seconds / b) + (1 - a) * np.exp(-seconds / c)
        case LawKind.EMPIRICAL:
            return 1 - np.searchsorted(np.sort(law.values), seconds, side="right") / len(law.values)


def transform(law: Law, s: float) -> float | None:
    """Return the Laplace transform E[e^(-s X)] of a distribution, or None where there is no closed form."""
    a, b, c = law.a, law.b, law.c
    match law.kind:
        case LawKind.CONSTANT:
            return math.exp(-s * a)
        case LawKind.EXPONENTIAL:
            return 1 / (1 + s * a)
        case LawKind.GAMMA:
            return math.pow(1 + s * b, -a)
        case LawKind.HYPEREXPONENTIAL:
            return a / (1 + s * b) + (1 - a) / (1 + s * c)
        case LawKind.EMPIRICAL:
            return float(np.exp(-s * np.asarray(law.values)).mean())
        case _:
            return None
