"""The agenda: every timer of the model has one slot, and a tree of blocks knows which goes off first.

Order of events is total: (time, kind, sequence). Threads take a new sequence number at each start of a service, all
other timers keep the number of their entity.

The timers stand side by side, in blocks of ``WIDTH``. The level above has the earliest time of each block, in blocks
again, up to a single one: a tournament (Knuth, The Art of Computer Programming 3, 5.4.1), whose matches have not two
but ``WIDTH`` players and are decided by vector instructions, without a branch that could be guessed wrong. Nothing is
moved, so a timer is cleared where it stands. The block of entry ``e`` is block ``e + 1`` of the table.
"""

from simulations.engine.compiled import apart, compiled, inline
from simulations.engine.events.timer_blocks import WIDTH, due, least, lowest
from simulations.engine.records.codes import FOREVER, NONE
from simulations.engine.records.layout import Model

KIND_SHIFT = 48
_SHIFT = WIDTH.bit_length() - 1
_LANES = WIDTH - 1


def agenda_size(timers: int) -> tuple[int, int]:
    """Return where ``timers`` begin in their table, below the levels above them, and the length of the table."""
    leaves, level = 0, WIDTH
    while level < timers:
        leaves += level
        level *= WIDTH
    return leaves, leaves + -(-timers // WIDTH) * WIDTH


@inline
def is_set(model: Model, slot: int) -> bool:
    """Say whether the timer ``slot`` is set."""
    return model.timers[model.leaves + slot].time < FOREVER


@apart
def _first_of_equals(model: Model, time: float) -> int:
    """Return the first in order of the timers that go off at ``time``, of which there are several."""
    best = NONE
    for first in range(0, model.slot_count, WIDTH):
        lanes = due(model.timers[model.leaves + first], NONE, 0.0, time)
        while lanes != 0:
            slot = first + lowest(lanes)
            lanes &= lanes - 1
            if best == NONE or model.slots[slot].order < model.slots[best].order:
                best = slot
    return best


@inline
def _settle(model: Model, slot: int, time: float) -> None:
    """Give the timer ``slot``, which is set, another time or FOREVER, and find the one that goes off first then."""
    entry = model.leaves + slot
    while True:
        first = entry & ~_LANES
        lane = entry & _LANES
        earliest = least(model.timers[first], lane, time)
        lanes = due(model.timers[first], lane, time, earliest)
        model.timers[entry].time = time
        if first == 0:
            break
        entry = (entry >> _SHIFT) - 1
        time = earliest
    several = lanes & (lanes - 1)
    entry = lowest(lanes)
    while entry < model.leaves:
        first = (entry + 1) << _SHIFT
        lanes = due(model.timers[first], NONE, 0.0, earliest)
        several |= lanes & (lanes - 1)
        entry = first + lowest(lanes)
    model.first_time = earliest
    model.first_slot = entry - model.leaves
    if several != 0 and earliest < FOREVER:
        model.first_slot = _first_of_equals(model, earliest)


@inline
def schedule(model: Model, slot: int, time: float) -> None:
    """Set the timer ``slot``, which is not set, to ``time``."""
    entry = model.leaves + slot
    model.timers[entry].time = time
    while entry >= WIDTH:
        entry = (entry >> _SHIFT) - 1
        if model.timers[entry].time <= time:
            break
        model.timers[entry].time = time
    tie = time == model.first_time
    if time < model.first_time or (tie and model.slots[slot].order < model.slots[model.first_slot].order):
        model.first_time = time
        model.first_slot = slot


@compiled
def reschedule(model: Model, slot: int, time: float) -> None:
    """Set the timer ``slot``, which may be set, to ``time``."""
    if is_set(model, slot):
        _settle(model, slot, time)
    else:
        schedule(model, slot, time)


@compiled
def cancel(model: Model, slot: int) -> None:
    """Clear the timer ``slot``; nothing happens when it is not set."""
    if is_set(model, slot):
        _settle(model, slot, FOREVER)


@inline
def take_first(model: Model) -> int:
    """Clear and return the slot of the first timer."""
    slot = model.first_slot
    _settle(model, slot, FOREVER)
    return slot
