"""Outcomes of deliveries: retries that keep their thread, and the instance that completed a message."""

from simulations.engine.network.model import Pool, Redelivery
from simulations.engine.network.results import Count, PoolSum, Sum
from simulations.engine.records.codes import Step
from simulations.engine.replicate import replicate
from tests.simulations.engine.courses import counted, instants, one
from tests.simulations.engine.networks import surge


def test_a_retry_in_place_holds_its_thread_and_is_rolled_back_at_last() -> None:
    spec = one(arrivals=surge(1), poison_rate=1.0, redelivery=Redelivery(0.5, 3, in_place=True))
    assert instants(spec, Step.FAIL) == [1.0, 2.5, 4.0]
    assert instants(spec, Step.START) == [0.0], "it never leaves its thread"
    assert counted(spec, Count.FAILED, Count.REDELIVERIES, Count.ROLLBACKS, Count.DEAD_LETTERS) == [3, 2, 1, 1]
    result = replicate(spec, seed=1, replication=0)
    pool = result.pool_sums.sum(axis=(0, 1))
    assert (pool[PoolSum.BUSY], pool[PoolSum.HELD]) == (3.0, 1.0)
    assert result.sums[:, 0, Sum.WASTED].sum() == 3.0


def test_others_wait_behind_a_retry_in_place() -> None:
    spec = one(arrivals=surge(2), poison_rate=1.0, redelivery=Redelivery(0.5, 2, in_place=True))
    assert instants(spec, Step.START) == [0.0, 2.5]


def test_completed_messages_are_counted_at_their_instance() -> None:
    result = replicate(one(arrivals=surge(7), pool=Pool(instances=3)), seed=1, replication=0)
    assert result.per_instance.tolist() == [[3, 2, 2]]


def test_failed_deliveries_have_the_failure_rate() -> None:
    spec = one(arrivals=surge(2_000), service=one().streams[0].service, failure_rate=0.25, pool=Pool(instances=200))
    failed, completed = counted(spec, Count.FAILED, Count.COMPLETED)
    assert completed == 2_000
    assert 0.22 < failed / (failed + completed) < 0.28
