"""Addressed random numbers: uniform, unrelated between neighbouring addresses; logarithms to the last place."""

import math

import numpy as np
import pytest
from numpy.typing import NDArray

from simulations.engine.draws.numbers import Purpose, exponential, logarithm, stream_key, uniform, unit

_N = 20_000


def _numbers(seed: int, replication: int, purpose: int, entity: int, start: int = 0) -> NDArray[np.float64]:
    key = np.uint64(stream_key(seed, replication, purpose, entity))
    return np.array([uniform(key, index) for index in range(start, start + _N)])


def test_numbers_are_uniform() -> None:
    counts = np.histogram(_numbers(1, 0, Purpose.SERVICE, 0), bins=100, range=(0.0, 1.0))[0]
    chi_square = ((counts - _N / 100) ** 2 / (_N / 100)).sum()
    assert 56.0 < chi_square < 160.0  # 1e-4 and 1 - 1e-4 of chi-square with 99 degrees of freedom


@pytest.mark.parametrize(
    "neighbour",
    [(2, 0, 2, 0, 0), (1, 1, 2, 0, 0), (1, 0, 1, 0, 0), (1, 0, 2, 1, 0), (1, 0, 2, 0, 1)],
    ids=["seed", "replication", "purpose", "entity", "index"],
)
def test_neighbouring_addresses_are_independent(neighbour: tuple[int, int, int, int, int]) -> None:
    correlation = np.corrcoef(_numbers(1, 0, 2, 0), _numbers(*neighbour))[0, 1]
    assert abs(correlation) < 4.0 / np.sqrt(_N)


def test_a_number_is_a_function_of_its_address_alone() -> None:
    key = np.uint64(stream_key(7, 3, 2, 1))
    assert uniform(key, 10**12) == uniform(key, 10**12)


def test_the_largest_and_the_smallest_word_give_numbers_strictly_between_0_and_1() -> None:
    assert 0.0 < unit(np.uint64(0)) < 1e-15
    assert 1.0 - 1e-15 < unit(np.uint64(2**64 - 1)) < 1.0


def _ulps(x: float) -> float:
    """Return how far our logarithm of ``x`` is from the library's, which is off by about half a unit at most."""
    expected = math.log(x)
    return abs(logarithm(x) - expected) / math.ulp(expected)


def test_logarithms_are_right_to_the_last_place() -> None:
    smallest, largest = unit(np.uint64(0)), unit(np.uint64(2**64 - 1))
    edges = [
        smallest,
        largest,
        0.5,
        math.nextafter(0.5, 0.0),
        math.sqrt(0.5),
        0.75,
        2.0**-30,
        1.0 - 2.0**-30,
        3.0,
        1e300,
    ]
    assert max(_ulps(x) for x in edges) <= 1.0
    assert max(_ulps(float(x)) for x in _numbers(1, 0, Purpose.SERVICE, 0)) <= 1.0
    assert logarithm(1.0) == 0.0


def test_exponential_numbers_have_the_mean_and_the_tail_of_their_law() -> None:
    key = np.uint64(stream_key(1, 0, 2, 0))
    numbers = np.array([exponential(key, index) for index in range(_N)])
    assert numbers.min() > 0.0
    assert numbers.mean() == pytest.approx(1.0, abs=4.0 / math.sqrt(_N))
    tail = math.exp(-3.0)
    assert (numbers > 3.0).mean() == pytest.approx(tail, abs=4.0 * math.sqrt(tail / _N))
