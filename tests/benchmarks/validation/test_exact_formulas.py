"""Formulas of the validation: limits that other formulas know, and a session played through."""

import numpy as np
import pytest

from benchmarks.validation.exact_formulas import (
    mg1_percentiles,
    on_off_mean_latency,
    rollbacks_per_message,
    urgent_latency,
)
from simulations.analysis.theory.laws import law_cv2, law_mean
from simulations.analysis.theory.queues import MMc, gm1_mean_latency, mg1_mean_latency
from simulations.engine.network.model import Law, LawKind

SHARES = (0.5, 0.9, 0.95, 0.99, 0.999)


@pytest.mark.parametrize("load", [0.3, 0.8, 0.95])
def test_exponential_service_gives_m_m_1(load: float) -> None:
    exact = [MMc(load / 0.2, 0.2, 1).percentile(share) for share in SHARES]
    assert mg1_percentiles(load / 0.2, Law(LawKind.EXPONENTIAL, 0.2), SHARES) == pytest.approx(exact, rel=1e-5)


@pytest.mark.parametrize(
    "law",
    [
        Law(LawKind.CONSTANT, 0.2),
        Law(LawKind.LOGNORMAL, -2.0, 1.0),
        Law(LawKind.GAMMA, 2.0, 0.1),
        Law(LawKind.WEIBULL, 0.8, 0.2),
        Law(LawKind.HYPEREXPONENTIAL, 0.9, 0.1, 1.1),
        Law(LawKind.EMPIRICAL, values=(0.1, 0.2, 0.6)),
    ],
    ids=lambda law: law.kind.name,
)
def test_the_percentiles_average_to_the_mean(law: Law) -> None:
    rate = 0.8 / law_mean(law)
    shares = (np.arange(20_000) + 0.5) / 20_000
    found = np.mean(mg1_percentiles(rate, law, shares.tolist()))
    assert found == pytest.approx(mg1_mean_latency(rate, law_mean(law), law_cv2(law)), rel=2e-3)


def test_where_all_messages_are_urgent_they_wait_as_in_m_m_c() -> None:
    assert urgent_latency(17.0, 1.0, 0.2, 4) == pytest.approx(MMc(17.0, 0.2, 4).mean_latency)


def test_a_rare_urgent_message_waits_for_the_one_in_work_alone() -> None:
    """One thread, load 0.8: with that probability it waits for what is left of an exponential service."""
    assert urgent_latency(4.0, 0.0, 0.2, 1) == pytest.approx(0.8 * 0.2 + 0.2)


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


def test_overload_is_refused() -> None:
    for overloaded in (
        lambda: on_off_mean_latency(9.0, 1.0, 1.0, 1.0, 0.2),
        lambda: mg1_percentiles(5.0, Law(LawKind.EXPONENTIAL, 0.2), SHARES),
    ):
        with pytest.raises(ValueError, match="no steady state"):
            overloaded()


def test_rollbacks_per_message_in_a_simulated_session() -> None:
    """Lindley's recursion of one session, the first message of each busy period served twice with p's chance."""
    rate, receive, lifetime, service, size = 1 / 60, 110.0, 120.0, 15.0, 400_000
    random = np.random.default_rng(1)
    free, now, rolled_back = 0.0, 0.0, 0
    for gap in random.exponential(1 / rate, size):
        now += gap
        late = now > free and (now - free) % receive + service > lifetime
        rolled_back += late
        free = max(free, now) + service * (1 + late)
    assert rollbacks_per_message(rate, receive, lifetime, service) == pytest.approx(rolled_back / size, rel=0.03)
    with pytest.raises(ValueError, match="no steady state"):
        rollbacks_per_message(0.07, receive, lifetime, service)
