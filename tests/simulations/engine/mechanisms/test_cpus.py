"""Processor sharing against theory: only the mean of the demand matters."""

import pytest

from simulations.engine.network.model import Horizon, Law, LawKind, NetworkSpec, Pool
from simulations.engine.network.results import Sum
from tests.simulations.engine.networks import (
    constant,
    exponential,
    interval,
    network,
    poisson,
    queueing_probability,
    steady,
    stream,
)

_LAWS = [exponential(0.2), constant(0.2), Law(LawKind.HYPEREXPONENTIAL, a=0.8, b=0.05, c=0.8)]


@pytest.mark.parametrize("law", _LAWS)
@pytest.mark.parametrize("cpus", [1, 3])
def test_the_mean_time_under_processor_sharing_does_not_depend_on_the_law(law: Law, cpus: int) -> None:
    use = 0.7
    rate = use * cpus / 0.2
    spec = network(
        stream(arrivals=poisson(rate), service=law, cpu_share=1.0),
        pool=Pool(threads_per_servant=400, cpus=cpus),
        horizon=Horizon(messages=40_000),
    )
    expected = 0.2 + queueing_probability(cpus, use * cpus) / (cpus / 0.2 - rate)
    lower, upper = interval(spec, lambda result: steady(result, Sum.CPU))
    assert lower <= expected <= upper


@pytest.mark.parametrize("q", [0, 1])
def test_threads_beside_the_pool_share_its_cpus_and_nothing_else(q: int) -> None:
    """The load of both streams together is that of M/G/2 with processor sharing; few threads would make them queue."""
    pool = Pool(threads_per_servant=400, cpus=2)
    one = stream(arrivals=poisson(4.0), service=exponential(0.2), cpu_share=1.0)
    beside = stream(name="beside", pool=1, arrivals=poisson(3.0), service=constant(0.2), cpu_share=1.0)
    spec = NetworkSpec((pool, Pool(threads_per_servant=400, cpus=9, host=0)), (one, beside), Horizon(messages=40_000))
    expected = 0.2 + queueing_probability(2, 1.4) / (2 / 0.2 - 7.0)
    lower, upper = interval(spec, lambda result: steady(result, Sum.CPU, q))
    assert lower <= expected <= upper


def test_the_waiting_part_of_a_service_needs_no_cpu() -> None:
    spec = network(
        stream(arrivals=poisson(4.0), service=constant(1.0), cpu_share=0.1),
        pool=Pool(threads_per_servant=100, cpus=1),
        horizon=Horizon(messages=20_000),
    )
    lower, upper = interval(spec, lambda result: steady(result, Sum.WAITING))
    assert lower == pytest.approx(0.9)
    assert upper == pytest.approx(0.9)
