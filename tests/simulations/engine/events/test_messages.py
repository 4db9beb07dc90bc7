"""Messages that come back: to the front, after their delay, and what ends them."""

import pytest

from simulations.engine.network.model import ArrivalKind, ArrivalSpec, Exhausted, Redelivery
from simulations.engine.network.results import Count, Extreme, Sum
from simulations.engine.records.codes import Step
from simulations.engine.replicate import replicate
from tests.simulations.engine.courses import counted, course, instants, is_urgent, one
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


def test_urgent_messages_are_taken_first_and_each_kind_in_its_order() -> None:
    spec = one(arrivals=surge(30), urgent_share=0.4)
    urgent = [message for message in range(30) if is_urgent(message, 0.4)]
    others = [message for message in range(30) if message not in urgent]
    assert 0 < len(urgent) < 30
    assert [message for _, _, message in course(spec, Step.START)] == urgent + others
    assert counted(spec, Count.URGENT) == [len(urgent)]
    sums = replicate(spec, seed=1, replication=0).sums.sum(axis=(0, 1))
    assert sums[Sum.URGENT] == sum(range(1, len(urgent) + 1)), "the k-th of them ends after k seconds"


def test_urgent_messages_overtake_those_that_came_before_but_interrupt_none() -> None:
    in_work = ArrivalSpec(ArrivalKind.TRACE, instants=(0.0, *[0.5] * 20, *[0.7] * 20))
    urgent = [message for message in range(1, 41) if is_urgent(message, 0.4)]
    others = [message for message in range(1, 41) if message not in urgent]
    assert {message > 20 for message in urgent} == {False, True}
    assert [message for _, _, message in course(one(arrivals=in_work, urgent_share=0.4), Step.START)] == [
        0,
        *urgent,
        *others,
    ]


def test_an_urgent_message_that_failed_returns_before_the_others() -> None:
    spec = one(arrivals=surge(30), poison_rate=1.0, urgent_share=0.4, redelivery=Redelivery(limit=2))
    urgent = [message for message in range(30) if is_urgent(message, 0.4)]
    started = [message for _, _, message in course(spec, Step.START)]
    assert started[: 2 * len(urgent)] == [message for message in urgent for _ in range(2)]
