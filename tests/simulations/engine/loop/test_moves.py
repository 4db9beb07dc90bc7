"""How messages move on: through agents and poll cycles at their times, to the instances in turn."""

from simulations.engine.network.model import Gate, Poller, PollerKind, Pool, Window
from simulations.engine.records.codes import Step
from tests.simulations.engine.courses import instants, one
from tests.simulations.engine.networks import constant, surge

TWO = Pool(threads_per_servant=2)


def test_an_agent_prepares_one_message_after_the_other() -> None:
    spec = one(arrivals=surge(3), service=constant(0.125), gate=Gate(4, 2, agent_time=0.5), pool=TWO)
    assert instants(spec, Step.PREPARE) == [0.5, 1.0, 1.5]
    assert instants(spec, Step.COMPLETE) == [0.625, 1.125, 1.625]


def test_an_open_gate_prepares_up_to_its_high_mark_and_a_closed_one_waits_for_its_low_mark() -> None:
    spec = one(arrivals=surge(6), gate=Gate(4, 2))
    assert instants(spec, Step.PREPARE) == [0.0] * 4 + [2.0] * 2


def test_a_grant_comes_one_round_trip_after_it_was_asked_for() -> None:
    spec = one(arrivals=surge(5), window=Window(2, 0, round_trip=0.5))
    assert instants(spec, Step.PREPARE) == [0.0] * 2 + [2.5] * 2 + [5.0]


def test_each_poll_cycle_adds_a_poller_while_messages_wait() -> None:
    poller = Poller(PollerKind.LEGACY, sessions=3, interval=1.0)
    spec = one(arrivals=surge(5), service=constant(10.0), poller=poller, pool=Pool(threads_per_servant=4))
    assert instants(spec, Step.START) == [0.0, 1.0, 2.0, 10.0, 11.0]


def test_free_threads_take_prepared_messages_at_once() -> None:
    spec = one(arrivals=surge(4), gate=Gate(4, 2), pool=TWO)
    assert instants(spec, Step.START) == [0.0, 0.0, 1.0, 1.0]
