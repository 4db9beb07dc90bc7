"""Records: classes whose annotations are the fields, for mypy, numpy and the compiled code alike.

A field is a ``float``, an ``int`` or an enum of integers (64 bits each), a ``Word``, ``Short`` or ``Half``, or a
``Table`` of other records, of which the record holds the address.
"""

import ctypes
from enum import IntEnum
from inspect import get_annotations
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Generic, TypeVar, cast, get_args, get_origin

import numpy as np
from numpy.typing import NDArray

Word = np.uint64
Short = Annotated[int, np.int32]
Half = Annotated[int, np.int16]
_KINDS: dict[Any, Any] = {float: np.float64, int: np.int64, Word: Word, Short: np.int32, Half: np.int16}
"""The numpy type of each type of field, in the order in which fields are laid out."""


if TYPE_CHECKING:
    _Void = object
else:
    _Void = np.void  # numpy lets records have a class; its stubs call it final


class Record(_Void):
    """One record, by reference."""

    layout: ClassVar[np.dtype[Any]]
    tables: ClassVar[dict[str, type["Record"]]]
    """The records of each field that is a table."""

    def __init_subclass__(cls) -> None:
        own_first = cls.__mro__[: cls.__mro__.index(Record)]
        hints = {name: hint for kind in own_first for name, hint in get_annotations(kind).items()}
        cls.tables = {name: get_args(hint)[0] for name, hint in hints.items() if get_origin(hint) is Table}
        cls.layout = np.dtype((cls, _aligned({name: _kind(hint) for name, hint in hints.items()})))

    if not TYPE_CHECKING:  # mypy knows the declared fields and no others

        def __getattr__(self, name: str) -> Any:
            value = _known(self.__getitem__, name)
            return _Rows(type(self).tables[name], value) if name in type(self).tables else value

        def __setattr__(self, name: str, value: Any) -> None:
            self[name] = value


R = TypeVar("R", bound=Record)


class Table(np.ndarray[Any, Any], Generic[R]):
    """A vector of records: ``table.field`` is the column, ``table[3]`` the record."""

    if TYPE_CHECKING:

        def __getitem__(self, place: int) -> R: ...  # type: ignore[override]

    def __getattr__(self, name: str) -> NDArray[Any]:
        return cast("NDArray[Any]", _known(super().__getitem__, name).view(np.ndarray))

    def __setattr__(self, name: str, value: object) -> None:
        self[name] = value


class _Rows:
    """The records at an address, for compiled code that runs as plain Python."""

    def __init__(self, record: type[Record], address: int) -> None:
        self._record, self._address, self._size = record, int(address), record.layout.itemsize

    def __getitem__(self, place: int) -> Record:
        return at(self._record, self._address + int(place) * self._size)


def _kind(hint: Any) -> Any:
    whole = get_origin(hint) is Table or (isinstance(hint, type) and issubclass(hint, IntEnum))
    return np.int64 if whole else _KINDS[hint]


def _aligned(fields: dict[str, Any]) -> np.dtype[Any]:
    """Return a record type whose size is a power of two: its address is then a shift, not a multiplication."""
    order = list(_KINDS.values())
    names = sorted(fields, key=lambda name: order.index(fields[name]))
    packed = np.dtype([(name, fields[name]) for name in names], align=True)
    places = cast("dict[str, Any]", packed.fields)
    formats, offsets = [fields[name] for name in names], [places[name][1] for name in names]
    size = 1 << (packed.itemsize - 1).bit_length()
    return np.dtype({"names": names, "formats": formats, "offsets": offsets, "itemsize": size})


def _known(read: Any, name: str) -> Any:
    try:
        return read(name)
    except (IndexError, ValueError):
        raise AttributeError(name) from None


def records(kind: type[R], size: int) -> Table[R]:
    """Return ``size`` new and zeroed records."""
    return cast("Table[R]", np.zeros(size, kind.layout).view(Table))


def copied(table: Table[R], size: int = 0) -> Table[R]:
    """Return a copy, of ``size`` records where that is more, byte by byte: numpy copies records field by field."""
    copy = cast("Table[R]", np.zeros(max(size, table.size), table.dtype).view(Table))
    ctypes.memmove(copy.ctypes.data, table.ctypes.data, table.nbytes)
    return copy


def at(kind: type[R], address: int) -> R:
    """Return the record at ``address``."""
    memory: Any = (ctypes.c_char * kind.layout.itemsize).from_address(address)
    return Table(1, kind.layout, memory)[0]


def adjacent(table: Table[Any], first: str, count: int) -> NDArray[Any]:
    """Return the view [record, field] of ``count`` fields of one type that stand side by side in ``table``."""
    kind, offset = cast("dict[str, Any]", table.dtype.fields)[first][:2]
    return np.ndarray((table.size, count), kind, table, offset, (table.itemsize, kind.itemsize))
