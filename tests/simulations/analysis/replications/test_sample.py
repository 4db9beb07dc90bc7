"""Replications become samples: order, cuts, sums over queues, and what is refused."""

from dataclasses import replace
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from simulations.analysis.replications.measures import per_run
from simulations.analysis.replications.rows import compact, stacked
from simulations.analysis.replications.sample import (
    LEAST_PERIODS,
    growth,
    is_transient,
    longest_cycle,
    longest_period,
    period,
    sample_of,
)
from simulations.engine.network.model import ArrivalKind, ArrivalSpec, Horizon, NetworkSpec
from simulations.engine.network.results import Count, PoolSum, Sum
from simulations.pipeline.spark.warm import SMALLEST
from tests.simulations.analysis.synthetic import network, replication

SPEC = network(18, 81, 0.2, messages=8000)
ROWS = [compact(replication(SPEC, number)) for number in range(4)]


def test_the_order_of_arrival_of_rows_does_not_matter() -> None:
    straight, turned = sample_of(SPEC, stacked(ROWS)), sample_of(SPEC, stacked(ROWS[::-1]))
    assert turned.replications.tolist() == [0, 1, 2, 3]
    assert np.array_equal(straight.system.sums, turned.system.sums)
    assert np.array_equal(straight.system.histogram.counts, turned.system.histogram.counts)


def test_the_cut_removes_its_segments_from_everything() -> None:
    sample = sample_of(SPEC, stacked(ROWS), warmup_seconds=float(ROWS[0].durations[:3].sum()))
    kept = slice(sample.warmup.segments, None)
    assert sample.system.counts[2, Count.COMPLETED] == ROWS[2].counts[kept, 0, Count.COMPLETED].sum()
    assert sample.system.histogram.counts[2].sum() == ROWS[2].counts[kept, 0, Count.COMPLETED].sum()
    assert sample.system.seconds[2] == pytest.approx(ROWS[2].durations[kept].sum())


def test_busy_threads_of_queue_and_server_agree() -> None:
    sample = sample_of(SPEC, stacked(ROWS))
    assert sample.queues[0][PoolSum.BUSY] == pytest.approx(sample.pools[0][PoolSum.BUSY])
    assert sample.queues[0][PoolSum.BUSY] == pytest.approx(sample.system[Sum.RUNNING])


def test_a_single_steady_replication_is_cut_into_its_segments() -> None:
    sample = sample_of(SPEC, stacked(ROWS[:1]))
    assert sample.units == "segments"
    assert len(sample.system.seconds) == 16 - sample.warmup.segments
    left = sample.system.seconds.sum() / sample.seconds[0]
    assert sample.system.merged().runs[0] == pytest.approx(left)


def test_a_run_that_drains_keeps_its_start() -> None:
    draining = replace(SPEC, horizon=Horizon(drained=True))
    assert is_transient(draining)
    assert sample_of(draining, stacked(ROWS), warmup_seconds=10.0).warmup.segments == 0


def test_arrivals_by_the_clock_have_no_steady_state() -> None:
    surge = replace(SPEC.streams[0], arrivals=ArrivalSpec(ArrivalKind.SURGE, count=10))
    assert is_transient(replace(SPEC, streams=(surge,)))
    assert not is_transient(SPEC)
    background = replace(surge, background=True)
    assert not is_transient(replace(SPEC, streams=(SPEC.streams[0], background)))


def test_rows_that_do_not_fit_are_refused() -> None:
    with pytest.raises(ValueError, match="at least one"):
        sample_of(SPEC, stacked([]))
    with pytest.raises(ValueError, match="twice"):
        sample_of(SPEC, stacked([ROWS[0], ROWS[1], ROWS[0]]))
    with pytest.raises(ValueError, match="two replications"):
        sample_of(replace(SPEC, horizon=Horizon(drained=True)), stacked(ROWS[:1]))


def test_growth_of_a_run_that_ended_in_its_first_segment() -> None:
    row = ROWS[0]
    early = replace(row, durations=np.append(row.durations[0], np.zeros(15)), overflow=True)
    sample = sample_of(SPEC, stacked([early, replace(early, replication=1)]))
    assert sample.overflow
    assert sample.observed.growth[0, 0] > 0


def test_a_run_that_got_stuck_keeps_its_start() -> None:
    """Its time is in the first segments: a cut would leave none of it, and every rate would be divided by 0."""
    rows = [replace(row, durations=np.append(row.durations[0], np.zeros(15)), stuck=True) for row in ROWS[:2]]
    sample = sample_of(SPEC, stacked(rows), warmup_seconds=100.0)
    assert sample.warmup.segments == 0
    assert sample.queues[0].seconds.tolist() == [row.durations[0] for row in ROWS[:2]]


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
    assert (longest_period(both), longest_cycle(both), longest_cycle(SMALLEST)) == (86_400.0, 86_400.0, 0.0)
    for arrivals, seconds in (
        (ArrivalSpec(ArrivalKind.ON_OFF, rate=9.0, mean_on=20.0, mean_off=40.0), 60.0),
        (ArrivalSpec(ArrivalKind.TRACE, instants=(1.0, 7.0)), 7.0),
    ):
        alone = with_arrivals(arrivals)
        assert (longest_period(alone), longest_cycle(alone)) == (0.0, seconds)


def test_a_count_is_the_same_pace_whatever_the_warm_up() -> None:
    done = per_run(Count.COMPLETED)
    whole, half = (
        sample_of(SPEC, stacked(ROWS), warmup_seconds=share * ROWS[0].durations.sum()) for share in (0.0, 0.5)
    )
    assert half.system.merged()[Count.COMPLETED][0] < 0.6 * whole.system.merged()[Count.COMPLETED][0]
    assert done(half.system.merged())[0] == pytest.approx(done(whole.system.merged())[0], rel=0.05)
