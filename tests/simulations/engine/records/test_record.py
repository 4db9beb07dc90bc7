"""Records: what their annotations declare is what numpy lays out, Python reads and mypy knows."""

import numpy as np
import pytest

from simulations.engine.network.results import PARTS, Count, PoolSum, Sum
from simulations.engine.records.codes import State
from simulations.engine.records.layout import Model
from simulations.engine.records.record import Half, Record, Short, Table, Word, at, records
from simulations.engine.records.server import Worked
from simulations.engine.records.stream import Measured, Stream


class Leaf(Record):
    key: Word
    state: State
    near: Half
    far: Short
    time: float


class Root(Leaf):
    leaves: Table[Leaf]


def test_fields_lie_by_type_in_records_whose_size_is_a_power_of_two() -> None:
    assert Leaf.layout.names == ("time", "state", "key", "far", "near")
    assert [Leaf.layout[name].str[1:] for name in Leaf.layout.names] == ["f8", "i8", "u8", "i4", "i2"]
    assert (Leaf.layout.itemsize, Root.layout.itemsize) == (32, 64)
    kinds: list[type[Record]] = [Model, *Model.tables.values()]
    assert all(kind.layout.itemsize.bit_count() == 1 for kind in kinds)


def test_a_record_reads_and_writes_its_table_and_those_whose_address_it_holds() -> None:
    leaves, root = records(Leaf, 3), records(Root, 1)
    root.leaves = leaves.ctypes.data
    root[0].leaves[2].state = State.HELD
    root[0].leaves[1].time += 0.5
    np.testing.assert_array_equal(leaves.state, [State.IDLE, State.IDLE, State.HELD])
    np.testing.assert_array_equal(leaves.time, [0.0, 0.5, 0.0])
    assert at(Leaf, leaves.ctypes.data).far == 0


def test_a_field_that_is_not_declared_is_an_error_here_and_for_mypy() -> None:
    leaf = records(Leaf, 1)[0]
    with pytest.raises(AttributeError, match="tiem"):
        _ = leaf.tiem  # type: ignore[attr-defined]  # mypy refuses this line if it comes to know the field
    with pytest.raises(ValueError, match="tiem"):
        leaf.tiem = 1.0  # type: ignore[attr-defined]


def test_what_is_measured_has_one_field_for_each_column_of_the_result_in_its_order() -> None:
    sums = [f"seconds_{column.name.lower()}" for column in Sum]
    slow = ["slow_messages", *(f"slow_{column.name.lower()}" for column in PARTS)]
    assert Measured.layout.names == (*sums, *slow, *(column.name.lower() for column in Count))
    assert Worked.layout.names == tuple(f"seconds_{column.name.lower()}" for column in PoolSum)
    assert issubclass(Stream, Measured)
