"""Intervals: exactness where the answer is known, honesty where it is drawn."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from simulations.analysis.estimates.intervals import (
    around,
    beside_gaps,
    concentrated,
    jackknife,
    mean_estimate,
    rare,
    reach,
    relative_half_width,
    replications_needed,
    t_quantile,
    upwards,
)
from simulations.analysis.estimates.metrics import BY_NAME
from simulations.analysis.estimates.summary import Estimate
from simulations.analysis.replications import measures
from simulations.analysis.replications.rows import Histogram, edges
from simulations.engine.network.results import Count, Sum

VALUES = arrays(np.float64, st.integers(3, 40), elements=st.floats(-1e3, 1e3))


def test_quantiles_of_the_tables() -> None:
    assert [round(t_quantile(size), 3) for size in (2, 3, 10, 31)] == [12.706, 4.303, 2.262, 2.042]
    with pytest.raises(ValueError, match="at least two"):
        t_quantile(1)


def test_symmetric_values_get_the_plain_t_interval() -> None:
    values = np.array([-2.0, -1.0, 0.0, 1.0, 2.0])
    below, above = reach(values)
    assert below == pytest.approx(above)
    assert above == pytest.approx(t_quantile(5) * values.std(ddof=1) / math.sqrt(5))


def test_a_long_right_tail_reaches_further_up() -> None:
    below, above = reach(np.array([1.0, 1.1, 1.2, 0.9, 4.0]))
    assert above > below > 0


@pytest.mark.parametrize("size", [3, 5, 10, 30, 200])
def test_the_longer_side_grows_by_about_half(size: int) -> None:
    values = np.zeros(size)
    values[0] = 1.0  # as skewed as values can be
    below, above = reach(values)
    plain = t_quantile(size) * values.std(ddof=1) / math.sqrt(size)
    assert below == pytest.approx(plain)
    assert 1.3 * plain < above < 1.55 * plain


@given(VALUES)
def test_the_interval_holds_the_mean_and_mirrors_with_the_values(values: np.ndarray) -> None:
    below, above = reach(values)
    mirrored_below, mirrored_above = reach(-values)
    assert below >= 0
    assert above >= 0
    assert [mirrored_below, mirrored_above] == pytest.approx([above, below], rel=1e-6)


@given(VALUES)
def test_the_jackknife_of_a_mean_is_the_interval_of_its_values(values: np.ndarray) -> None:
    left_out = (values.sum() - values) / (len(values) - 1)
    assert list(jackknife(values.mean(), left_out)) == pytest.approx(list(reach(values)), rel=1e-3, abs=1e-6)


@pytest.mark.parametrize("draw", ["normal", "exponential"])
def test_the_interval_of_a_mean_covers_it_in_95_of_100_cases(draw: str) -> None:
    random = np.random.default_rng(3)
    values = random.normal(1.0, 1.0, (10, 4000)) if draw == "normal" else random.exponential(1.0, (10, 4000))
    below, above = reach(values)
    centre = values.mean(axis=0)
    covered = float(((centre - below <= 1) & (centre + above >= 1)).mean())
    assert 0.92 <= covered <= 0.97


def test_intervals_of_what_cannot_be_negative_end_at_0() -> None:
    assert around(1.0, 2.0, 3.0, "s") == Estimate(1.0, 0.0, 4.0, "s")
    assert around(-1.0, 2.0, 3.0, "s").low == -3.0


def test_relative_width() -> None:
    assert relative_half_width(Estimate(2.0, 1.9, 2.1, "s")) == pytest.approx(0.05)
    assert relative_half_width(Estimate(0.0, 0.0, 0.0, "s")) == 0
    assert math.isinf(relative_half_width(Estimate(0.0, 0.0, 1.0, "s")))


def test_enough_replications_are_enough() -> None:
    assert replications_needed(Estimate(1.0, 0.99, 1.01, "s"), 10, 0.02) == 10


@given(st.integers(3, 60), st.floats(0.03, 0.5))
def test_the_forecast_reaches_the_width_and_wastes_little(done: int, now: float) -> None:
    needed = replications_needed(Estimate(1.0, 1 - now, 1 + now, "s"), done, 0.02)
    spread = now * math.sqrt(done) / t_quantile(done)
    assert needed > done
    assert spread * t_quantile(needed) / math.sqrt(needed) <= 0.02 * (1 + 1e-9)
    if needed > done + 1:
        assert spread * t_quantile(needed - 1) / math.sqrt(needed - 1) > 0.02


def test_a_value_of_0_with_a_width_asks_for_twice_as_many() -> None:
    assert replications_needed(Estimate(0.0, 0.0, 1.0, "s"), 10, 0.02) == 20


def test_the_interval_of_a_share_ends_at_1() -> None:
    assert around(0.98, 0.05, 0.05, "1", most=1.0).high == 1.0
    assert around(1.0 + 1e-15, 0.0, 0.0, "1", most=1.0).high == 1.0 + 1e-15
    assert BY_NAME["cpu.utilisation"].most == BY_NAME["overtaken_fraction"].most == 1.0
    assert BY_NAME["timeouts.share"].most == BY_NAME["latency.mean"].most == math.inf


@pytest.mark.parametrize(
    ("share", "beyond", "factor"),
    [(0.95, 10, 1.0), (0.0, 0, 1.0), (0.99, 0, 1.5), (0.99, 2000, 1.5), (0.99, 8000, 1.25), (0.999, 200_000, 1.05)],
)
def test_high_percentiles_reach_further_up_the_fewer_messages_are_beyond(
    share: float, beyond: float, factor: float
) -> None:
    assert upwards(share, beyond) == pytest.approx(factor)


@pytest.mark.parametrize(("slow", "reaches"), [(48, True), (30, False)])
def test_a_percentile_beside_a_gap_may_lie_on_its_other_side(slow: int, reaches: bool) -> None:  # noqa: FBT001 - from the table
    """Of 1,000 messages about ``slow`` are redelivered after a delay; p95 is sure to be before it if they are few."""
    late = slow + np.array([-5, 6, 3, -2, 0, 2, -3, 1, -1, 4])
    counts = np.zeros((10, 801), np.int64)
    counts[:, 0], counts[:, 800] = 1000 - late, late
    blank, none, longest = np.zeros((10, len(Sum))), np.zeros((10, len(Count)), np.int64), np.full(10, edges()[901])
    histogram = Histogram.counted(100, counts)
    columns = measures.Columns(np.ones(10), np.ones(10), none, blank, blank, blank, histogram, longest)
    value = columns.measured(measures.percentile(0.95))
    below, above = beside_gaps(columns, 0.95, value[0], *map(float, jackknife(value[0], value[1:])))
    assert value[0] - below >= edges()[100]
    assert (value[0] + above > edges()[900]) == reaches


def test_a_value_of_ten_events_is_known_no_better_than_their_count() -> None:
    """Garwood's interval of a count of 10 is 4.795 to 18.390; that of none changes nothing, nor does a longer one."""
    assert rare(1.0, 0.0, 0.0, 10, sized=False) == pytest.approx((1 - 0.4795, 1.8390 - 1), abs=1e-4)
    assert rare(1.0, 0.1, 0.2, 0) == (0.1, 0.2)
    assert rare(-1.0, 0.9, 0.9, 10, sized=False) == (0.9, 0.9)


def test_what_events_of_unknown_size_add_is_covered_by_the_limits_of_two_gamma_values() -> None:
    random = np.random.default_rng(5)
    totals = random.gamma(3.0, size=(2, 200_000))
    low, high = (
        np.quantile(totals[0] / totals[1], 0.025),
        np.quantile((totals[0] + random.exponential(size=200_000)) / totals[1], 0.975),
    )
    assert rare(1.0, 0.0, 0.0, 3) == pytest.approx((1 - low, high - 1), rel=0.03)


def test_of_a_share_close_to_one_the_rest_is_the_rare_event() -> None:
    """Ten replications, of which two have idle stretches: as wide as if what they lack were a share close to 0."""
    idle = np.array([0.0] * 8 + [1e-3, 3e-3])
    usual, others = concentrated(np.stack([idle, 1 - idle], axis=1))
    assert usual == pytest.approx([0.0, 1.0])
    assert others == pytest.approx([1.6, 1.6])
    near_none, near_all = mean_estimate(idle, "1", most=1.0), mean_estimate(1 - idle, "1", most=1.0)
    assert near_none.high > 10 * near_none.value
    assert (near_all.low, near_all.high) == pytest.approx((1 - near_none.high, 1 - near_none.low), abs=1e-6)
    assert "few replications differ" in near_all.note


def test_one_replication_in_ten_tells_hardly_anything() -> None:
    """Of a mean that is all of one size nothing is known: the F distribution with 4 and 2 degrees, 39.25 at 97.5 %."""
    end = mean_estimate(np.array([1.0] + [0.0] * 9), "messages")
    assert (end.value, end.low, end.high) == pytest.approx((0.1, 0.0, 0.1 * 2 * 39.248), rel=1e-3)


@pytest.mark.parametrize("values", [[1.0, 2.0, 3.0, 4.0], [0.0] * 7 + [1.0] * 3, [5.0] * 10])
def test_values_that_vary_keep_the_interval_of_their_spread(values: list[float]) -> None:
    numbers = np.array(values)
    assert concentrated(numbers)[1] == 0
    below, above = reach(numbers)
    mean = mean_estimate(numbers, "s")
    assert (mean.value - mean.low, mean.high - mean.value) == pytest.approx((min(below, mean.value), above))
