"""Transactions with batches: capacity, retry alone after a failure, smaller batches after a timeout."""

import pytest

from simulations.engine.network import Horizon, NetworkSpec, Pool, Redelivery, Transaction
from simulations.engine.replicate import replicate
from simulations.engine.results import Count
from tests.simulations.engine.networks import (
    SATURATED,
    constant,
    exponential,
    interval,
    network,
    poisson,
    stream,
    surge,
    throughput,
    total,
)


@pytest.mark.parametrize(("batch", "rate"), [(1, 40.0), (2, 66.7), (5, 111.1), (10, 142.9)])
def test_job_8_the_ceiling_of_a_thread_is_the_formula(batch: int, rate: float) -> None:
    spec = network(
        stream(arrivals=SATURATED, service=constant(0.005), transaction=Transaction(batch, commit_time=0.02)),
        pool=Pool(),
        horizon=Horizon(messages=10_000),
    )
    assert throughput(replicate(spec, seed=1, replication=0)) == pytest.approx(rate, rel=2e-3)


def test_job_8_with_16_threads_batches_hardly_form() -> None:
    spec = network(
        stream(arrivals=poisson(400.0), service=constant(0.005), transaction=Transaction(5, commit_time=0.02)),
        pool=Pool(threads_per_servant=16),
        horizon=Horizon(messages=40_000),
    )
    lower, upper = interval(spec, lambda result: total(result, Count.BATCHED) / total(result, Count.BATCHES))
    assert 1.0 <= lower <= upper <= 1.03


def _poisoned(seed: int) -> NetworkSpec:
    del seed
    return network(
        stream(
            arrivals=surge(10), service=exponential(0.01), transaction=Transaction(10, commit_time=0.02),
            poison_rate=0.1, redelivery=Redelivery(limit=2),
        ),
        pool=Pool(),
        horizon=Horizon(drained=True),
    )  # fmt: skip


def test_example_27_a_failed_batch_is_retried_one_by_one() -> None:
    results = (replicate(_poisoned(seed), seed=seed, replication=0) for seed in range(100))
    one_poison = next(result for result in results if total(result, Count.DEAD_LETTERS) == 1)
    assert total(one_poison, Count.BATCHES) == 9
    assert total(one_poison, Count.BATCHED) == 9
    assert total(one_poison, Count.ROLLBACKS) == 2


def test_example_28_a_batch_that_outlives_its_transaction_shrinks() -> None:
    spec = network(
        stream(arrivals=surge(5), service=constant(7.0), transaction=Transaction(5, lifetime=30.0)),
        pool=Pool(),
        horizon=Horizon(drained=True),
    )
    result = replicate(spec, seed=1, replication=0)
    assert total(result, Count.TRANSACTION_TIMEOUTS) == 1
    assert total(result, Count.COMPLETED) == 5
