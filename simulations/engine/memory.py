"""Records at an address: how compiled functions reach the tables of the model.

The model is one record that holds, besides the clock, the address of each table. A compiled function thus takes one
pointer; handing it some twenty numpy arrays costs 10 ns a call and minutes of compilation. An accessor made here
returns record ``index`` of a table, by reference. With NUMBA_DISABLE_JIT=1 it does the same through ctypes.
"""

import ctypes
from collections.abc import Callable
from typing import Any, cast

import numpy as np
from llvmlite import ir
from numba import config, types
from numba.core.errors import TypingError
from numba.extending import intrinsic
from numba.np.numpy_support import from_dtype

Accessor = Callable[[Any, int], Any]
INTERPRETED = bool(vars(config)["DISABLE_JIT"])
"""NUMBA_DISABLE_JIT is set: everything runs as plain Python."""


def record_type(dtype: np.dtype[Any], name: str) -> types.Record:
    """Return the compiler's type of ``dtype`` under a short name: its own spells out every field in every symbol."""
    kind = from_dtype(dtype)
    kind.name = f"engine.{name}"
    return cast("types.Record", kind)


def _byte_offset(builder: ir.IRBuilder, base: ir.Value, offset: ir.Value) -> ir.Value:
    address = builder.ptrtoint(base, ir.IntType(64))
    return builder.inttoptr(builder.add(address, offset), base.type)


def _in_python(model_dtype: np.dtype[Any], field: str, dtype: np.dtype[Any]) -> Accessor:
    del model_dtype

    def at(model: Any, index: int) -> Any:
        memory = (ctypes.c_char * dtype.itemsize).from_address(int(model[field]) + int(index) * dtype.itemsize)
        return np.recarray((1,), dtype=dtype, buf=memory)[0]

    return at


def _compiled(model_dtype: np.dtype[Any], field: str, dtype: np.dtype[Any]) -> Accessor:
    element = record_type(dtype, field)
    place = cast("dict[str, Any]", model_dtype.fields)[field][1]

    def at(_context: Any, model: Any, index: Any) -> Any:
        if not isinstance(model, types.Record) or not isinstance(index, types.Integer):
            raise TypingError("an accessor takes the model and an integer")

        def generate(context: Any, builder: ir.IRBuilder, signature: Any, args: Any) -> ir.Value:
            word = ir.IntType(64)
            where = _byte_offset(builder, args[0], ir.Constant(word, place))
            table = builder.load(builder.bitcast(where, word.as_pointer()))
            number = context.cast(builder, args[1], signature.args[1], types.int64)
            size = ir.Constant(word, dtype.itemsize)
            address = builder.add(table, builder.mul(number, size))
            return builder.inttoptr(address, context.get_value_type(element))

        return element(model, index), generate

    return cast("Accessor", intrinsic(at))


def accessor(model_dtype: np.dtype[Any], field: str, dtype: np.dtype[Any]) -> Accessor:
    """Return ``at(model, index)``: the record of type ``dtype`` in the table whose address is ``model.<field>``."""
    make = _in_python if INTERPRETED else _compiled
    return make(model_dtype, field, dtype)


def opener(model_dtype: np.dtype[Any]) -> Callable[[int], Any]:
    """Return ``open_model(address)``: the model record at ``address``."""
    if INTERPRETED:
        return lambda address: np.recarray(
            (1,), dtype=model_dtype, buf=(ctypes.c_char * model_dtype.itemsize).from_address(address)
        )[0]
    model = record_type(model_dtype, "model")

    def open_model(_context: Any, address: Any) -> Any:
        def generate(context: Any, builder: ir.IRBuilder, _signature: Any, args: Any) -> ir.Value:
            return builder.inttoptr(args[0], context.get_value_type(model))

        return model(address), generate

    return cast("Callable[[int], Any]", intrinsic(open_model))
