"""A service in its parts: on shared CPUs first, then off them."""

from simulations.engine.network.model import Pool, Redelivery
from simulations.engine.network.results import PoolSum, Sum
from simulations.engine.records.codes import Step
from simulations.engine.replicate import replicate
from tests.simulations.engine.courses import instants, one
from tests.simulations.engine.networks import constant, surge


def test_the_cpu_part_is_shared_and_the_rest_is_not() -> None:
    spec = one(arrivals=surge(2), service=constant(2.0), cpu_share=0.25, pool=Pool(threads_per_servant=2, cpus=1))
    assert instants(spec, Step.COMPLETE) == [2.5, 2.5]
    result = replicate(spec, seed=1, replication=0)
    sums = result.sums.sum(axis=(0, 1))
    assert (sums[Sum.CPU], sums[Sum.WAITING], sums[Sum.LATENCY]) == (2.0, 3.0, 5.0)
    assert result.pool_sums[:, 0, PoolSum.CPU].sum() == 1.0


def test_with_enough_cpus_nothing_is_shared() -> None:
    spec = one(arrivals=surge(2), service=constant(2.0), cpu_share=1.0, pool=Pool(threads_per_servant=2, cpus=2))
    assert instants(spec, Step.COMPLETE) == [2.0, 2.0]


def test_the_wait_for_a_thread_is_the_time_on_the_destination() -> None:
    sums = replicate(one(arrivals=surge(3)), seed=1, replication=0).sums.sum(axis=(0, 1))
    assert (sums[Sum.WAIT_THREAD], sums[Sum.WAIT_DESTINATION], sums[Sum.WAIT_PREPARED]) == (3.0, 0.0, 0.0)


def test_the_search_for_a_message_that_suits_keeps_the_thread_before_each_delivery() -> None:
    again = Redelivery(limit=2)
    spec = one(arrivals=surge(2), search=constant(0.5), poison_rate=1.0, redelivery=again)
    assert instants(spec, Step.FAIL) == [1.5, 3.0, 4.5, 6.0]
    assert instants(one(arrivals=surge(2), search=constant(0.5)), Step.COMPLETE) == [1.5, 3.0]
