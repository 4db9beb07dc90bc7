"""Transactions with batches: capacity, retry alone after a failure, smaller batches after a timeout."""

import pytest

from simulations.engine.network.model import Gate, Horizon, NetworkSpec, Pool, Quota, Redelivery, Timeouts, Transaction
from simulations.engine.network.results import Count, PoolSum, Sum
from simulations.engine.records.codes import Step
from simulations.engine.replicate import replicate, replicate_traced
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
            arrivals=surge(10),
            service=exponential(0.01),
            transaction=Transaction(10, commit_time=0.02),
            poison_rate=0.1,
            redelivery=Redelivery(limit=2),
        ),
        pool=Pool(),
        horizon=Horizon(drained=True),
    )


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


def test_a_batch_that_comes_back_after_a_delay_keeps_its_order() -> None:
    spec = network(
        stream(
            arrivals=surge(4),
            service=constant(0.1),
            transaction=Transaction(4, lifetime=0.35),
            redelivery=Redelivery(delay=1.0),
        ),
        pool=Pool(),
        horizon=Horizon(drained=True),
    )
    steps = replicate_traced(spec, seed=1, replication=0, trace=100)[1]
    again = steps[(steps["step"] == Step.START) & (steps["time"] > 1.0)]
    assert again["message"].tolist() == [0, 1, 2, 3]


def test_threads_at_work_are_counted_once_whatever_they_hold() -> None:
    """A batch is several messages on one thread; a retry in place is a message on a thread that does nothing."""
    batches = stream(
        name="batches",
        arrivals=poisson(60.0),
        service=exponential(0.05),
        transaction=Transaction(5, 0.02, lifetime=0.4),
    )
    retries = stream(arrivals=poisson(10.0), failure_rate=0.3, redelivery=Redelivery(0.2, 4, in_place=True))
    spec = network(batches, retries, pool=Pool(threads_per_servant=6), horizon=Horizon(time=200.0))
    result = replicate(spec, seed=1, replication=0)
    working = result.sums[..., Sum.RUNNING] - result.sums[..., Sum.RESTING]
    assert result.sums[:, :, Sum.RESTING].sum(axis=0).min() > 10.0
    assert working.sum(axis=1) == pytest.approx(result.pool_sums[:, 0, PoolSum.BUSY])
    assert total(result, Count.ROLLBACKS, 1) < 0.05 * total(result, Count.FAILED, 1)


def test_both_loops_count_the_same_rollbacks_of_dispatch_timeouts() -> None:
    gated = {"gate": Gate(8, 4), "timeouts": Timeouts(dispatch=0.2), "failure_rate": 0.1}
    plain, whole = (
        replicate(
            network(stream(**gated, quota=quota), pool=Pool(threads_per_servant=3), horizon=Horizon(messages=2_000)),
            seed=1,
            replication=0,
        )
        for quota in (None, Quota(messages=10**6))
    )
    rollbacks = total(plain, Count.ROLLBACKS)
    assert total(plain, Count.DISPATCH_TIMEOUTS) > 10
    assert rollbacks == total(plain, Count.DISPATCH_TIMEOUTS) + total(plain, Count.FAILED)
    assert rollbacks == total(whole, Count.ROLLBACKS)
