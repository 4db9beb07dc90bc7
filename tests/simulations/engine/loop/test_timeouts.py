"""Deliveries that take too long: rejected from the prepared queue, ended on their thread, lost with their servant."""

from simulations.engine.network.model import Gate, Horizon, Pool, Redelivery, TimeoutAction, Timeouts
from simulations.engine.network.results import Count, PoolSum, Sum
from simulations.engine.records.codes import Step
from simulations.engine.replicate import replicate
from tests.simulations.engine.courses import counted, course, instants, one
from tests.simulations.engine.networks import constant, network, stream, surge


def test_a_message_that_was_prepared_too_long_goes_back_without_using_up_a_delivery() -> None:
    spec = one(
        arrivals=surge(3),
        service=constant(2.0),
        gate=Gate(2, 0),
        timeouts=Timeouts(queue=1.0),
        redelivery=Redelivery(limit=1),
    )
    assert course(spec, Step.EXPIRE) == [(2.0, 0, 1), (4.0, 0, 2)]
    assert instants(spec, Step.COMPLETE) == [2.0, 4.0, 6.0]
    assert counted(spec, Count.QUEUE_TIMEOUTS, Count.REDELIVERIES, Count.DEAD_LETTERS) == [2, 2, 0]


def test_the_agents_time_of_rejected_records_is_wasted() -> None:
    spec = one(
        arrivals=surge(3), service=constant(2.0), gate=Gate(2, 1, 0.25), timeouts=Timeouts(queue=1.0), cpu_share=0.0
    )
    (expired,) = counted(spec, Count.QUEUE_TIMEOUTS)
    assert expired > 0
    assert replicate(spec, seed=1, replication=0).sums[:, 0, Sum.WASTED].sum() == 0.25 * expired


def test_a_delivery_ends_at_its_dispatch_timeout() -> None:
    spec = one(
        arrivals=surge(1), service=constant(2.0), timeouts=Timeouts(dispatch=1.5), redelivery=Redelivery(limit=2)
    )
    assert instants(spec, Step.OVERRUN) == [1.5, 3.0]
    assert instants(spec, Step.DEAD) == [3.0]
    result = replicate(spec, seed=1, replication=0)
    assert result.sums[:, 0, Sum.WASTED].sum() == 3.0
    assert counted(spec, Count.DISPATCH_TIMEOUTS, Count.ROLLBACKS) == [2, 2]


def test_work_that_ends_before_its_timeout_is_left_alone() -> None:
    spec = one(arrivals=surge(3), timeouts=Timeouts(dispatch=1.001))
    assert counted(spec, Count.DISPATCH_TIMEOUTS, Count.COMPLETED) == [0, 3]


def test_a_lost_servant_takes_the_work_of_all_its_threads_with_it() -> None:
    restart = Timeouts(dispatch=2.0, action=TimeoutAction.RESTART_SERVANT)
    late = stream(arrivals=surge(1), service=constant(5.0), timeouts=restart, redelivery=Redelivery(limit=1))
    other = stream(arrivals=surge(1), service=constant(3.0))
    pool = Pool(threads_per_servant=2, servant_start_time=10.0)
    spec = network(late, other, pool=pool, horizon=Horizon(time=50.0))
    assert course(spec, Step.DEAD, Step.COMPLETE) == [(2.0, 0, 0), (15.0, 1, 0)]
    result = replicate(spec, seed=1, replication=0)
    assert result.pool_sums[:, 0, PoolSum.HELD].sum() == 20.0
    assert result.counts[:, 1, Count.ROLLBACKS].sum() == 1
