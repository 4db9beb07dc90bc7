"""Records at an address: how compiled functions reach the tables of the model.

The model is one record that holds, besides the clock, the address of each table. A compiled function thus takes one
pointer; handing it some twenty numpy arrays costs 10 ns a call and minutes of compilation. An accessor made here
returns record ``index`` of a table, by reference. With NUMBA_DISABLE_JIT=1 it does the same through ctypes.

Each field of each table is tagged as a memory region of its own (LLVM's type-based alias analysis), and the addresses
of tables as constant. Without that, every store would make the compiler read again all that it has read before.

A loop may be compiled for networks in which some fields always have one value: those are not read at all, and what the
compiler sees to be impossible is left out.
"""

import ctypes
from collections.abc import Callable, Mapping
from typing import Any, cast

import numpy as np
from llvmlite import ir
from numba import config, types
from numba.core.errors import TypingError
from numba.core.typing.templates import AttributeTemplate
from numba.extending import (
    infer_getattr,
    intrinsic,
    lower_getattr_generic,
    lower_setattr_generic,
    models,
    register_model,
)
from numba.np.numpy_support import from_dtype

from simulations.engine.records.views import records

Accessor = Callable[[Any, int], Any]
Assumed = Mapping[str, Mapping[str, int]]
"""Table -> field -> the value that the field has in all its records."""
INTERPRETED = bool(vars(config)["DISABLE_JIT"])
"""NUMBA_DISABLE_JIT is set: everything runs as plain Python."""
_WORD = ir.IntType(64)
_BYTES = ir.IntType(8).as_pointer()


class Row(types.Type):
    """The compiler's type of a reference to one record of the table ``name``, in networks with what is ``assumed``."""

    mutable = True

    def __init__(self, dtype: np.dtype[Any], name: str, assumed: Assumed) -> None:
        fields = cast("dict[str, Any]", dtype.fields)
        self.kinds = {field: from_dtype(kind) for field, (kind, _) in fields.items()}
        self.offsets = {field: place for field, (_, place) in fields.items()}
        self.assumed = assumed
        self.values = assumed.get(name, {})
        super().__init__(name=f"engine.{name}{assumed or ''}")


@register_model(Row)
class _RowModel(models.PrimitiveModel):
    def __init__(self, manager: Any, kind: Row) -> None:
        super().__init__(manager, kind, _BYTES)  # type: ignore[no-untyped-call]


@infer_getattr
class _RowAttributes(AttributeTemplate):
    key = Row

    def generic_resolve(self, row: Row, field: str) -> Any:  # type: ignore[override]
        return row.kinds.get(field)


def _field(context: Any, builder: ir.IRBuilder, row: Row, base: ir.Value, field: str) -> ir.Value:
    """Return the address of ``field`` of the record at ``base``."""
    place = builder.gep(base, [ir.Constant(_WORD, row.offsets[field])])
    return builder.bitcast(place, context.get_data_type(row.kinds[field]).as_pointer())


def tag(access: Any, row: Row, field: str) -> None:
    """Tell the compiler that ``access`` touches nothing but ``field`` of records of this table."""
    module, zero = access.parent.module, ir.Constant(_WORD, 0)
    region = module.add_metadata([f"{row.name}.{field}", module.add_metadata(["engine"]), zero])
    access.set_metadata("tbaa", module.add_metadata([region, region, zero]))


@cast("Any", lower_getattr_generic)(Row)
def _read(context: Any, builder: ir.IRBuilder, row: Row, base: ir.Value, field: str) -> ir.Value:
    if field in row.values:
        return context.get_constant(row.kinds[field], row.values[field])
    value = builder.load(_field(context, builder, row, base, field))
    tag(value, row, field)
    return value


@cast("Any", lower_setattr_generic)(Row)
def _write(context: Any, builder: ir.IRBuilder, signature: Any, args: Any, field: str) -> None:
    row, kind = signature.args
    value = context.cast(builder, args[1], kind, row.kinds[field])
    tag(builder.store(value, _field(context, builder, row, args[0], field)), row, field)


def _in_python(model_dtype: np.dtype[Any], field: str, dtype: np.dtype[Any]) -> Accessor:
    del model_dtype

    def at(model: Any, index: int) -> Any:
        memory = (ctypes.c_char * dtype.itemsize).from_address(int(model[field]) + int(index) * dtype.itemsize)
        return records(dtype, 1, memory)[0]

    return at


def _compiled(model_dtype: np.dtype[Any], field: str, dtype: np.dtype[Any]) -> Accessor:
    place = cast("dict[str, Any]", model_dtype.fields)[field][1]

    def at(_context: Any, model: Any, index: Any) -> Any:
        if not isinstance(model, Row) or not isinstance(index, types.Integer):
            raise TypingError("an accessor takes the model and an integer")
        element = Row(dtype, field, model.assumed)

        def generate(context: Any, builder: ir.IRBuilder, signature: Any, args: Any) -> ir.Value:
            where = builder.gep(args[0], [ir.Constant(_WORD, place)])
            table = builder.load(builder.bitcast(where, _BYTES.as_pointer()))
            table.set_metadata("invariant.load", builder.module.add_metadata([]))
            number = context.cast(builder, args[1], signature.args[1], types.int64)
            return builder.gep(table, [builder.mul(number, ir.Constant(_WORD, dtype.itemsize))])

        return element(model, index), generate

    return cast("Accessor", intrinsic(at))


def accessor(model_dtype: np.dtype[Any], field: str, dtype: np.dtype[Any]) -> Accessor:
    """Return ``at(model, index)``: the record of type ``dtype`` in the table whose address is ``model.<field>``."""
    make = _in_python if INTERPRETED else _compiled
    return make(model_dtype, field, dtype)


def _copy_in_python(target: Any, source: Any) -> None:
    for field in set(target.dtype.names) & set(source.dtype.names):
        target[field] = source[field]


def _copy_compiled(_context: Any, target: Any, source: Any) -> Any:
    def generate(context: Any, builder: ir.IRBuilder, _signature: Any, args: Any) -> ir.Value:
        for field in sorted(set(target.kinds) & set(source.kinds)):
            value = _read(context, builder, source, args[1], field)
            _write(context, builder, types.void(target, source.kinds[field]), (args[0], value), field)
        return context.get_dummy_value()

    return types.void(target, source), generate


copy_fields: Callable[[Any, Any], None] = (
    _copy_in_python if INTERPRETED else cast("Callable[[Any, Any], None]", intrinsic(_copy_compiled))
)
"""``copy_fields(target, source)`` gives ``target`` the values of all fields that both records have."""


def opener(model_dtype: np.dtype[Any], assumed: Assumed) -> Callable[[int, Any], Any]:
    """Return ``open_model(address, special)``: the model at ``address``; when ``special`` is not None, what is
    ``assumed`` holds there.
    """
    if INTERPRETED:
        size = model_dtype.itemsize
        return lambda address, _special: records(model_dtype, 1, (ctypes.c_char * size).from_address(address))[0]

    def open_model(_context: Any, address: Any, special: Any) -> Any:
        model = Row(model_dtype, "model", {} if isinstance(special, types.NoneType) else assumed)

        def generate(_context: Any, builder: ir.IRBuilder, _signature: Any, args: Any) -> ir.Value:
            return builder.inttoptr(args[0], _BYTES)

        return model(address, special), generate

    return cast("Callable[[int, Any], Any]", intrinsic(open_model))
