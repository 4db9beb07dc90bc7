"""The memory of a replication: horizons as counts of outcomes, message slots, and growing without losing any."""

import math

import pytest

from simulations.engine.draws.numbers import Purpose, stream_key
from simulations.engine.loop.kernel import run
from simulations.engine.network.model import Gate, Horizon, Pool, Send, Window
from simulations.engine.network.results import SEGMENTS
from simulations.engine.packing.numbering import UNLIMITED
from simulations.engine.packing.tables import EVERYTHING, Tables, pack
from tests.simulations.engine.networks import network, poisson, stream, surge

POOL = Pool(threads_per_servant=4)


def packed(horizon: Horizon, **settings: object) -> Tables:
    return pack(network(stream(**settings), pool=POOL, horizon=horizon), 1, 0, 5)


@pytest.mark.parametrize(
    ("horizon", "arrivals", "target"),
    [
        (Horizon(messages=1_000), poisson(1.0), 1_000),
        (Horizon(messages=1_000), surge(60), 60),
        (Horizon(messages=10), surge(60), 10),
        (Horizon(drained=True), surge(60), 60),
        (Horizon(time=32.0), poisson(1.0), 0),
        (Horizon(time=32.0), surge(60), 0),
    ],
)
def test_a_horizon_counts_at_most_the_messages_that_come(horizon: Horizon, arrivals: object, target: int) -> None:
    head = packed(horizon, arrivals=arrivals).head
    assert head.target == target
    assert head.segment_outcomes == (max(1, target // SEGMENTS) if target else UNLIMITED)


def test_a_horizon_in_time_is_cut_into_equal_segments() -> None:
    head = packed(Horizon(time=32.0)).head
    assert (head.end_time, head.segment_end) == (32.0, 2.0)
    head = packed(Horizon(messages=10)).head
    assert (head.end_time, head.segment_end) == (math.inf, math.inf)


def test_slots_are_there_for_threads_bursts_and_what_is_held() -> None:
    plain = packed(Horizon(messages=10)).messages.size
    assert packed(Horizon(messages=10), arrivals=surge(500)).messages.size == plain + 499
    assert packed(Horizon(messages=10), gate=Gate(36, 18)).messages.size == plain + 36
    assert packed(Horizon(messages=10), window=Window(100, 50)).messages.size == plain + 100
    assert packed(Horizon(messages=10), window=Window(10**6, 1)).messages.size == plain + 8 * 1024


def test_each_replication_draws_with_keys_of_its_own() -> None:
    two = (stream(sends=(Send(stream=1, messages=0.5),)), stream(arrivals=surge(0)))
    state = pack(network(*two, pool=POOL, horizon=Horizon(messages=10)), 7, 2, 0)
    assert state.streams.service_key.tolist() == [stream_key(7, 2, int(Purpose.SERVICE), q) for q in range(2)]
    assert state.members.lottery_key.tolist() == [stream_key(7, 2, int(Purpose.LOTTERY), 0)]
    assert state.sends.send_key.tolist() == [stream_key(7, 2, int(Purpose.SEND), 0)]


def test_a_replication_leaves_nothing_behind_for_the_next_one() -> None:
    before, again = packed(Horizon(messages=10)), packed(Horizon(messages=10))
    run(again.address, *EVERYTHING)
    assert again.head.events > before.head.events == 0
    assert again.streams.tobytes() != before.streams.tobytes()
    fresh = packed(Horizon(messages=10))
    assert [fresh.streams.tobytes(), fresh.slots.tobytes()] == [before.streams.tobytes(), before.slots.tobytes()]


def test_growing_doubles_the_slots_and_keeps_what_is_in_them() -> None:
    tables = packed(Horizon(messages=10))
    size = tables.messages.size
    tables.messages.index = range(size)
    tables.head.free_count = 3
    tables.grow()
    assert tables.messages.size == 2 * size
    assert tables.messages.index.tolist() == [*range(size)] + [0] * size
    assert tables.head.free_count == 3 + size
    assert tables.head.messages[size - 1].index == size - 1, "the model has the address of the new table"


def test_the_model_knows_its_tables() -> None:
    tables = packed(Horizon(messages=10))
    assert (tables.head.stream_count, tables.head.port_count, tables.head.member_count) == (1, 1, 1)
    assert (tables.head.thread_count, tables.head.steps_left, tables.steps.size) == (4, 5, 5)
    with pytest.raises(AttributeError, match="nonsense"):
        _ = tables.nonsense
