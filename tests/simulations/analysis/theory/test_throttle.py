"""The exact chain against formulas where they exist and against a simulation of the same rules where none does."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulations.analysis.theory.checks import Unstable
from simulations.analysis.theory.markov_queues import MMc
from simulations.analysis.theory.throttle import throttle_chain
from simulations.analysis.theory.windows import window_throughput
from tests.examples import examples


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
    rate = load * window_throughput(high, low, threads, 0.2)
    answer = throttle_chain(rate, 0.2, threads, high, low)
    assert answer.throughput == pytest.approx(rate, rel=1e-6)
    assert answer.latency >= 0.2 * (1 - 1e-9)
    assert 0 <= answer.blocked_fraction <= 1
    assert answer.cut < 1e-10


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


def test_more_than_the_window_carries_is_refused() -> None:
    with pytest.raises(Unstable):
        throttle_chain(68, 0.2, 18, 18, 9)


def test_a_chain_too_close_to_saturation_is_refused() -> None:
    carried = window_throughput(100, 50, 200, 1.0)
    with pytest.raises(ValueError, match="too close"):
        throttle_chain(carried * (1 - 1e-7), 1.0, 200, 100, 50)
