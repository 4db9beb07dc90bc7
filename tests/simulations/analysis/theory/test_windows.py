"""The window with hysteresis: numbers of the acceptance jobs and a walk through its cycle."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulations.analysis.theory.windows import window_mean_busy, window_throughput


def test_sessions_equal_to_threads_carry_three_quarters() -> None:
    assert window_throughput(18, 9, 18, 0.2) == pytest.approx(67.55, abs=5e-3)


@pytest.mark.parametrize(("limit", "busy"), [(16, 12.07), (32, 23.61), (63, 32.0), (64, 32.0)])
def test_pool_of_32_behind_a_flow_limit(limit: int, busy: float) -> None:
    assert window_mean_busy(limit, limit // 2, 32) == pytest.approx(busy, abs=5e-3)


@given(st.integers(1, 200), st.integers(0, 200), st.integers(1, 64))
def test_busy_threads_are_the_average_over_one_cycle(high: int, low: int, threads: int) -> None:
    low = min(low, high - 1)
    times = {k: 1 / min(k, threads) for k in range(low + 1, high + 1)}
    average = sum(min(k, threads) * time for k, time in times.items()) / sum(times.values())
    assert window_mean_busy(high, low, threads) == pytest.approx(average)


@given(st.integers(1, 100), st.integers(1, 32))
def test_equal_marks_slide(high: int, threads: int) -> None:
    assert window_mean_busy(high, high, threads) == min(high, threads)


@given(st.integers(2, 100), st.integers(1, 40), st.data())
def test_a_higher_low_mark_never_carries_less(high: int, threads: int, data: st.DataObject) -> None:
    low = data.draw(st.integers(1, high))
    assert window_mean_busy(high, low, threads) >= window_mean_busy(high, low - 1, threads) - 1e-9


@pytest.mark.parametrize(("high", "low", "threads"), [(0, 0, 1), (5, 6, 1), (5, -1, 1), (5, 2, 0)])
def test_impossible_marks_are_refused(high: int, low: int, threads: int) -> None:
    with pytest.raises(ValueError, match="must"):
        window_mean_busy(high, low, threads)
