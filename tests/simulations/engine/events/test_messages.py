"""Messages that come back: to the front, after their delay, and what ends them."""

import pytest

from simulations.engine.network.model import Exhausted, Redelivery
from simulations.engine.network.results import Count, Extreme, Sum
from simulations.engine.records.codes import Step
from simulations.engine.replicate import replicate
from tests.simulations.engine.courses import counted, course, instants, one
from tests.simulations.engine.networks import surge


def test_a_message_returns_after_its_delay_until_its_deliveries_are_used_up() -> None:
    spec = one(arrivals=surge(1), poison_rate=1.0, redelivery=Redelivery(delay=0.5, limit=3))
    assert course(spec, Step.FAIL) == [(1.0, 0, 0), (2.5, 0, 0), (4.0, 0, 0)]
    assert course(spec, Step.DEAD) == [(4.0, 0, 0)]
    assert counted(spec, Count.FAILED, Count.REDELIVERIES, Count.ROLLBACKS, Count.DEAD_LETTERS) == [3, 2, 3, 1]


@pytest.mark.parametrize(
    ("exhausted", "dead", "dropped", "left"),
    [(Exhausted.DEAD_LETTER, 1, 0, 0), (Exhausted.DROP, 0, 1, 0), (Exhausted.STOP_STREAM, 0, 0, 1)],
)
def test_the_last_failure_ends_a_message_as_its_stream_says(
    exhausted: Exhausted, dead: int, dropped: int, left: int
) -> None:
    spec = one(arrivals=surge(1), poison_rate=1.0, redelivery=Redelivery(0.0, 2, exhausted))
    assert counted(spec, Count.DEAD_LETTERS, Count.DROPPED) == [dead, dropped]
    assert replicate(spec, seed=1, replication=0).extremes[0, Extreme.BACKLOG_END] == left


def test_without_delay_a_message_returns_to_the_front() -> None:
    spec = one(arrivals=surge(2), poison_rate=1.0, redelivery=Redelivery(limit=3))
    assert [message for _, _, message in course(spec, Step.START)] == [0, 0, 0, 1, 1, 1]


def test_delayed_messages_return_to_the_front_in_their_order() -> None:
    spec = one(arrivals=surge(3), poison_rate=1.0, redelivery=Redelivery(delay=1.5, limit=2))
    assert [message for _, _, message in course(spec, Step.START)] == [0, 1, 2, 0, 1, 2]
    assert instants(spec, Step.START) == [0.0, 1.0, 2.0, 3.0, 4.0, 5.0]


def test_the_time_of_earlier_deliveries_is_redelivery_time() -> None:
    spec = one(arrivals=surge(40), failure_rate=0.5, redelivery=Redelivery(delay=0.5))
    result = replicate(spec, seed=1, replication=0)
    sums = result.sums.sum(axis=(0, 1))
    assert sums[Sum.REDELIVERY] > 0.0
    assert sums[Sum.WAITING] == result.counts[..., Count.COMPLETED].sum(), "one second of the last delivery each"
