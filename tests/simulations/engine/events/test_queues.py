"""Lines of records: doubly linked, with their count, and the free list of message slots."""

from collections.abc import Callable
from typing import Any

from simulations.engine.events import queues
from simulations.engine.records.codes import NONE
from simulations.engine.records.layout import Message, Model, Queue
from simulations.engine.records.record import Table, records


def python(name: str) -> Callable[..., Any]:
    """Return a function as it is before it is compiled."""
    function = getattr(queues, name)
    plain: Callable[..., Any] = getattr(function, "py_func", function)
    return plain


APPEND, PREPEND, POP, REMOVE = (python(name) for name in ("append", "prepend", "pop", "remove"))


def line_of(*places: int) -> tuple[Table[Message], Queue]:
    rows, line = records(Message, 8), records(Queue, 1)[0]
    line.head = line.tail = NONE
    for place in places:
        APPEND(rows, line, place)
    return rows, line


def contents(rows: Table[Message], line: Queue) -> list[int]:
    """Return the places from head to tail; they must be the same from tail to head, and as many as are counted."""
    forward, backward = [], []
    place = int(line.head)
    while place != NONE:
        forward.append(place)
        place = int(rows[place].next)
    place = int(line.tail)
    while place != NONE:
        backward.append(place)
        place = int(rows[place].prev)
    assert backward == forward[::-1]
    assert line.count == len(forward)
    return forward


def test_records_are_put_at_the_end_and_at_the_front() -> None:
    rows, line = line_of(3, 1)
    PREPEND(rows, line, 5)
    assert contents(rows, line) == [5, 3, 1]
    empty = line_of()
    PREPEND(*empty, 2)
    assert contents(*empty) == [2]


def test_the_first_is_taken_until_none_is_left() -> None:
    rows, line = line_of(4, 2)
    assert POP(rows, line) == 4
    assert contents(rows, line) == [2]
    assert POP(rows, line) == 2
    assert contents(rows, line) == []


def test_a_record_leaves_from_wherever_it_stands() -> None:
    for place, left in ((1, [2, 3]), (2, [1, 3]), (3, [1, 2])):
        rows, line = line_of(1, 2, 3)
        REMOVE(rows, line, place)
        assert contents(rows, line) == left


def test_a_record_can_stand_behind_another() -> None:
    rows, line = line_of(1, 3)
    python("insert_after")(rows, line, 1, 2)
    assert contents(rows, line) == [1, 2, 3]


def test_freed_slots_are_used_again_before_new_ones() -> None:
    model, messages = records(Model, 1)[0], records(Message, 4)
    model.messages, model.free, model.free_count = messages.ctypes.data, NONE, 4  # type: ignore[assignment]
    allocate, release = python("allocate"), python("release")
    assert [allocate(model), allocate(model), allocate(model)] == [0, 1, 2]
    release(model, 1)
    release(model, 0)
    assert model.free_count == 3
    assert [allocate(model), allocate(model), allocate(model)] == [0, 1, 3]
    assert model.free_count == 0
