"""The twin's distributions and its instants of arrival, written a second time from their definitions."""

import math
from collections.abc import Callable, Iterator
from itertools import pairwise
from statistics import NormalDist

import numpy as np

from simulations.engine.draws.numbers import WEYL, mix, uniform, unit, word
from simulations.engine.network.model import ArrivalSpec, Law, LawKind

Numbers = Callable[[int], float]
"""Uniform numbers by address."""


def number(law: Law, key: np.uint64, index: int) -> float:
    """Return the number of the law at an address; gamma numbers come by rejection and are not written twice."""
    u = float(uniform(key, index))
    match law.kind:
        case LawKind.CONSTANT:
            return law.a
        case LawKind.EXPONENTIAL:
            return -math.log(u) * law.a
        case LawKind.LOGNORMAL:
            return math.exp(NormalDist(law.a, law.b).inv_cdf(u))
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


def on_off(spec: ArrivalSpec, numbers: Numbers) -> Iterator[float]:
    """Yield the arrivals of a source that is on and off for exponential times."""
    draws = iter(range(10**9))

    def exponential() -> float:
        return -math.log(numbers(next(draws)))

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


def profile(spec: ArrivalSpec, numbers: Numbers) -> Iterator[float]:
    """Yield arrivals at which the integral of the rate passes sums of exponential numbers; bisection finds them."""
    cycle, k, reached = 0, 0, 0.0
    goal = -math.log(numbers(0))
    while True:
        for (left, right), (low, high) in zip(pairwise(spec.instants), pairwise(spec.rates), strict=True):
            whole = (low + high) / 2 * (right - left)
            while goal < reached + whole:
                yield spec.start + cycle * spec.instants[-1] + left + _when(goal - reached, right - left, low, high)
                k += 1
                goal += -math.log(numbers(k))
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
