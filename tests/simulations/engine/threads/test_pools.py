"""Plain queues against theory: M/M/c, M/G/1, M/D/c."""

import math

import pytest

from simulations.engine.network.model import Horizon, Law, LawKind, NetworkSpec, Pool
from simulations.engine.network.results import Extreme, ReplicationResult, Sum, bin_edges
from simulations.engine.replicate import replicate
from tests.simulations.engine.networks import (
    constant,
    exponential,
    interval,
    network,
    poisson,
    queueing_probability,
    steady,
    stream,
    surge,
)


def _queue(rate: float, law: Law, servers: int, messages: int = 40_000) -> NetworkSpec:
    return network(
        stream(arrivals=poisson(rate), service=law),
        pool=Pool(threads_per_servant=servers, cpus=servers),
        horizon=Horizon(messages=messages),
    )


@pytest.mark.parametrize(("servers", "use"), [(1, 0.5), (4, 0.8), (18, 0.9)])
def test_the_mean_wait_is_erlangs(servers: int, use: float) -> None:
    rate = use * servers / 0.2
    wait = queueing_probability(servers, use * servers) / (servers / 0.2 - rate)
    lower, upper = interval(_queue(rate, exponential(0.2), servers), lambda result: steady(result, Sum.WAIT_THREAD))
    assert lower <= wait <= upper


def _p95(result: ReplicationResult) -> float:
    counts = result.histograms[4:, 0].sum(axis=0).cumsum()
    return float(bin_edges()[int((counts >= 0.95 * counts[-1]).argmax())])


def test_the_p95_of_a_single_server_is_exponential() -> None:
    lower, upper = interval(_queue(4.0, exponential(0.2), 1), _p95)
    assert lower <= 0.2 / (1.0 - 0.8) * math.log(20.0) <= upper


@pytest.mark.parametrize(
    ("law", "variation"),
    [
        (constant(0.2), 0.0),
        (Law(LawKind.GAMMA, a=4.0, b=0.05), 0.25),
        (Law(LawKind.GAMMA, a=0.5, b=0.4), 2.0),
        (Law(LawKind.LOGNORMAL, a=math.log(0.2) - 0.5 * math.log(2.0), b=math.sqrt(math.log(2.0))), 1.0),
        (Law(LawKind.WEIBULL, a=1.0, b=0.2), 1.0),
        (Law(LawKind.HYPEREXPONENTIAL, a=0.5, b=0.1, c=0.3), 1.5),
        (Law(LawKind.EMPIRICAL, values=(0.1, 0.3)), 0.25),
    ],
)
def test_the_mean_wait_of_one_server_is_pollaczeks(law: Law, variation: float) -> None:
    use = 0.7
    wait = 0.2 * use * (1.0 + variation) / (2.0 * (1.0 - use))
    lower, upper = interval(_queue(use / 0.2, law, 1), lambda result: steady(result, Sum.WAIT_THREAD))
    assert lower <= wait <= upper


@pytest.mark.parametrize(("servers", "drained"), [(16, 5.0), (25, 3.2), (40, 2.0)])
def test_job_6_a_burst_of_400_drains_in_whole_rounds(servers: int, drained: float) -> None:
    spec = network(
        stream(arrivals=surge(400), service=constant(0.2)),
        pool=Pool(threads_per_servant=servers),
        horizon=Horizon(drained=True),
    )
    assert replicate(spec, seed=1, replication=0).extremes[0, Extreme.LAST_OUTCOME] == pytest.approx(drained, rel=1e-12)
