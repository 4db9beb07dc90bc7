"""Lines: doubly linked lists through the records of a table, and the free list of the message slots."""

from typing import Protocol

from simulations.engine.compiled import compiled, inline
from simulations.engine.records.codes import NONE
from simulations.engine.records.layout import Model, Queue


class Linked(Protocol):
    """A record that can stand in one line at a time."""

    next: int
    prev: int


class Rows(Protocol):
    """The table of such records."""

    def __getitem__(self, place: int, /) -> Linked:
        """Return one of them."""


@inline
def allocate(model: Model) -> int:
    """Return a message slot; the caller has made sure that one is free."""
    model.free_count -= 1
    slot = model.free
    if slot == NONE:
        slot = model.fresh
        model.fresh = slot + 1
        return slot
    model.free = model.messages[slot].next
    return slot


@inline
def release(model: Model, message: int) -> None:
    """Give a message slot back."""
    model.messages[message].next = model.free
    model.free = message
    model.free_count += 1


@inline
def append(rows: Rows, line: Queue, place: int) -> None:
    """Put the record at ``place`` at the end of ``line``."""
    row = rows[place]
    row.next = NONE
    row.prev = line.tail
    if line.tail == NONE:
        line.head = place
    else:
        rows[line.tail].next = place
    line.tail = place
    line.count += 1


@inline
def prepend(rows: Rows, line: Queue, place: int) -> None:
    """Put the record at ``place`` at the front of ``line``."""
    row = rows[place]
    row.prev = NONE
    row.next = line.head
    if line.head == NONE:
        line.tail = place
    else:
        rows[line.head].prev = place
    line.head = place
    line.count += 1


@compiled
def insert_after(rows: Rows, line: Queue, before: int, place: int) -> None:
    """Put the record at ``place`` behind the one at ``before``; at the front of ``line`` when that is NONE."""
    if before == line.tail:
        append(rows, line, place)
    elif before == NONE:
        prepend(rows, line, place)
    else:
        row = rows[place]
        row.prev = before
        row.next = rows[before].next
        rows[row.next].prev = place
        rows[before].next = place
        line.count += 1


@inline
def pop(rows: Rows, line: Queue) -> int:
    """Take the first record of ``line``, which is not empty, and return its place."""
    place = line.head
    following = rows[place].next
    line.head = following
    if following == NONE:
        line.tail = NONE
    else:
        rows[following].prev = NONE
    line.count -= 1
    return place


@inline
def remove(rows: Rows, line: Queue, place: int) -> None:
    """Take the record at ``place`` out of ``line``, wherever it stands."""
    row = rows[place]
    if row.prev == NONE:
        line.head = row.next
    else:
        rows[row.prev].next = row.next
    if row.next == NONE:
        line.tail = row.prev
    else:
        rows[row.next].prev = row.prev
    line.count -= 1
