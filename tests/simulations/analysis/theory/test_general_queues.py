"""General service times: limits that other formulas know."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulations.analysis.theory.general_queues import (
    drain_time_constant,
    drain_time_exponential,
    ggc_mean_latency,
    gm1_mean_latency,
    mg1_mean_latency,
)
from simulations.analysis.theory.markov_queues import MMc
from simulations.engine.network.model import Law, LawKind

LOADS = st.floats(0.05, 0.95)


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
