"""Blocks of ``WIDTH`` times, compared all at once.

The compiler does not find out by itself that the earliest of several times and its place can be had with vector
instructions, so these functions are given to it as operations on vectors. It cuts them to what the machine has. With
NUMBA_DISABLE_JIT=1 they do the same in Python.
"""

import ctypes
from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from simulations.engine.records.references import INTERPRETED, tag

Chosen = Callable[..., Any]
WIDTH = 32
"""Times of a block."""
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
    return (lanes & -lanes).bit_length() - 1


least: Chosen = _least_in_python if INTERPRETED else intrinsic(_least_compiled)
"""``least(block, lane, time)``: the earliest time of the block that begins with the timer ``block``, once its ``lane``
has ``time``. The lane NONE changes nothing."""
due: Chosen = _due_in_python if INTERPRETED else intrinsic(_due_compiled)
"""``due(block, lane, time, instant)``: the lanes, as bits, of the timers of such a block that go off at ``instant``."""
lowest: Chosen = _lowest_in_python if INTERPRETED else intrinsic(_lowest_compiled)
"""``lowest(lanes)``: the first of the lanes, of which there is one at least."""
