"""The room of a destination: what fits gets in, the rest is refused or makes way."""

from typing import Any

import pytest

from simulations.engine.network.model import LimitBehaviour, Quota
from simulations.engine.network.results import Count
from simulations.engine.records.codes import Step
from tests.simulations.engine.courses import counted, course, one
from tests.simulations.engine.networks import surge


def completed(quota: Quota, **settings: Any) -> list[int]:
    return [message for _, _, message in course(one(arrivals=surge(5), quota=quota, **settings), Step.COMPLETE)]


def test_the_newest_messages_are_rejected() -> None:
    quota = Quota(messages=3)
    assert completed(quota) == [0, 1, 2]
    columns = (Count.REJECTED, Count.DROPPED, Count.ADMITTED)
    assert counted(one(arrivals=surge(5), quota=quota), *columns) == [2, 0, 3]


@pytest.mark.parametrize("behaviour", [LimitBehaviour.REMOVE_OLDEST, LimitBehaviour.REMOVE_LOW_PRIORITY])
def test_the_oldest_messages_make_way(behaviour: LimitBehaviour) -> None:
    quota = Quota(messages=3, behaviour=behaviour)
    assert completed(quota) == [2, 3, 4]
    assert counted(one(arrivals=surge(5), quota=quota), Count.REJECTED, Count.DROPPED) == [0, 2]


def test_bytes_are_counted_as_well() -> None:
    assert completed(Quota(bytes=250.0), message_size=100.0) == [0, 1]
    assert completed(Quota(bytes=300.0), message_size=100.0) == [0, 1, 2], "room that is just enough"


def test_a_message_larger_than_all_room_is_rejected_after_the_others_made_way() -> None:
    assert completed(Quota(bytes=50.0, behaviour=LimitBehaviour.REMOVE_OLDEST), message_size=100.0) == []


def test_senders_wait_for_room_and_then_give_up() -> None:
    waiting = Quota(messages=2, behaviour=LimitBehaviour.BLOCK_FIFO, send_timeout=1.5)
    assert counted(one(arrivals=surge(5), quota=waiting, producers=5), Count.COMPLETED, Count.REJECTED) == [3, 2]
