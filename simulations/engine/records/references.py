"""References to records: what compiled code holds where Python has a ``Record``.

The model is one record that holds, besides the clock, the address of each table. A compiled function thus takes one
pointer; some twenty numpy arrays would cost 10 ns a call and minutes of compilation. ``model.streams[q]`` is the
address of a record, ``model.streams[q].rate`` reads a field at an offset that the compiler knows.

Each field of each table is tagged as a memory region of its own (LLVM's type-based alias analysis), and the addresses
of tables as constant. Without that, every store would make the compiler read again all that it has read before.

A loop may be compiled for networks in which some fields always have one value: those are not read at all, and what the
compiler sees to be impossible is left out.
"""

import operator
from collections.abc import Callable, Mapping
from typing import Any, TypeVar, cast

from llvmlite import ir
from numba import config, extending, types
from numba.core.typing.templates import AbstractTemplate, AttributeTemplate, infer_global, signature
from numba.np.numpy_support import from_dtype

from simulations.engine.records.record import Record, at

R = TypeVar("R", bound=Record)
Assumed = Mapping[str, Mapping[str, int]]
"""Table -> field -> the value that the field has in all its records."""
INTERPRETED = bool(vars(config)["DISABLE_JIT"])
"""NUMBA_DISABLE_JIT is set: everything runs as plain Python."""
_WORD = ir.IntType(64)
_BYTES = ir.IntType(8).as_pointer()


class Row(types.Type):
    """The compiler's type of a reference to one record of the table ``name``, in networks with what is ``assumed``."""

    mutable = True

    def __init__(self, record: type[Record], name: str, assumed: Assumed) -> None:
        fields = cast("dict[str, Any]", record.layout.fields)
        self.kinds = {field: from_dtype(kind) for field, (kind, _) in fields.items() if field not in record.tables}
        self.offsets = {field: place for field, (_, place) in fields.items()}
        self.size = record.layout.itemsize
        self.tables = record.tables
        self.assumed = assumed
        self.values = assumed.get(name, {})
        super().__init__(name=f"engine.{name}{assumed or ''}")


class Rows(types.Type):
    """The compiler's type of the address of a table whose records are of the type ``row``."""

    def __init__(self, row: Row) -> None:
        self.row = row
        super().__init__(name=f"{row.name}[]")


@extending.register_model(Row)
@extending.register_model(Rows)
class _AddressModel(extending.models.PrimitiveModel):
    def __init__(self, manager: Any, kind: types.Type) -> None:
        super().__init__(manager, kind, _BYTES)  # type: ignore[no-untyped-call]


@extending.infer_getattr
class _RowAttributes(AttributeTemplate):
    key = Row

    def generic_resolve(self, row: Row, field: str) -> Any:  # type: ignore[override]
        if field in row.tables:
            return Rows(Row(row.tables[field], field, row.assumed))
        return row.kinds.get(field)


@cast("Any", infer_global)(operator.getitem)
class _RowsItem(AbstractTemplate):
    def generic(self, args: Any, _keywords: Any) -> Any:
        rows, place = args
        if not isinstance(rows, Rows) or not isinstance(place, types.Integer):
            return None
        return signature(rows.row, rows, types.int64)  # type: ignore[no-untyped-call]


@cast("Any", extending.lower_builtin)(operator.getitem, Rows, types.Integer)
def _item(_context: Any, builder: ir.IRBuilder, kinds: Any, args: Any) -> ir.Value:
    rows, place = args
    return builder.gep(rows, [builder.mul(place, ir.Constant(_WORD, kinds.args[0].row.size))])


def _field(context: Any, builder: ir.IRBuilder, row: Row, base: ir.Value, field: str) -> ir.Value:
    """Return the address of ``field`` of the record at ``base``."""
    place = builder.gep(base, [ir.Constant(_WORD, row.offsets[field])])
    kind = _BYTES if field in row.tables else context.get_data_type(row.kinds[field])
    return builder.bitcast(place, kind.as_pointer())


def tag(access: Any, row: Row, field: str) -> None:
    """Tell the compiler that ``access`` touches nothing but ``field`` of records of this table."""
    module, zero = access.parent.module, ir.Constant(_WORD, 0)
    region = module.add_metadata([f"{row.name}.{field}", module.add_metadata(["engine"]), zero])
    access.set_metadata("tbaa", module.add_metadata([region, region, zero]))


@cast("Any", extending.lower_getattr_generic)(Row)
def _read(context: Any, builder: ir.IRBuilder, row: Row, base: ir.Value, field: str) -> ir.Value:
    if field in row.values:
        return context.get_constant(row.kinds[field], row.values[field])
    value = builder.load(_field(context, builder, row, base, field))
    if field in row.tables:
        value.set_metadata("invariant.load", builder.module.add_metadata([]))
    else:
        tag(value, row, field)
    return value


@cast("Any", extending.lower_setattr_generic)(Row)
def _write(context: Any, builder: ir.IRBuilder, signature: Any, args: Any, field: str) -> None:
    row, kind = signature.args
    value = context.cast(builder, args[1], kind, row.kinds[field])
    tag(builder.store(value, _field(context, builder, row, args[0], field)), row, field)


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


copy_fields: Callable[[Record, Record], None] = (
    _copy_in_python if INTERPRETED else cast("Callable[[Record, Record], None]", extending.intrinsic(_copy_compiled))
)
"""``copy_fields(target, source)`` gives ``target`` the values of all fields that both records have."""


def opener(model: type[R], assumed: Assumed) -> Callable[[int, int | None], R]:
    """Return ``open_model(address, special)``, which gives the model at ``address``. When ``special`` is not None, what
    is ``assumed`` holds for that model."""
    if INTERPRETED:
        return lambda address, _special: at(model, address)

    def open_model(_context: Any, address: Any, special: Any) -> Any:
        row = Row(model, "model", {} if isinstance(special, types.NoneType) else assumed)

        def generate(_context: Any, builder: ir.IRBuilder, _signature: Any, args: Any) -> ir.Value:
            return builder.inttoptr(args[0], _BYTES)

        return row(address, special), generate

    return cast("Callable[[int, int | None], R]", extending.intrinsic(open_model))
