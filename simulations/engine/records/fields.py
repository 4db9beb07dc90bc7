"""Types of records from lists of names, and fields that follow from the columns of a result."""

from enum import IntEnum
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from simulations.engine.network.results import Count


def record(floats: str = "", integers: str = "", words: str = "", shorts: str = "", halves: str = "") -> np.dtype[Any]:
    """Return a record type whose size is a power of two: its address is then a shift, not a multiplication."""
    fields: list[tuple[str, Any]] = [(name, np.float64) for name in floats.split()]
    fields += [(name, np.int64) for name in integers.split()]
    fields += [(name, np.uint64) for name in words.split()]
    fields += [(name, np.int32) for name in shorts.split()]
    fields += [(name, np.int16) for name in halves.split()]
    packed = np.dtype(fields, align=True)
    names = list(packed.names or ())
    offsets = [packed.fields[name][1] for name in names] if packed.fields else []
    size = 1 << (packed.itemsize - 1).bit_length()
    return np.dtype({"names": names, "formats": [kind for _, kind in fields], "offsets": offsets, "itemsize": size})


def adjacent(table: NDArray[Any], names: list[str]) -> NDArray[Any]:
    """Return the view [record, name] of fields of one type that stand side by side in ``table``."""
    kind, offset = cast("dict[str, Any]", table.dtype.fields)[names[0]][:2]
    return np.ndarray((table.size, len(names)), kind, table, offset, (table.itemsize, kind.itemsize))


def seconds(column: IntEnum) -> str:
    """Return the field that accumulates ``column`` of Sum or PoolSum in the current segment."""
    return f"seconds_{column.name.lower()}"


def columns(kind: type[IntEnum]) -> str:
    """Return the fields of all columns of ``kind``, Sum or PoolSum."""
    return " ".join(seconds(column) for column in kind)


def number(column: Count) -> str:
    """Return the field that counts ``column`` in the current segment."""
    return column.name.lower()
