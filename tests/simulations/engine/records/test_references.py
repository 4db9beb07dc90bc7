"""References: compiled code reads, writes and copies the fields of records at their addresses."""

import pytest

from simulations.engine.compiled import callable_from_python
from simulations.engine.network.model import Horizon, Pool
from simulations.engine.packing.tables import Tables, pack
from simulations.engine.records.layout import open_model
from simulations.engine.records.references import INTERPRETED, copy_fields
from tests.simulations.engine.networks import network, stream


def tables() -> Tables:
    spec = network(stream(weight=2.0), stream(weight=3.0), pool=Pool(), horizon=Horizon(messages=1))
    return pack(spec, 1, 0, 0)


@callable_from_python
def _exchange(address: int) -> float:
    model = open_model(address, None)
    before = model.streams[1].weight
    model.streams[0].weight = before * model.stream_count
    model.messages[3].next = 7
    return before


@callable_from_python
def _copy(address: int) -> None:
    model = open_model(address, None)
    copy_fields(model.measured[1], model.streams[0])


@callable_from_python
def _streams(address: int, special: int | None) -> int:
    return open_model(address, special).stream_count


def test_fields_are_read_and_written_in_place() -> None:
    data = tables()
    assert _exchange(data.address) == 3.0
    assert [row.weight for row in data.streams] == [6.0, 3.0]
    assert data.messages[3].next == 7


def test_a_copy_takes_the_fields_that_both_records_have() -> None:
    data = tables()
    data.streams[0].seconds_cpu, data.streams[0].completed = 1.5, 4
    _copy(data.address)
    assert (data.measured[1].seconds_cpu, data.measured[1].completed) == (1.5, 4)
    assert (data.measured[0].completed, data.streams[0].weight) == (0, 2.0)


@pytest.mark.skipif(INTERPRETED, reason="plain Python reads every field")
def test_what_is_assumed_is_not_read() -> None:
    data = tables()
    assert [_streams(data.address, None), _streams(data.address, 1)] == [2, 1]
