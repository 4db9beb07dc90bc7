"""Erlang's formulas against published values, sums over states and each other; limits that other formulas know."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulations.analysis.theory.queues import (
    MMc,
    drain_time_constant,
    drain_time_exponential,
    erlang_b,
    erlang_c,
    ggc_mean_latency,
    gm1_mean_latency,
    mg1_mean_latency,
)
from simulations.engine.network.model import Law, LawKind
from tests.examples import examples

LOADS = st.floats(0.05, 0.95)


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


@given(LOADS, st.floats(0.001, 10))
def test_pollaczek_khinchine_meets_the_exponential_queue(load: float, service: float) -> None:
    rate = load / service
    assert mg1_mean_latency(rate, service, 1.0) == pytest.approx(MMc(rate, service, 1).mean_latency)


def test_constant_service_halves_the_wait() -> None:
    wait = mg1_mean_latency(4, 0.2, 1.0) - 0.2
    assert mg1_mean_latency(4, 0.2, 0.0) - 0.2 == pytest.approx(wait / 2)


@given(LOADS, st.integers(1, 30))
def test_allen_and_cunneen_is_exact_for_exponential_queues(load: float, servers: int) -> None:
    approximate = ggc_mean_latency(load * servers, 1.0, servers, arrival_cv2=1, service_cv2=1)
    assert approximate == pytest.approx(MMc(load * servers, 1.0, servers).mean_latency)


@given(LOADS, st.floats(0, 20))
def test_allen_and_cunneen_is_exact_for_one_server(load: float, cv2: float) -> None:
    assert ggc_mean_latency(load, 1.0, 1, arrival_cv2=1, service_cv2=cv2) == pytest.approx(
        mg1_mean_latency(load, 1.0, cv2)
    )


@given(LOADS, st.floats(0.01, 10))
def test_exponential_intervals_lead_back_to_one_exponential_server(load: float, service: float) -> None:
    mean = gm1_mean_latency(Law(LawKind.EXPONENTIAL, service / load), service)
    assert mean == pytest.approx(service / (1 - load), rel=1e-6)


def test_regular_arrivals_wait_less_and_bursty_ones_more() -> None:
    regular = gm1_mean_latency(Law(LawKind.CONSTANT, 0.25), 0.2)
    bursty = gm1_mean_latency(Law(LawKind.HYPEREXPONENTIAL, 0.1, 1.25, 0.125 / 0.9), 0.2)
    assert regular is not None
    assert bursty is not None
    assert regular < 0.2 / (1 - 0.8) < bursty
    assert regular == pytest.approx(0.5385, abs=5e-4)  # sigma = e^(-(1 - sigma) / 0.8) has the root 0.6286


def test_intervals_without_a_transform_have_no_formula() -> None:
    assert gm1_mean_latency(Law(LawKind.LOGNORMAL, 0.0, 1.0), 0.2) is None


def test_bursts_of_400_drain_as_j6_says() -> None:
    assert drain_time_constant(400, 0.2, 16) == pytest.approx(5.0)
    assert drain_time_constant(400, 0.2, 25) == pytest.approx(3.2)
    assert drain_time_constant(401, 0.2, 16) == pytest.approx(5.2)


def test_exponential_drain_ends_with_fewer_threads_than_messages() -> None:
    assert drain_time_exponential(1, 0.2, 16) == pytest.approx(0.2)
    assert drain_time_exponential(3, 1.0, 2) == pytest.approx(1 / 2 + 1 / 2 + 1)
