"""The agenda: every timer of the model has one slot, and a 4-ary heap holds the slots that are set.

Order of events is total: (time, kind, sequence). Threads take a new sequence number at each start of a service, all
other timers keep the number of their entity. A 4-ary heap has half the levels of a binary one and the four children
share a cache line (LaMarca and Ladner, The influence of caches on the performance of heaps, 1996).
"""

from typing import Any

from simulations.engine.compiled import compiled, inline
from simulations.engine.layout import NONE, entry_at, slot_at

KIND_SHIFT = 48


@inline
def _before(model: Any, time: float, slot: int, other_time: float, other_slot: int) -> bool:
    if time != other_time:
        return time < other_time
    return bool(slot_at(model, slot).order < slot_at(model, other_slot).order)


@inline
def _earlier(model: Any, place: int, other: int) -> int:
    """Return which of two places holds the earlier timer: a toss-up, so there is no branch unless they are equal."""
    time = entry_at(model, place).time
    other_time = entry_at(model, other).time
    if time == other_time:
        return place if _before(model, time, entry_at(model, place).slot, time, entry_at(model, other).slot) else other
    return place + (other - place) * int(other_time < time)


@inline
def _put(model: Any, place: int, time: float, slot: int) -> None:
    entry = entry_at(model, place)
    entry.time = time
    entry.slot = slot
    slot_at(model, slot).place = place


@inline
def _rise(model: Any, place: int, time: float, slot: int) -> None:
    while place > 0:
        parent = (place - 1) >> 2
        entry = entry_at(model, parent)
        if not _before(model, time, slot, entry.time, entry.slot):
            break
        _put(model, place, entry.time, entry.slot)
        place = parent
    _put(model, place, time, slot)


@inline
def _first_of(model: Any, first: int, end: int) -> int:
    """Return the place of the earliest of the timers from place ``first`` up to ``end``."""
    best = first
    for child in range(first + 1, end):
        best = _earlier(model, best, child)
    return best


@compiled
def _first_of_equals(model: Any, first: int) -> int:
    """``_first_of`` four timers, some of which are due at one time: seldom needed, so it stays out of its callers."""
    return _first_of(model, first, first + 4)


@inline
def _first_of_four(model: Any, first: int) -> int:
    """Return the place of the earliest of the four timers from place ``first`` on, without a branch unless two tie."""
    one, two = entry_at(model, first).time, entry_at(model, first + 1).time
    three, four = entry_at(model, first + 2).time, entry_at(model, first + 3).time
    left, right = min(one, two), min(three, four)
    if one == two or three == four or left == right:
        return _first_of_equals(model, first)
    here, there = int(two < one), 2 + int(four < three)
    return first + here + (there - here) * int(right < left)


@inline
def _sink(model: Any, place: int, time: float, slot: int) -> None:
    size = model.heap_size
    while True:
        first = (place << 2) + 1
        if first >= size:
            break
        best = _first_of_four(model, first) if first + 3 < size else _first_of(model, first, size)
        best_time = entry_at(model, best).time
        best_slot = entry_at(model, best).slot
        if not _before(model, best_time, best_slot, time, slot):
            break
        _put(model, place, best_time, best_slot)
        place = best
    _put(model, place, time, slot)


@inline
def schedule(model: Any, slot: int, time: float) -> None:
    """Set the timer ``slot``, which is not set, to ``time``."""
    if model.hole == 1:
        model.hole = 0
        _sink(model, 0, time, slot)
        return
    place = model.heap_size
    model.heap_size = place + 1
    _rise(model, place, time, slot)


@compiled
def cancel(model: Any, slot: int) -> None:
    """Clear the timer ``slot``; nothing happens when it is not set."""
    place = slot_at(model, slot).place
    if place == NONE:
        return
    if model.hole == 1:
        close_hole(model)
        place = slot_at(model, slot).place
    slot_at(model, slot).place = NONE
    model.heap_size -= 1
    last = model.heap_size
    if place == last:
        return
    entry = entry_at(model, last)
    time = entry.time
    moved = entry.slot
    if place > 0 and _before(
        model, time, moved, entry_at(model, (place - 1) >> 2).time, entry_at(model, (place - 1) >> 2).slot
    ):
        _rise(model, place, time, moved)
    else:
        _sink(model, place, time, moved)


@compiled
def close_hole(model: Any) -> None:
    """Fill the place of the first timer, which ``take_first`` left open."""
    model.hole = 0
    model.heap_size -= 1
    size = model.heap_size
    if size > 0:
        entry = entry_at(model, size)
        _sink(model, 0, entry.time, entry.slot)


@inline
def take_first(model: Any) -> int:
    """Clear and return the slot of the first timer.

    Its place stays open: the next timer that is set fills it, which saves half the work when a thread goes on at once.
    """
    slot = entry_at(model, 0).slot
    slot_at(model, slot).place = NONE
    model.hole = 1
    return int(slot)
