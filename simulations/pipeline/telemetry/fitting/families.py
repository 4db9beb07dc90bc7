"""Which distribution of ``simulations.declarations.workload`` fits measured times, and how well.

Times come as counts in bins 0.4 % wide, so that a fit costs the same for a thousand messages and for a billion. What
samples cannot tell, the shape of service times and threads, is assumed or chosen with a scenario.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pydantic import TypeAdapter
from scipy.optimize import brentq
from scipy.special import digamma

from simulations.analysis.replications.measures import Floats
from simulations.analysis.theory.laws import law_cv2, law_mean, survival
from simulations.declarations.workload import Distribution
from simulations.pipeline.telemetry.fitting.bursts import short
from simulations.pipeline.telemetry.fitting.slices import BIN, SHORTEST
from simulations.platforms.shared.laws import law_of
from simulations.scenario.spec import ScenarioSpec

GOOD, FAIR = 0.02, 0.05
"""Largest distance between measured and fitted shares that is called good, fair."""
STEADY = 0.02
"""A coefficient of variation below this is called constant."""
MOST_VALUES = 2_000
CURVE_POINTS = 150
SMALLEST = 1e-300
TIMES = ("mean", "p50", "p95", "p99")
"""What a body has of times, beside measured values."""
LEAST_CV, MOST_CV = 0.001, 100.0
"""Coefficients of variation that a scenario can have."""
DISTRIBUTION: TypeAdapter[Any] = TypeAdapter(Distribution)


@dataclass(frozen=True)
class Fit:
    """A distribution. ``body``: as scenarios write it. ``messages``: how many times were measured, if any.

    ``distance``: largest difference between the measured and the fitted distribution function (Kolmogorov, Smirnov);
    ``goodness``: that in a word, where times were measured.
    """

    kind: str
    body: dict[str, Any]
    mean: float
    cv: float
    distance: float = 0.0
    messages: int = 0
    goodness: str = ""

    def scaled(self, mean: float) -> "Fit":
        """Return the same shape with another mean."""
        factor = mean / self.mean
        body: dict[str, Any] = {
            name: short(value * factor) if name in TIMES and value is not None else value
            for name, value in self.body.items()
        }
        if "source" in body:
            body["source"] = [short(value * factor) for value in body["source"]]
        return replace(self, body=body, mean=mean)


def fits(counts: NDArray[np.int64], mean: float, cv: float) -> tuple[Fit, ...]:
    """Return the fit of every family, the likeliest first (Akaike). ``mean`` and ``cv`` are those of the times."""
    used = np.flatnonzero(counts)
    total = int(counts.sum())
    if total == 0:
        raise ValueError("there are no times to fit")
    measured = counts.cumsum() / total
    upper = upper_edges(len(counts))
    logs: Floats = np.log(upper[used]) - math.log1p(BIN) / 2
    candidates = {name: family(mean, cv, logs, counts[used] / total) for name, family in FAMILIES.items()}
    scored = []
    for name, found in candidates.items():
        if found is not None and LEAST_CV <= found[1] <= MOST_CV:
            longer = longer_share(upper, _body(name, *found))
            inside: Floats = np.maximum(-np.diff(longer, prepend=1.0)[used], SMALLEST)
            parameters = 1 if name == "exponential" else 2
            score = 2 * parameters - 2 * float((counts[used] * np.log(inside)).sum())
            distance = float(np.abs(1 - longer - measured).max())
            word = "good" if distance <= GOOD else "fair" if distance <= FAIR else "poor"
            scored.append((score, Fit(name, _body(name, *found), *found, distance, total, word)))
    return tuple(fit for _, fit in sorted(scored, key=lambda pair: pair[0]))


def chosen(counts: NDArray[np.int64], mean: float, cv: float) -> Fit:
    """Return the likeliest family where it is good, else the measured values themselves."""
    if cv < STEADY:
        return Fit("constant", {"kind": "constant", "mean": mean}, mean, cv, 0.0, int(counts.sum()), "good")
    best = fits(counts, mean, cv)[0]
    return best if best.distance <= GOOD else measured_values(counts, mean, cv)


def measured_values(counts: NDArray[np.int64], mean: float, cv: float) -> Fit:
    """Return up to 2000 equally likely values with the exact mean of the measured times, each the mean of its share."""
    total = int(counts.sum())
    size = min(MOST_VALUES, total)
    times = SHORTEST * (1 + BIN) ** (np.arange(len(counts)) + 0.5)
    ranks = np.concatenate([[0], counts.cumsum()])
    sums = np.concatenate([[0.0], (counts * times).cumsum()])
    values = np.diff(np.interp(np.linspace(0, total, size + 1), ranks, sums)) * size / total
    values *= mean / values.mean()
    body = {"kind": "empirical", "source": [float(f"{value:.5g}") for value in values]}
    return Fit("empirical", body, mean, cv, 1 / (2 * size), total, "good")


def upper_edges(bins: int) -> Floats:
    """Return the upper edges of the first ``bins`` bins, in seconds."""
    return np.asarray(SHORTEST * (1 + BIN) ** np.arange(1, bins + 1), np.float64)


def curve(fit: Fit, counts: NDArray[np.int64]) -> dict[str, list[float]]:
    """Return ``time`` with the shares of times above it, ``measured`` and ``fitted`` (empty for measured values)."""
    edges, measured = upper_edges(len(counts)), 1 - counts.cumsum() / counts.sum()
    shown = np.flatnonzero((measured < 1) & (measured > 0))
    shown = shown[:: max(1, len(shown) // CURVE_POINTS)]
    fitted = longer_share(edges[shown], fit.body) if fit.kind in FAMILIES else np.empty(0)
    return {"time": edges[shown].tolist(), "measured": measured[shown].tolist(), "fitted": fitted.tolist()}


def longer_share(time: Floats, body: Mapping[str, Any]) -> Floats:
    """Return the share of times above each ``time`` (s) in a distribution as scenarios write it."""
    return survival(law_of(DISTRIBUTION.validate_python(body)), time)


def percentile(counts: NDArray[np.int64], share: float) -> float:
    """Return the time that ``share`` of the counted messages do not exceed, in seconds, or nan where there are none."""
    total = counts.sum()
    if total == 0:
        return math.nan
    cumulative = counts.cumsum()
    at = int(np.searchsorted(cumulative, share * total))
    part = (share * total - (cumulative[at] - counts[at])) / max(1, counts[at])
    return float(SHORTEST * (1 + BIN) ** (at + part))


def _lognormal(_: float, __: float, logs: Floats, weights: Floats) -> tuple[float, float]:
    center = float((logs * weights).sum())
    variance = float(((logs - center) ** 2 * weights).sum())
    return math.exp(center + variance / 2), math.sqrt(math.expm1(min(variance, 9.0)))


def _gamma(mean: float, _: float, logs: Floats, weights: Floats) -> tuple[float, float] | None:
    gap = math.log(mean) - float((logs * weights).sum())
    if gap <= 1e-9:
        return None
    shape = brentq(lambda k: math.log(k) - float(digamma(k)) - gap, 1e-4, 1e9)
    return mean, 1 / math.sqrt(shape)


def _weibull(_: float, __: float, logs: Floats, weights: Floats) -> tuple[float, float] | None:
    center = float((logs * weights).sum())

    def excess(shape: float) -> float:
        powers = weights * np.exp(shape * (logs - logs.max()))
        return float((powers * logs).sum() / powers.sum()) - 1 / shape - center

    if excess(0.02) * excess(200.0) > 0:
        return None
    shape = brentq(excess, 0.02, 200.0)
    scale = math.exp(logs.max()) * float((weights * np.exp(shape * (logs - logs.max()))).sum()) ** (1 / shape)
    first, second = math.lgamma(1 + 1 / shape), math.lgamma(1 + 2 / shape)
    return scale * math.exp(first), math.sqrt(math.expm1(min(second - 2 * first, 9.0)))


def _body(kind: str, mean: float, cv: float) -> dict[str, Any]:
    rounded = {"kind": kind, "mean": float(f"{mean:.6g}")}
    return rounded if kind == "exponential" else {**rounded, "cv": float(f"{cv:.6g}")}


FAMILIES: dict[str, Callable[[float, float, Floats, Floats], tuple[float, float] | None]] = {
    "exponential": lambda mean, *_: (mean, 1.0),
    "lognormal": _lognormal,
    "gamma": _gamma,
    "weibull": _weibull,
    "hyperexponential": lambda mean, cv, *_: (mean, cv) if cv > 1.02 else None,
}
"""Mean and coefficient of variation of each family: maximum likelihood, and moments for the hyperexponential."""


EXPONENTIAL = Fit("exponential", {"kind": "exponential", "mean": 1.0}, 1.0, 1.0)


@dataclass(frozen=True)
class Choice:
    """What is taken of the ``scenario`` whose settings are kept; ``threads``: of all instances, None where unknown.
    ``shape``: times as they are assumed, ``words`` for them in a sentence."""

    shape: Fit = EXPONENTIAL
    words: str = "exponential ones"
    threads: int | None = None
    scenario: str = ""


def choices_of(base: ScenarioSpec) -> dict[str, Choice]:
    """Return by queue what a scenario says."""
    network = base.network()
    words = f"those of {base.name}, but for their mean,"
    found = {}
    for queue in base.queues:
        stream = next(stream for stream in network.streams if stream.name == queue.name)
        pool = network.pools[stream.pool]
        most = [pool.threads, stream.concurrency, stream.gate.high if stream.gate else 0]
        threads = pool.instances * min(limit for limit in most if limit)
        law, body = law_of(queue.service), queue.service.model_dump(mode="json", exclude_none=True)
        shape = Fit(queue.service.kind, body, law_mean(law), law_cv2(law) ** 0.5)
        found[queue.name] = Choice(shape, words, threads, base.name)
    return found
