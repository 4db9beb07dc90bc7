"""Numbers that the packers give out, and the tables that follow from them."""

import pytest

from simulations.engine.events.agenda import KIND_SHIFT, WIDTH
from simulations.engine.network.model import Horizon, Law, LawKind, Pool
from simulations.engine.packing.numbering import Builder, timer_table
from simulations.engine.records.codes import FOREVER, NONE, Kind
from simulations.engine.records.layout import Law as LawRecord
from simulations.engine.records.record import records
from tests.simulations.engine.networks import network, stream


def builder() -> Builder:
    return Builder(network(stream(), stream(), pool=Pool(), horizon=Horizon(messages=1)))


def test_timers_are_numbered_in_turn_and_only_where_they_are_used() -> None:
    made = builder()
    assert [made.timer(Kind.GRANT, 5), made.timer(Kind.SEND, 1, used=False), made.timer(Kind.CPU_END, 3)] == [
        0,
        NONE,
        1,
    ]
    slots = made.tables()["slots"]
    assert slots.entity.tolist() == [5, 3]
    assert slots.order.tolist() == [(Kind.GRANT << KIND_SHIFT) + 5, 3]


def test_queues_begin_empty_and_follow_each_other() -> None:
    made = builder()
    assert [made.queue(), made.queue(3), made.queue()] == [0, 1, 4]
    queues = made.tables()["queues"]
    assert (queues.size, set(queues.head), set(queues.tail), set(queues.count)) == (5, {NONE}, {NONE}, {0})


def test_values_of_laws_lie_behind_each_other() -> None:
    made, rows = builder(), records(LawRecord, 2)
    made.law(rows[0], Law(LawKind.EMPIRICAL, values=(1.0, 2.0)))
    made.law(rows[1], Law(LawKind.GAMMA, a=3.0, b=4.0, c=5.0, values=(6.0,)))
    assert [(row.first, row.count) for row in rows] == [(0, 2), (2, 1)]
    assert (rows[1].kind, rows[1].a, rows[1].b, rows[1].c) == (LawKind.GAMMA, 3.0, 4.0, 5.0)
    assert made.tables()["values"].value.tolist() == [1.0, 2.0, 6.0]


def test_streams_are_those_of_the_network() -> None:
    made = builder()
    assert [q for q, _ in made.streams_of(0)] == [0, 1]
    assert made.streams_of(1) == []


@pytest.mark.parametrize(
    ("timers", "leaves", "size"),
    [(1, 0, WIDTH), (WIDTH, 0, WIDTH), (WIDTH + 1, WIDTH, 3 * WIDTH), (WIDTH**2 + 1, WIDTH + WIDTH**2, None)],
)
def test_the_table_of_timers_has_whole_blocks_and_the_levels_above(timers: int, leaves: int, size: int | None) -> None:
    first, table = timer_table(timers)
    assert first == leaves
    assert size is None or table.size == size
    assert set(table.time) == {FOREVER}
