"""From the typed workload to the engine's laws: distributions are fitted, arrivals are written as plain numbers."""

import math
from functools import lru_cache
from typing import assert_never

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq, minimize_scalar
from scipy.special import gammaincinv, ndtri

from simulations.analysis.theory.laws import law_cv2, law_mean, survival
from simulations.declarations import sizes, workload
from simulations.engine.network.model import ArrivalKind, ArrivalSpec, Law, LawKind


def law_of(distribution: workload.Distribution | sizes.SizeDistribution) -> Law:
    """Return the engine's law of a distribution.

    Two percentiles are met exactly; with the third the fit is least squares in log time (Lognormal, Weibull: closed
    form; Gamma: one-dimensional search for the shape).
    """
    match distribution:
        case workload.Constant() | sizes.ConstantSize():
            return Law(LawKind.CONSTANT, distribution.mean)
        case workload.Exponential() | sizes.ExponentialSize():
            return Law(LawKind.EXPONENTIAL, distribution.mean)
        case workload.Lognormal() | sizes.LognormalSize():
            return _lognormal(distribution)
        case workload.Gamma() | sizes.GammaSize():
            return _gamma(distribution)
        case workload.Weibull() | sizes.WeibullSize():
            return _weibull(distribution)
        case workload.Hyperexponential() | sizes.HyperexponentialSize():
            return _hyperexponential(distribution)
        case workload.Empirical() | sizes.EmpiricalSize():
            return Law(LawKind.EMPIRICAL, values=distribution.source)
        case _:
            assert_never(distribution)


def quantile_of(law: Law, share: float) -> float:
    """Return the time in seconds that a ``share`` of the durations does not exceed."""
    match law.kind:
        case LawKind.CONSTANT:
            return law.a
        case LawKind.EXPONENTIAL:
            return -law.a * math.log1p(-share)
        case LawKind.LOGNORMAL:
            return float(np.exp(law.a + law.b * ndtri(share)))
        case LawKind.GAMMA:
            return float(law.b * gammaincinv(law.a, share))
        case LawKind.WEIBULL:
            return float(law.b * (-math.log1p(-share)) ** (1 / law.a))
        case LawKind.HYPEREXPONENTIAL:
            return _hyperexponential_quantile(law, share)
        case LawKind.EMPIRICAL:
            return float(np.quantile(law.values, share, method="inverted_cdf"))


@lru_cache(maxsize=256)
def quantile_of_sum(law: Law, count: int, share: float, steps: int = 2**14) -> float:
    """Return the seconds that a ``share`` of the sums of ``count`` independent durations does not exceed."""
    mean, most = law_mean(law), steps // 4
    if count > most:
        return count / most * quantile_of_sum(law, most, share, steps)
    if count == 1 or law_cv2(law) == 0:
        return count * quantile_of(law, share)
    times = np.linspace(0, 2 * (count * mean + quantile_of(law, 1 - (1 - share) / count)), steps)
    masses = -np.diff(survival(law, times), prepend=1.0)
    sums = np.fft.irfft(np.fft.rfft(masses, 4 * steps) ** count).cumsum()
    # Each mass lies at the end of its step: the mean tells how far the sum has to move back.
    return float(np.searchsorted(sums, share) * times[1] + count * (mean - masses @ times))


def arrivals_of(arrivals: workload.Arrivals) -> ArrivalSpec:
    """Return the engine's arrivals."""
    match arrivals:
        case workload.Poisson():
            return ArrivalSpec(ArrivalKind.POISSON, rate=arrivals.rate)
        case workload.ConstantRate():
            return ArrivalSpec(ArrivalKind.CONSTANT, rate=arrivals.rate)
        case workload.Renewal():
            return ArrivalSpec(ArrivalKind.RENEWAL, law=law_of(arrivals.interval))
        case workload.OnOff():
            return ArrivalSpec(
                ArrivalKind.ON_OFF,
                rate=arrivals.on_rate,
                rate_off=arrivals.off_rate,
                mean_on=arrivals.mean_on,
                mean_off=arrivals.mean_off,
            )
        case workload.Surge():
            return ArrivalSpec(ArrivalKind.SURGE, rate=arrivals.then, count=arrivals.count, start=arrivals.at)
        case workload.PeriodicBurst():
            return ArrivalSpec(ArrivalKind.PERIODIC, count=arrivals.count, period=arrivals.every)
        case workload.Profile():
            instants, rates = zip(*arrivals.points, strict=True)
            return ArrivalSpec(ArrivalKind.PROFILE, instants=instants, rates=rates)
        case workload.Trace() | workload.Counts():
            return ArrivalSpec(ArrivalKind.TRACE, instants=arrivals.instants, sizes=arrivals.sizes)
        case workload.Saturated() | workload.Nothing():
            return ArrivalSpec(ArrivalKind[arrivals.kind.upper()])
        case _:
            assert_never(arrivals)


def _percentiles(given: workload.Fitted) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Shares and times of the percentiles that were given."""
    pairs = [(0.5, given.p50), (0.95, given.p95), (0.99, given.p99)]
    shares, times = zip(*[(share, time) for share, time in pairs if time is not None], strict=True)
    return np.array(shares), np.array(times)


def _lognormal(given: workload.Fitted) -> Law:
    if given.mean is not None and given.cv is not None:
        variance = math.log1p(given.cv**2)
        return Law(LawKind.LOGNORMAL, math.log(given.mean) - variance / 2, math.sqrt(variance))
    shares, times = _percentiles(given)
    deviation, centre = np.polyfit(ndtri(shares), np.log(times), 1)
    return Law(LawKind.LOGNORMAL, float(centre), float(deviation))


def _gamma(given: workload.Fitted) -> Law:
    if given.mean is not None and given.cv is not None:
        return Law(LawKind.GAMMA, 1 / given.cv**2, given.mean * given.cv**2)
    shares, times = _percentiles(given)

    def residuals(log_shape: float) -> NDArray[np.float64]:
        return np.asarray(np.log(times) - np.log(gammaincinv(math.exp(log_shape), shares)))

    best = minimize_scalar(
        lambda value: float(np.var(residuals(value))), bounds=(-3.0, 9.0), method="bounded", options={"xatol": 1e-12}
    ).x
    return Law(LawKind.GAMMA, math.exp(best), math.exp(float(np.mean(residuals(best)))))


def _weibull(given: workload.Fitted) -> Law:
    if given.mean is not None and given.cv is not None:
        shape = _weibull_shape(given.cv)
        return Law(LawKind.WEIBULL, shape, given.mean / math.gamma(1 + 1 / shape))
    shares, times = _percentiles(given)
    slope, intercept = np.polyfit(np.log(-np.log1p(-shares)), np.log(times), 1)
    return Law(LawKind.WEIBULL, 1 / float(slope), math.exp(intercept))


def _weibull_shape(cv: float) -> float:
    """Shape whose coefficient of variation is ``cv``; found on a log scale, where the relation is smooth."""

    def excess(log_shape: float) -> float:
        inverse = math.exp(-log_shape)
        return math.lgamma(1 + 2 * inverse) - 2 * math.lgamma(1 + inverse) - math.log1p(cv**2)

    return math.exp(float(brentq(excess, math.log(0.05), math.log(1e4), xtol=1e-14)))


def _hyperexponential(given: workload.Hyperexponential | sizes.HyperexponentialSize) -> Law:
    squared = given.cv**2
    first = (1 + math.sqrt((squared - 1) / (squared + 1))) / 2
    return Law(LawKind.HYPEREXPONENTIAL, first, given.mean / (2 * first), given.mean / (2 * (1 - first)))


def _hyperexponential_quantile(law: Law, share: float) -> float:
    def excess(time: float) -> float:
        return law.a * math.exp(-time / law.b) + (1 - law.a) * math.exp(-time / law.c) - (1 - share)

    return float(brentq(excess, 0.0, -2 * max(law.b, law.c) * math.log1p(-share) + 1e-12))
