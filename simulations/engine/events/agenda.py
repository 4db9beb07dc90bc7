"""The agenda: every timer of the model has one slot, and a tree of blocks knows which goes off first.

Order of events is total: (time, kind, sequence). Threads take a new sequence number at each start of a service, all
other timers keep the number of their entity.

The timers stand side by side, in blocks of ``WIDTH``. The level above has the earliest time of each block, in blocks
again, up to a single one: a tournament (Knuth, The Art of Computer Programming 3, 5.4.1) in which not two but ``WIDTH``
players meet. Nothing is moved, so a timer is cleared where it stands. The block of entry ``e`` is block ``e + 1`` of
the table.

A match takes vector instructions, and no branch that the processor could guess wrong. The compiler does not find them
by itself, so ``least``, ``due`` and ``lowest`` are written as operations on vectors, which it cuts to what the machine
has. With NUMBA_DISABLE_JIT=1 they do the same in Python.
"""

import ctypes
from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from simulations.engine.compiled import apart, compiled, inline
from simulations.engine.records.codes import FOREVER, NONE
from simulations.engine.records.layout import Model
from simulations.engine.records.references import INTERPRETED, tag

Chosen = Callable[..., Any]
KIND_SHIFT = 48
WIDTH = 32
"""Times of a block."""
SHIFT = WIDTH.bit_length() - 1
LANES = WIDTH - 1
_TIME, _WORD, _INDEX, _BIT = ir.DoubleType(), ir.IntType(64), ir.IntType(32), ir.IntType(1)
_TIMES, _WORDS = ir.VectorType(_TIME, WIDTH), ir.VectorType(_WORD, WIDTH)
_LEAST = f"llvm.vector.reduce.fmin.v{WIDTH}f64"


def _all(builder: ir.IRBuilder, value: ir.Value, kind: ir.VectorType) -> ir.Value:
    """Return a vector of the type ``kind`` with ``value`` in every lane."""
    unknown = ir.Constant(kind, ir.Undefined)
    one = builder.insert_element(unknown, value, ir.Constant(_INDEX, 0))
    return builder.shuffle_vector(one, unknown, ir.Constant(ir.VectorType(_INDEX, WIDTH), [0] * WIDTH))


def _changed(builder: ir.IRBuilder, row: Any, block: ir.Value, lane: ir.Value, time: ir.Value) -> ir.Value:
    """Return the times of the block, but ``time`` in ``lane``; as they are when there is no such lane."""
    times = builder.load(builder.bitcast(block, _TIMES.as_pointer()))
    times.align = 8
    tag(times, row, "time")
    is_lane = builder.icmp_signed("==", ir.Constant(_WORDS, list(range(WIDTH))), _all(builder, lane, _WORDS))
    return builder.select(is_lane, _all(builder, time, _TIMES), times)


def _least_compiled(_context: Any, block: Any, lane: Any, time: Any) -> Any:
    def generate(_context: Any, builder: ir.IRBuilder, signature: Any, args: Any) -> ir.Value:
        known = builder.module.globals.get(_LEAST)
        reduce = known or ir.Function(builder.module, ir.FunctionType(_TIME, [_TIMES]), _LEAST)
        return builder.call(reduce, [_changed(builder, signature.args[0], *args)], fastmath=("nnan",))

    return types.float64(block, types.int64, types.float64), generate


def _due_compiled(_context: Any, block: Any, lane: Any, time: Any, instant: Any) -> Any:
    def generate(_context: Any, builder: ir.IRBuilder, signature: Any, args: Any) -> ir.Value:
        times = _changed(builder, signature.args[0], *args[:3])
        equal = builder.fcmp_ordered("==", times, _all(builder, args[3], _TIMES))
        return builder.zext(builder.bitcast(equal, ir.IntType(WIDTH)), _WORD)

    return types.int64(block, types.int64, types.float64, types.float64), generate


def _lowest_compiled(_context: Any, lanes: Any) -> Any:
    def generate(_context: Any, builder: ir.IRBuilder, _signature: Any, args: Any) -> ir.Value:
        return builder.cttz(args[0], ir.Constant(_BIT, 0))

    return types.int64(types.int64), generate


def _times(block: Any, lane: int, time: float) -> list[float]:
    times = list((ctypes.c_double * WIDTH).from_address(block.__array_interface__["data"][0]))
    if lane >= 0:
        times[lane] = time
    return times


def _least_in_python(block: Any, lane: int, time: float) -> float:
    return min(_times(block, lane, time))


def _due_in_python(block: Any, lane: int, time: float, instant: float) -> int:
    return sum(1 << i for i, each in enumerate(_times(block, lane, time)) if each == instant)


def _lowest_in_python(lanes: int) -> int:
    return int(lanes & -lanes).bit_length() - 1


least: Chosen = _least_in_python if INTERPRETED else intrinsic(_least_compiled)
"""``least(block, lane, time)``: the earliest time of the block that begins with the timer ``block``, once its ``lane``
has ``time``. The lane NONE changes nothing."""
due: Chosen = _due_in_python if INTERPRETED else intrinsic(_due_compiled)
"""``due(block, lane, time, instant)``: the lanes, as bits, of the timers of such a block that go off at ``instant``."""
lowest: Chosen = _lowest_in_python if INTERPRETED else intrinsic(_lowest_compiled)
"""``lowest(lanes)``: the first of the lanes, of which there is one at least."""


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
        first = entry & ~LANES
        lane = entry & LANES
        earliest = least(model.timers[first], lane, time)
        lanes = due(model.timers[first], lane, time, earliest)
        model.timers[entry].time = time
        if first == 0:
            break
        entry = (entry >> SHIFT) - 1
        time = earliest
    several = lanes & (lanes - 1)
    entry = lowest(lanes)
    while entry < model.leaves:
        first = (entry + 1) << SHIFT
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
        entry = (entry >> SHIFT) - 1
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


@inline
def find_next_arrival(model: Model, q: int) -> None:
    """Set the clock's next arrival, now that of ``q`` is known, to the earliest of all; the lowest index wins a tie."""
    earliest = model.streams[q].next_arrival
    if model.stream_count > 1:
        model.instants[q].time = earliest
        block = 0
        earliest = least(model.instants[0], NONE, 0.0)
        for first in range(WIDTH, model.stream_count, WIDTH):
            time = least(model.instants[first], NONE, 0.0)
            if time < earliest:
                block, earliest = first, time
        model.arrival_stream = block + lowest(due(model.instants[block], NONE, 0.0, earliest))
    model.next_arrival = earliest
