"""Fair share, lottery, constraints and goals: who gets the threads."""

import pytest

from simulations.engine.network.model import Constraint, Dispatch, Horizon, NetworkSpec, Pool, Stream
from simulations.engine.network.results import Count, ReplicationResult, Sum
from tests.simulations.engine.networks import (
    SATURATED,
    constant,
    exponential,
    interval,
    network,
    poisson,
    stream,
    throughput,
)


def _classes(weights: tuple[float, ...], services: tuple[float, ...], dispatch: Dispatch) -> NetworkSpec:
    streams = tuple(
        stream(name=f"q{i}", arrivals=SATURATED, service=exponential(service), weight=weight)
        for i, (weight, service) in enumerate(zip(weights, services, strict=True))
    )
    return network(*streams, pool=Pool(threads_per_servant=20, dispatch=dispatch), horizon=Horizon(messages=20_000))


def _share(result: ReplicationResult, q: int) -> float:
    running = result.sums[4:, :, Sum.RUNNING].sum(axis=0)
    return float(running[q] / running.sum())


@pytest.mark.parametrize("services", [(0.1, 0.1, 0.1), (0.4, 0.1, 0.05)])
def test_example_24_fair_shares_divide_thread_time_whatever_the_service_times(services: tuple[float, ...]) -> None:
    spec = _classes((10.0, 20.0, 50.0), services, Dispatch.THREAD_TIME)
    for q, share in enumerate((0.125, 0.25, 0.625)):
        lower, upper = interval(spec, lambda result, q=q: _share(result, q))  # type: ignore[misc]
        assert lower - 0.005 <= share <= upper + 0.005


def test_example_24_the_lottery_gives_the_same_for_equal_service_times() -> None:
    spec = _classes((10.0, 20.0, 50.0), (0.1, 0.1, 0.1), Dispatch.NEXT_THREAD)
    for q, share in enumerate((0.125, 0.25, 0.625)):
        lower, upper = interval(spec, lambda result, q=q: _share(result, q))  # type: ignore[misc]
        assert lower <= share <= upper


def _busy_server(minimum: int) -> NetworkSpec:
    http = stream(name="http", background=True, arrivals=SATURATED, service=constant(0.1), weight=80.0)
    mdb = stream(arrivals=poisson(25.0), service=constant(0.2), weight=20.0, constraint=(0,))
    pool = Pool(threads_per_servant=20, dispatch=Dispatch.THREAD_TIME, constraints=(Constraint(minimum=minimum),))
    return network(http, mdb, pool=pool, horizon=Horizon(messages=5_000))


@pytest.mark.parametrize(("minimum", "rate"), [(0, 19.9), (6, 24.9)])
def test_job_7_a_minimum_of_threads_carries_a_constant_stream(minimum: int, rate: float) -> None:
    lower, upper = interval(_busy_server(minimum), lambda result: throughput(result, 1))
    assert lower - 0.2 <= rate <= upper + 0.2


def test_example_23_two_streams_share_one_maximum() -> None:
    streams = tuple(
        stream(name=name, arrivals=SATURATED, service=exponential(0.1), constraint=(0,)) for name in ("a", "b")
    )
    pool = Pool(threads_per_servant=20, constraints=(Constraint(maximum=5),))
    spec = network(*streams, pool=pool, horizon=Horizon(messages=20_000))
    lower, upper = interval(spec, lambda result: throughput(result, 0) + throughput(result, 1))
    assert lower <= 50.0 <= upper


def test_work_beyond_the_capacity_is_rejected() -> None:
    pool = Pool(constraints=(Constraint(capacity=3),))
    spec = network(
        stream(arrivals=poisson(20.0), service=exponential(0.05), background=True, constraint=(0,)),
        pool=pool,
        horizon=Horizon(messages=20_000),
    )
    lower, upper = interval(
        spec, lambda r: float(r.counts[:, 0, Count.REJECTED].sum() / r.counts[:, 0, Count.ARRIVED].sum())
    )
    assert lower <= 0.25 <= upper


def _goals(service: float) -> NetworkSpec:
    def of(name: str, goal: float) -> Stream:
        return stream(name=name, arrivals=poisson(60.0), service=constant(service), goal=goal)

    pool = Pool(threads_per_servant=100, dispatch=Dispatch.THREAD_TIME)
    return network(of("a", 2.0), of("b", 5.0), pool=pool, horizon=Horizon(messages=40_000))


def test_example_25_waits_are_in_proportion_to_the_tolerable_waits() -> None:
    lower, upper = interval(
        _goals(1.0),
        lambda r: float(
            (r.sums[8:, 0, Sum.WAIT_THREAD].sum() / r.counts[8:, 0, Count.COMPLETED].sum())
            / (r.sums[8:, 1, Sum.WAIT_THREAD].sum() / r.counts[8:, 1, Count.COMPLETED].sum())
        ),
    )
    assert lower - 0.02 <= (2.0 - 1.0) / (5.0 - 1.0) <= upper + 0.02
