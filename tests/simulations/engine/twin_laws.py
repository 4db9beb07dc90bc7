"""The twin's distributions and its instants of arrival, written a second time from their definitions.

What the compiled loop approximates, logarithms and normal quantiles, and what it finds by another way, the arrivals of
a profile, it rounds otherwise. ``ROUNDED`` has its functions and its way, so that all else can be compared to the last
bit; ``DEFINED`` has the definitions.
"""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from statistics import NormalDist

import numpy as np

from simulations.engine.draws.laws import normal_quantile
from simulations.engine.draws.numbers import WEYL, logarithm, mix, uniform, unit, word
from simulations.engine.network.model import ArrivalSpec, Law, LawKind

Numbers = Callable[[int], float]
"""Uniform numbers by address."""


@dataclass(frozen=True)
class Functions:
    """What draws are made of."""

    log: Callable[[float], float]
    """For exponential numbers; Weibull and hyperexponential ones have the library's logarithm in both."""
    quantile: Callable[[float], float]
    """Of the standard normal distribution."""
    profile: Callable[[ArrivalSpec, Numbers, Callable[[float], float]], Iterator[float]]
    """Arrivals whose rate follows a course, from uniform numbers and a logarithm."""


def number(law: Law, key: np.uint64, index: int, functions: Functions) -> float:
    """Return the number of the law at an address; gamma numbers come by rejection and are not written twice."""
    u = float(uniform(key, index))
    match law.kind:
        case LawKind.CONSTANT:
            return law.a
        case LawKind.EXPONENTIAL:
            return -functions.log(u) * law.a
        case LawKind.LOGNORMAL:
            return math.exp(law.a + law.b * functions.quantile(u))
        case LawKind.WEIBULL:
            return law.b * math.pow(-math.log(u), 1 / law.a)
        case LawKind.HYPEREXPONENTIAL:
            further = mix(np.uint64((int(word(key, index)) + int(WEYL)) % 2**64))
            phase = float(unit(np.uint64(further)))
            return -math.log(u) * (law.b if phase < law.a else law.c)
        case LawKind.EMPIRICAL:
            return law.values[math.floor(u * len(law.values))]
        case _:
            raise NotImplementedError(law.kind)


def on_off(spec: ArrivalSpec, numbers: Numbers, log: Callable[[float], float]) -> Iterator[float]:
    """Yield the arrivals of a source that is on and off for exponential times."""
    draws = iter(range(10**9))

    def exponential() -> float:
        return -log(numbers(next(draws)))

    on = numbers(next(draws)) < spec.mean_on / (spec.mean_on + spec.mean_off)
    time = spec.start
    ends = time + (spec.mean_on if on else spec.mean_off) * exponential()
    while True:
        rate, gap = spec.rate if on else spec.rate_off, exponential()
        if rate > 0 and time + gap / rate < ends:
            time += gap / rate
            yield time
        else:
            time, on = ends, not on
            ends = time + (spec.mean_on if on else spec.mean_off) * exponential()


def _profile(spec: ArrivalSpec, numbers: Numbers, log: Callable[[float], float]) -> Iterator[float]:
    """Yield arrivals at which the integral of the rate passes sums of exponential numbers; bisection finds them."""
    cycle, k, reached = 0, 0, 0.0
    goal = -log(numbers(0))
    while True:
        for (left, right), (low, high) in zip(pairwise(spec.instants), pairwise(spec.rates), strict=True):
            whole = (low + high) / 2 * (right - left)
            while goal < reached + whole:
                yield spec.start + cycle * spec.instants[-1] + left + _when(goal - reached, right - left, low, high)
                k += 1
                goal += -log(numbers(k))
            reached += whole
        cycle += 1


def _when(mass: float, length: float, low: float, high: float) -> float:
    """Return when a rate that changes evenly from ``low`` to ``high`` has brought ``mass``."""
    first, last = 0.0, length
    for _ in range(100):
        middle = (first + last) / 2
        if low * middle + (high - low) / length * middle**2 / 2 < mass:
            first = middle
        else:
            last = middle
    return first


def _solved_profile(spec: ArrivalSpec, numbers: Numbers, log: Callable[[float], float]) -> Iterator[float]:
    """Yield the arrivals of ``_profile`` from the root of the integral, begun at each arrival and each corner anew."""
    cycle, k = 0, 0
    need = -log(numbers(0))
    while True:
        for (left, right), (low, high) in zip(pairwise(spec.instants), pairwise(spec.rates), strict=True):
            length, passed = right - left, 0.0
            slope = (high - low) / length
            while True:
                rate, rest = low + slope * passed, length - passed
                mass = (rate + 0.5 * slope * rest) * rest
                if mass <= need:
                    need -= mass
                    break
                step = 2.0 * need / (rate + math.sqrt(max(rate * rate + 2.0 * slope * need, 0.0)))
                passed += min(step, rest)
                yield spec.start + cycle * spec.instants[-1] + left + passed
                k += 1
                need = -log(numbers(k))
        cycle += 1


DEFINED = Functions(math.log, NormalDist().inv_cdf, _profile)
ROUNDED = Functions(logarithm, normal_quantile, _solved_profile)
