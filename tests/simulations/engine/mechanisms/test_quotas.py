"""The room of a destination: what fits gets in, the rest is refused or makes way."""

import dataclasses
from typing import Any

import pytest

from simulations.engine.network.model import (
    ArrivalKind,
    ArrivalSpec,
    LimitBehaviour,
    NetworkSpec,
    Pool,
    Quota,
    Window,
)
from simulations.engine.network.results import Count
from simulations.engine.records.codes import Step
from simulations.engine.replicate import replicate_traced
from tests.simulations.engine.courses import counted, course, is_urgent, one
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


@pytest.mark.parametrize("behaviour", [LimitBehaviour.REMOVE_OLDEST, LimitBehaviour.REMOVE_LOW_PRIORITY])
def test_messages_that_were_sent_ahead_make_way_as_well(behaviour: LimitBehaviour) -> None:
    """The window takes all that the destination may hold; one runs, the oldest of the others make way."""
    quota = Quota(messages=3, behaviour=behaviour)
    spec = one(arrivals=ArrivalSpec(ArrivalKind.PERIODIC, count=1, period=0.1), quota=quota, window=Window(9, 4))
    done = [message for _, _, message in course(spec, Step.COMPLETE)]
    assert done[:3] == [0, 8, 18], "after a second 9 and 10, too, have come and 8 is the oldest of two"
    assert counted(spec, Count.REJECTED) == [0]


@pytest.mark.parametrize("window", [None, Window(9, 4)])
def test_urgent_messages_make_way_only_where_no_others_are_left(window: Window | None) -> None:
    """The first message runs when there is a window; those that make way have no thread."""
    quota = Quota(messages=6, behaviour=LimitBehaviour.REMOVE_LOW_PRIORITY)
    arrivals = ArrivalSpec(ArrivalKind.PERIODIC, count=1, period=0.05)
    spec = one(arrivals=arrivals, quota=quota, window=window, urgent_share=0.3)
    inside: list[int] = []
    for time, step, message in _steps(spec):
        if step == Step.DROP:
            waiting = [other for other in inside if other != message]
            if is_urgent(message, 0.3):
                assert all(is_urgent(other, 0.3) for other in waiting), time
            else:
                assert message == min(other for other in inside if not is_urgent(other, 0.3)), time
        if step == Step.ARRIVE:
            inside.append(message)
        elif step in (Step.START, Step.DROP):
            inside.remove(message)
    drops = [message for _, step, message in _steps(spec) if step == Step.DROP]
    assert {is_urgent(message, 0.3) for message in drops} == {False, True}


def _steps(spec: NetworkSpec) -> list[tuple[float, Step, int]]:
    steps = (Step.ARRIVE, Step.START, Step.DROP)
    rows = replicate_traced(spec, seed=1, replication=0, trace=1_000)[1]
    return [(row["time"].item(), Step(row["step"]), int(row["message"])) for row in rows if row["step"] in steps]


def test_where_all_messages_run_the_newest_is_refused() -> None:
    quota = Quota(messages=2, behaviour=LimitBehaviour.REMOVE_OLDEST)
    spec = one(arrivals=surge(5), quota=quota, window=Window(9, 4), pool=Pool(threads_per_servant=2))
    late = dataclasses.replace(
        spec, streams=(dataclasses.replace(spec.streams[0], arrivals=_trace(0.0, 0.0, 0.5, 0.6)),)
    )
    assert counted(late, Count.REJECTED, Count.DROPPED, Count.COMPLETED) == [2, 0, 2]


def _trace(*instants: float) -> ArrivalSpec:
    return ArrivalSpec(ArrivalKind.TRACE, instants=instants)
