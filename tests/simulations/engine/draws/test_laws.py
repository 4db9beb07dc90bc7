"""The normal quantile and the gamma law against the standard library."""

import math
from statistics import NormalDist

import numpy as np
import pytest
from numpy.typing import NDArray

from simulations.engine.draws.laws import BLOCK, gamma, normal_quantile
from simulations.engine.draws.numbers import ATTEMPTS, Purpose, exponential, mix, stream_key
from simulations.engine.network.model import Gate, Horizon, NetworkSpec, Pool, Redelivery
from simulations.engine.records.codes import Step
from simulations.engine.replicate import replicate_traced
from tests.simulations.engine.networks import exponential as law
from tests.simulations.engine.networks import network, poisson, stream


@pytest.mark.parametrize("u", [1e-300, 1e-12, 1e-4, 0.02, 0.3, 0.5, 0.77, 0.975, 1.0 - 1e-9])
def test_the_normal_quantile_is_exact(u: float) -> None:
    assert normal_quantile(u) == pytest.approx(NormalDist().inv_cdf(u), rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("shape", [0.3, 1.0, 7.5])
def test_gamma_numbers_have_the_right_moments(shape: float) -> None:
    numbers = np.array([gamma(shape, 2.0, np.uint64(mix(np.uint64(k)))) for k in range(1, 20_001)])
    assert numbers.mean() == pytest.approx(2.0 * shape, rel=0.05)
    assert numbers.var() == pytest.approx(4.0 * shape, rel=0.12)


MESSAGES = 5 * BLOCK
RATE, MEAN, SEED, REPLICATION = 40.0, 0.1, 11, 2


def _network(rate: float) -> NetworkSpec:
    """Return three servers behind gates, where messages overtake each other, and deliveries that fail."""
    one = stream(
        arrivals=poisson(rate), service=law(MEAN), gate=Gate(6, 3), failure_rate=0.1, redelivery=Redelivery(delay=2.0)
    )
    return network(one, pool=Pool(instances=3, threads_per_servant=2), horizon=Horizon(messages=MESSAGES))


def _steps(rate: float, *kinds: Step) -> NDArray[np.void]:
    _, steps = replicate_traced(_network(rate), seed=SEED, replication=REPLICATION, trace=10 * MESSAGES)
    return steps[np.isin(steps["step"], kinds)]


def test_arrivals_are_the_sums_of_the_gaps_of_their_addresses() -> None:
    key = np.uint64(stream_key(SEED, REPLICATION, Purpose.ARRIVAL, 0))
    found = _steps(RATE, Step.ARRIVE)
    assert found.size > MESSAGES
    expected = np.cumsum([exponential(key, k) / RATE for k in range(found.size)])
    np.testing.assert_allclose(found["time"], expected, rtol=1e-12)


def test_every_delivery_takes_the_demand_of_its_address() -> None:
    key = np.uint64(stream_key(SEED, REPLICATION, Purpose.SERVICE, 0))
    started: dict[int, float] = {}
    deliveries: dict[int, int] = {}
    checked = 0
    for row in _steps(RATE, Step.START, Step.COMPLETE, Step.FAIL):
        k = int(row["message"])
        if row["step"] == Step.START:
            started[k] = float(row["time"])
            continue
        earlier = deliveries.get(k, 0)
        demand = exponential(key, k + earlier * ATTEMPTS) * MEAN
        assert math.isclose(row["time"] - started[k], demand, rel_tol=1e-9, abs_tol=1e-12), (k, earlier)
        deliveries[k] = earlier + 1
        checked += 1
    assert checked > MESSAGES
    assert max(deliveries.values()) > 1
