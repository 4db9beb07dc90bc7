"""A source that switches: M/M/1 where both rates are equal or switches are fast, its mixture where they are slow."""

import pytest

from simulations.analysis.theory.checks import Unstable
from simulations.analysis.theory.general_queues import gm1_mean_latency
from simulations.analysis.theory.markov_sources import on_off_mean_latency
from simulations.engine.network.model import Law, LawKind


def test_equal_rates_are_poisson_arrivals() -> None:
    assert on_off_mean_latency(4.0, 4.0, 1.0, 3.0, 0.2) == pytest.approx(1.0)


def test_fast_switches_are_poisson_arrivals_of_the_mean_rate() -> None:
    assert on_off_mean_latency(8.0, 0.0, 1e-4, 1e-4, 0.2) == pytest.approx(1.0, rel=1e-3)


def test_slow_switches_are_two_queues_side_by_side() -> None:
    """3/s and 4/s: latencies 0.5 s and 1 s, weighted by the messages."""
    assert on_off_mean_latency(4.0, 3.0, 1e5, 1e5, 0.2) == pytest.approx((4 * 1.0 + 3 * 0.5) / 7, rel=1e-3)


def test_an_interrupted_source_is_a_renewal_process() -> None:
    """Off without arrivals, exponential times: hyper-exponential intervals, so the latency is that of G/M/1."""
    rate, mean_on, mean_off, service = 8.0, 2.0, 2.0, 0.2
    a, b = rate + 1 / mean_on + 1 / mean_off, rate / mean_off
    fast, slow = (a + (a * a - 4 * b) ** 0.5) / 2, (a - (a * a - 4 * b) ** 0.5) / 2
    first = (rate - slow) / (fast - slow)
    law = Law(LawKind.HYPEREXPONENTIAL, first, 1 / fast, 1 / slow)
    assert on_off_mean_latency(rate, 0.0, mean_on, mean_off, service) == pytest.approx(gm1_mean_latency(law, service))


def test_overload_and_impossible_numbers_are_refused() -> None:
    with pytest.raises(Unstable):
        on_off_mean_latency(9.0, 1.0, 1.0, 1.0, 0.2)
    with pytest.raises(ValueError, match="rate_off"):
        on_off_mean_latency(9.0, -1.0, 1.0, 1.0, 0.1)
