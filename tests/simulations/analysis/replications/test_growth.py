"""Growth of what is inside: the slope of the second half, and whole periods of a clock."""

from dataclasses import replace
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from simulations.analysis.replications.growth import LEAST_PERIODS, growth, longest_period, period
from simulations.engine.network.model import ArrivalKind, ArrivalSpec, NetworkSpec
from simulations.engine.network.results import Sum
from simulations.pipeline.spark.warm import SMALLEST

SECONDS = 40


def with_arrivals(arrivals: ArrivalSpec) -> NetworkSpec:
    return replace(SMALLEST, streams=(replace(SMALLEST.streams[0], arrivals=arrivals),))


def growth_of(levels: list[float], network: NetworkSpec = SMALLEST) -> float:
    """Return the growth of one queue of one replication, from its mean level in each second."""
    sums = np.zeros((1, len(levels), 1, len(Sum)))
    sums[0, :, 0, Sum.BACKLOG] = levels
    stack: Any = SimpleNamespace(sums=sums, durations=np.ones((1, len(levels))))
    return float(growth(network, cast("Any", stack))[0, 0])


@pytest.mark.parametrize("slope", [0.0, 2.5, -0.5])
def test_a_level_that_rises_evenly_has_that_slope(slope: float) -> None:
    assert growth_of([30 + slope * (second + 0.5) for second in range(SECONDS)]) == pytest.approx(slope)


def test_only_the_second_half_is_looked_at() -> None:
    assert growth_of([9.0 * second for second in range(20)] + [500.0] * 20) == pytest.approx(0)


def test_a_run_of_one_segment_has_grown_to_twice_its_mean() -> None:
    assert growth_of([6.0]) == pytest.approx(12.0)


def test_a_clock_that_swings_does_not_count_as_growth() -> None:
    day = SECONDS / LEAST_PERIODS
    clock = with_arrivals(ArrivalSpec(ArrivalKind.PERIODIC, rate=1.0, period=day))
    # The mean of each second of a level that swings once a day around a rise of 3 messages per second.
    swing = [100 * np.sin(2 * np.pi * (second + 0.5) / day) + 3 * (second + 0.5) for second in range(SECONDS)]
    assert growth_of(swing, clock) == pytest.approx(3.0)
    assert abs(growth_of(swing) - 3.0) > 1


def test_the_period_is_that_of_the_clock() -> None:
    daily = ArrivalSpec(ArrivalKind.PERIODIC, rate=1.0, period=86_400.0)
    assert (period(daily), period(SMALLEST.streams[0].arrivals)) == (86_400.0, 0.0)
    both = replace(SMALLEST, streams=(*with_arrivals(daily).streams, SMALLEST.streams[0]))
    assert longest_period(both) == 86_400.0
