"""Pipelines: messages prefetched behind each session, and only as many as there is room for."""

from simulations.engine.network.model import Pool
from simulations.engine.records.codes import Step
from tests.simulations.engine.courses import course, instants, one
from tests.simulations.engine.networks import surge


def test_a_session_prefetches_as_long_as_there_is_room_behind_it() -> None:
    spec = one(arrivals=surge(6), pipeline=3)
    assert instants(spec, Step.PREPARE) == [0.0] * 4 + [1.0, 2.0]
    assert instants(spec, Step.START) == [0.0, 1.0, 2.0, 3.0, 4.0, 5.0]


def test_sessions_are_filled_in_turn() -> None:
    spec = one(arrivals=surge(6), pipeline=2, pool=Pool(threads_per_servant=2))
    starts = course(spec, Step.START)
    assert [message for _, _, message in starts] == [0, 1, 2, 3, 4, 5]
    assert [time for time, _, _ in starts] == [0.0, 0.0, 1.0, 1.0, 2.0, 2.0]


def test_threads_are_given_to_sessions_not_to_messages() -> None:
    spec = one(arrivals=surge(4), pipeline=4, concurrency=1, pool=Pool(threads_per_servant=4))
    assert instants(spec, Step.START) == [0.0, 1.0, 2.0, 3.0], "one session, however many threads are idle"
