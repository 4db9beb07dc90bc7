"""Waiting lines: doubly linked lists through the message slots, and the free list of the slots themselves."""

from simulations.engine.compiled import compiled, inline
from simulations.engine.records.codes import NONE
from simulations.engine.records.layout import Model


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
def append(model: Model, queue: int, message: int) -> None:
    """Put ``message`` at the end of ``queue``."""
    line = model.queues[queue]
    slot = model.messages[message]
    slot.next = NONE
    slot.prev = line.tail
    if line.tail == NONE:
        line.head = message
    else:
        model.messages[line.tail].next = message
    line.tail = message
    line.count += 1


@inline
def prepend(model: Model, queue: int, message: int) -> None:
    """Put ``message`` at the front of ``queue``."""
    line = model.queues[queue]
    slot = model.messages[message]
    slot.prev = NONE
    slot.next = line.head
    if line.head == NONE:
        line.tail = message
    else:
        model.messages[line.head].prev = message
    line.head = message
    line.count += 1


@compiled
def insert_after(model: Model, queue: int, place: int, message: int) -> None:
    """Put ``message`` behind ``place`` of ``queue``; at the front when that is NONE."""
    line = model.queues[queue]
    if place == line.tail:
        append(model, queue, message)
    elif place == NONE:
        prepend(model, queue, message)
    else:
        slot = model.messages[message]
        slot.prev = place
        slot.next = model.messages[place].next
        model.messages[slot.next].prev = message
        model.messages[place].next = message
        line.count += 1


@inline
def pop(model: Model, queue: int) -> int:
    """Take the first message of ``queue``, which is not empty."""
    line = model.queues[queue]
    message = line.head
    following = model.messages[message].next
    line.head = following
    if following == NONE:
        line.tail = NONE
    else:
        model.messages[following].prev = NONE
    line.count -= 1
    return message


@inline
def remove(model: Model, queue: int, message: int) -> None:
    """Take ``message`` out of ``queue``, wherever it stands."""
    line = model.queues[queue]
    slot = model.messages[message]
    if slot.prev == NONE:
        line.head = slot.next
    else:
        model.messages[slot.prev].next = slot.next
    if slot.next == NONE:
        line.tail = slot.prev
    else:
        model.messages[slot.next].prev = slot.prev
    line.count -= 1
