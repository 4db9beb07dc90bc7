"""The window with hysteresis: numbers of the acceptance jobs and a walk through its cycle."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulations.analysis.theory import throttle
from simulations.analysis.theory.queues import MMc
from simulations.analysis.theory.throttle import throttle_chain, window_mean_busy
from tests.examples import NIGHTLY, examples


def test_sessions_equal_to_threads_carry_three_quarters() -> None:
    assert window_mean_busy(18, 9, 18) / 0.2 == pytest.approx(67.55, abs=5e-3)


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


@examples(30, nightly=1_000)
@given(st.integers(1, 12), st.integers(0, 12), st.floats(0.1, 0.85))
def test_marks_that_cover_the_threads_change_nothing(threads: int, spare: int, load: float) -> None:
    low = threads - 1 + spare
    answer = throttle_chain(load * threads, 1.0, threads, low + 1 + spare, low)
    assert answer.latency == pytest.approx(MMc(load * threads, 1.0, threads).mean_latency, rel=1e-6)
    assert answer.idle_blocked_threads == pytest.approx(0, abs=1e-8)


@examples(30, nightly=1_000)
@given(st.integers(2, 12), st.integers(1, 24), st.floats(0.1, 0.85), st.data())
def test_flow_balances_whatever_the_marks(threads: int, high: int, load: float, data: st.DataObject) -> None:
    low = data.draw(st.integers(0, high))
    rate = load * window_mean_busy(high, low, threads) / 0.2
    answer = throttle_chain(rate, 0.2, threads, high, low)
    assert answer.throughput == pytest.approx(rate, rel=1e-6)
    assert answer.latency >= 0.2 * (1 - 1e-9)
    assert 0 <= answer.blocked_fraction <= 1


def test_one_session_blocks_on_every_message() -> None:
    answer = throttle_chain(3, 0.2, 4, 1, 0)
    assert answer.latency == pytest.approx(MMc(3, 0.2, 1).mean_latency)
    assert answer.blocks_per_second == pytest.approx(3)
    assert answer.blocked_fraction == pytest.approx(0.6)


def test_sessions_equal_to_threads_cost_latency() -> None:
    narrow, wide = throttle_chain(60, 0.2, 18, 18, 9), throttle_chain(60, 0.2, 18, 36, 18)
    assert wide.latency == pytest.approx(MMc(60, 0.2, 18).mean_latency, rel=1e-9)
    assert narrow.latency > 1.25 * wide.latency
    assert narrow.idle_blocked_threads > 1.5


def test_a_chain_too_close_to_saturation_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    if not NIGHTLY:
        monkeypatch.setattr(throttle, "MOST_STATES", 100_000)  # two million take twelve seconds
    carried = window_mean_busy(100, 50, 200)
    with pytest.raises(ValueError, match="too close"):
        throttle_chain(carried * (1 - 1e-7), 1.0, 200, 100, 50)
