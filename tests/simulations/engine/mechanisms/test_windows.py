"""Credit windows: the closed form, the worked examples and the cluster dilemma."""

import pytest

from simulations.engine.network.model import Horizon, NetworkSpec, Pool, Window
from simulations.engine.network.results import Count, Extreme, PoolSum, ReplicationResult
from simulations.engine.replicate import replicate
from tests.simulations.engine.networks import SATURATED, constant, exponential, interval, network, stream, surge, total


def _saturated(limit: int, threads: int = 32) -> NetworkSpec:
    return network(
        stream(arrivals=SATURATED, service=exponential(1.0), window=Window(limit, limit // 2)),
        pool=Pool(threads_per_servant=threads),
        horizon=Horizon(messages=20_000),
    )


def _busy(result: ReplicationResult) -> float:
    return float(result.pool_sums[4:, 0, PoolSum.BUSY].sum() / result.durations[4:].sum())


@pytest.mark.parametrize(("limit", "busy"), [(16, 12.07), (32, 23.61), (64, 32.0)])
def test_job_11_the_mean_concurrency_behind_a_limit_is_the_closed_form(limit: int, busy: float) -> None:
    lower, upper = interval(_saturated(limit), _busy)
    assert lower - 0.005 <= busy <= upper + 0.005


def _backlog(count: int, limit: int, instances: int, round_trip: float = 0.0, metered: int = 0) -> NetworkSpec:
    window = Window(limit, limit // 2, round_trip, connection_count=metered)
    return network(
        stream(arrivals=surge(count), service=exponential(1.0), window=window),
        pool=Pool(threads_per_servant=32, instances=instances),
        horizon=Horizon(drained=True),
    )


@pytest.mark.parametrize("metered", [0, 100])
@pytest.mark.parametrize(("count", "split"), [(600, [600, 0]), (1500, [1000, 500])])
def test_example_41_the_first_consumer_gets_its_whole_grant(count: int, split: list[int], metered: int) -> None:
    """Metering delays the transfer of a grant, and leaves nothing of it to others."""
    result = replicate(_backlog(count, 1000, 2, 0.005, metered), seed=1, replication=0)
    assert result.per_instance[0].tolist() == split


@pytest.mark.parametrize(
    ("limit", "drained"), [(1000, 34.5), (500, 19.5), (64, 19.3), (48, 20.0), (32, 24.7), (16, 44.5), (8, 82.0)]
)
@pytest.mark.parametrize("metered", [0, 100])
def test_job_10_the_drain_time_over_the_limit_is_u_shaped(limit: int, drained: float, metered: int) -> None:
    spec = _backlog(1_000, limit, 2, 0.005, metered)
    lower, upper = interval(spec, lambda result: float(result.extremes[0, Extreme.LAST_OUTCOME]))
    assert lower * 0.98 <= drained <= upper * 1.02


@pytest.mark.parametrize(("limit", "threshold", "size"), [(1000, 500, 500), (1000, 100, 900), (10, 9, 1), (10, 0, 10)])
def test_examples_38_39_and_48_a_grant_refills_the_window(limit: int, threshold: int, size: int) -> None:
    spec = network(
        stream(arrivals=SATURATED, service=constant(1.0), window=Window(limit, threshold)),
        pool=Pool(threads_per_servant=1),
        horizon=Horizon(messages=5_000),
    )
    result = replicate(spec, seed=1, replication=0)
    assert total(result, Count.GRANTED) == size * total(result, Count.TOPUPS)


def test_a_connection_limit_bounds_what_is_pending_however_many_credits_there_are() -> None:
    spec = network(
        stream(arrivals=SATURATED, service=exponential(1.0), window=Window(1000, 500, connection_limit=16)),
        pool=Pool(threads_per_servant=32),
        horizon=Horizon(messages=5_000),
    )
    lower, upper = interval(spec, _busy)
    assert lower <= 16.0 <= upper


def test_metering_lets_the_connection_limit_be_passed_by_less_than_one_batch() -> None:
    window = Window(1000, 500, connection_limit=10, connection_count=8)
    spec = network(
        stream(arrivals=SATURATED, service=exponential(1.0), window=window),
        pool=Pool(threads_per_servant=100),
        horizon=Horizon(messages=5_000),
    )
    lower, upper = interval(spec, _busy)
    assert 8.0 < lower < upper < 18.0


def test_threads_that_wait_for_credit_are_held_back_and_those_without_work_are_not() -> None:
    """Four threads take 8 messages in two grants, 5 s apart: they idle for want of credit until the second comes."""
    spec = network(
        stream(arrivals=surge(8), service=constant(1.0), window=Window(4, 0, 5.0), concurrency=4),
        pool=Pool(threads_per_servant=6),
        horizon=Horizon(time=10.0),
    )
    idle = replicate(spec, seed=1, replication=0).pool_sums[:, 0].sum(axis=0)
    assert idle[PoolSum.BUSY] == pytest.approx(8.0)
    assert idle[PoolSum.IDLE_BLOCKED] == pytest.approx(4 * 5.0)
    assert idle[PoolSum.IDLE_NO_WORK] == pytest.approx(60.0 - 8.0 - 20.0)
