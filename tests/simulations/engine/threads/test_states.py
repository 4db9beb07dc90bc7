"""The number of threads as it follows the work: at once, or a servant at a time."""

import pytest

from simulations.engine.network.model import Pool, PoolGrowth
from simulations.engine.records.codes import Step
from tests.simulations.engine.courses import instants, one
from tests.simulations.engine.networks import constant, surge


@pytest.mark.parametrize(
    ("growth", "start", "expected"),
    [
        (PoolGrowth.FIXED, 0.0, [0.0, 0.0, 0.0, 10.0]),
        (PoolGrowth.INSTANT, 0.0, [0.0, 0.0, 0.0, 10.0]),
        (PoolGrowth.SERVANTS, 2.0, [0.0, 2.0, 4.0, 10.0]),
        (PoolGrowth.SERVANTS, 11.0, [0.0, 10.0, 11.0, 20.0]),
    ],
)
def test_threads_come_as_the_pool_grows(growth: PoolGrowth, start: float, expected: list[float]) -> None:
    pool = Pool(servants_min=1, servants_max=3, growth=growth, servant_start_time=start)
    assert instants(one(arrivals=surge(4), service=constant(10.0), pool=pool), Step.START) == expected


def test_a_servant_brings_all_its_threads() -> None:
    pool = Pool(
        threads_per_servant=2, servants_min=1, servants_max=2, growth=PoolGrowth.SERVANTS, servant_start_time=3.0
    )
    starts = instants(one(arrivals=surge(5), service=constant(10.0), pool=pool), Step.START)
    assert starts == [0.0, 0.0, 3.0, 3.0, 10.0]


def test_a_pool_that_learns_adds_threads_while_that_raises_throughput() -> None:
    pool = Pool(servants_min=1, servants_max=9, growth=PoolGrowth.HISTORY, growth_interval=2.0)
    starts = instants(one(arrivals=surge(30), pool=pool), Step.START)
    assert starts[:8] == [0.0, 1.0, 2.0, 2.0, 3.0, 3.0, 4.0, 4.0]
