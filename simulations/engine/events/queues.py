"""Waiting lines: doubly linked lists through the message slots, and the free list of the slots themselves."""

from typing import Any

from simulations.engine.compiled import compiled, inline
from simulations.engine.records.layout import NONE, message_at, queue_at


@inline
def allocate(model: Any) -> int:
    """Return a message slot; the caller has made sure that one is free."""
    model.free_count -= 1
    slot = model.free
    if slot == NONE:
        slot = model.fresh
        model.fresh = slot + 1
        return int(slot)
    model.free = message_at(model, slot).next
    return int(slot)


@inline
def release(model: Any, message: int) -> None:
    """Give a message slot back."""
    message_at(model, message).next = model.free
    model.free = message
    model.free_count += 1


@inline
def append(model: Any, queue: int, message: int) -> None:
    """Put ``message`` at the end of ``queue``."""
    line = queue_at(model, queue)
    slot = message_at(model, message)
    slot.next = NONE
    slot.prev = line.tail
    if line.tail == NONE:
        line.head = message
    else:
        message_at(model, line.tail).next = message
    line.tail = message
    line.count += 1


@inline
def prepend(model: Any, queue: int, message: int) -> None:
    """Put ``message`` at the front of ``queue``."""
    line = queue_at(model, queue)
    slot = message_at(model, message)
    slot.prev = NONE
    slot.next = line.head
    if line.head == NONE:
        line.tail = message
    else:
        message_at(model, line.head).prev = message
    line.head = message
    line.count += 1


@compiled
def insert_after(model: Any, queue: int, place: int, message: int) -> None:
    """Put ``message`` behind ``place`` of ``queue``; at the front when that is NONE."""
    line = queue_at(model, queue)
    if place == line.tail:
        append(model, queue, message)
    elif place == NONE:
        prepend(model, queue, message)
    else:
        slot = message_at(model, message)
        slot.prev = place
        slot.next = message_at(model, place).next
        message_at(model, slot.next).prev = message
        message_at(model, place).next = message
        line.count += 1


@inline
def pop(model: Any, queue: int) -> int:
    """Take the first message of ``queue``, which is not empty."""
    line = queue_at(model, queue)
    message = line.head
    following = message_at(model, message).next
    line.head = following
    if following == NONE:
        line.tail = NONE
    else:
        message_at(model, following).prev = NONE
    line.count -= 1
    return int(message)


@inline
def remove(model: Any, queue: int, message: int) -> None:
    """Take ``message`` out of ``queue``, wherever it stands."""
    line = queue_at(model, queue)
    slot = message_at(model, message)
    if slot.prev == NONE:
        line.head = slot.next
    else:
        message_at(model, slot.prev).next = slot.next
    if slot.next == NONE:
        line.tail = slot.prev
    else:
        message_at(model, slot.next).prev = slot.prev
    line.count -= 1
