"""Erlang's formulas against published values, sums over states and each other."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulations.analysis.theory.markov_queues import MMc, erlang_b, erlang_c
from tests.examples import examples


def erlang_b_by_states(servers: int, load: float) -> float:
    weights = [load**k / math.factorial(k) for k in range(servers + 1)]
    return weights[-1] / sum(weights)


@given(st.integers(1, 60), st.floats(0.01, 80))
def test_erlang_b_is_the_share_of_time_with_all_servers_busy(servers: int, load: float) -> None:
    assert erlang_b(servers, load) == pytest.approx(erlang_b_by_states(servers, load), rel=1e-10)


def test_one_server_waits_with_probability_load() -> None:
    assert erlang_c(1, 0.7) == pytest.approx(0.7)


def test_the_worked_example_of_the_surge_preset() -> None:
    queue = MMc(rate=81, service=0.2, servers=18)
    assert queue.mean_latency == pytest.approx(0.2634, abs=5e-5)
    assert queue.percentile(0.95) == pytest.approx(0.7017, abs=5e-5)
    assert queue.percentile(0.99) == pytest.approx(1.0273, abs=5e-5)


def test_latency_of_one_server_is_exponential() -> None:
    queue = MMc(rate=3, service=0.2, servers=1)
    assert queue.mean_latency == pytest.approx(0.2 / (1 - 0.6))
    assert queue.percentile(0.5) == pytest.approx(queue.mean_latency * math.log(2))


@given(st.integers(1, 40), st.floats(0.05, 0.99), st.floats(1e-3, 100), st.floats(0.001, 0.9999))
def test_a_percentile_has_its_share_above(servers: int, load: float, service: float, share: float) -> None:
    queue = MMc(load * servers / service, service, servers)
    assert queue.survival(queue.percentile(share)) == pytest.approx(1 - share, rel=1e-6)


@examples(20, nightly=1_000)
@given(st.integers(2, 40), st.floats(0.05, 0.95))
def test_the_mean_is_the_area_under_the_survival_curve(servers: int, load: float) -> None:
    queue = MMc(load * servers, 1.0, servers)
    longest = queue.percentile(1 - 1e-12)
    steps = 5_000
    area = sum(queue.survival((k + 0.5) * longest / steps) for k in range(steps)) * longest / steps
    assert area == pytest.approx(queue.mean_latency, rel=1e-3)


def test_survival_is_smooth_where_both_rates_are_equal() -> None:
    near, exact = MMc(1.0 - 1e-9, 1.0, 2), MMc(1.0, 1.0, 2)  # c mu - lambda = mu at the second
    assert near.survival(2.5) == pytest.approx(exact.survival(2.5), rel=1e-6)


@pytest.mark.parametrize("share", [0.0, 1.0, -0.1])
def test_a_percentile_lies_strictly_between_0_and_1(share: float) -> None:
    with pytest.raises(ValueError, match="share"):
        MMc(1, 0.5, 1).percentile(share)
