"""What is assumed of a lone queue are fields of its records; what lies beyond gates and windows is marked."""

from typing import Any

import pytest

from simulations.engine.network.model import (
    Copies,
    Dispatch,
    Downstream,
    Horizon,
    NetworkSpec,
    Outage,
    Pool,
    Quota,
    Transaction,
)
from simulations.engine.packing.tables import pack
from simulations.engine.records.layout import ASSUMED, Model, beyond
from simulations.engine.records.record import records
from simulations.engine.records.stream import Stream
from tests.simulations.engine.networks import stream

BEYOND: dict[str, dict[str, Any]] = {
    "transaction": {"transaction": Transaction()},
    "quota": {"quota": Quota(1)},
    "downstream": {"downstream": Downstream(0, 1.0)},
    "copies": {"copies": Copies.PER_INSTANCE},
    "pipeline": {"pipeline": 1},
    "outage": {"outage": Outage(1.0, 1.0)},
}


def test_only_fields_of_records_are_assumed() -> None:
    for table, fields in ASSUMED.items():
        record = Model if table == "model" else Model.tables[table]
        assert set(fields) <= set(record.layout.names or ()), table


def test_every_table_of_the_model_has_records() -> None:
    assert Model.tables["streams"] is Stream
    assert set(Model.tables) <= set(Model.layout.names or ())


@pytest.mark.parametrize("name", BEYOND)
def test_a_mechanism_marks_its_pool_and_all_streams_of_it(name: str) -> None:
    pools = (Pool(), Pool())
    spec = NetworkSpec(pools, (stream(**BEYOND[name]), stream(), stream(pool=1)), Horizon(messages=1), (1,))
    tables = pack(spec, 1, 0, 0)
    assert tables.streams.beyond.tolist() == [1, 1, 0]
    assert tables.members.beyond.tolist() == [1, 0]


def test_a_policy_marks_its_pool() -> None:
    spec = NetworkSpec((Pool(dispatch=Dispatch.THREAD_TIME),), (stream(),), Horizon(messages=1))
    assert pack(spec, 1, 0, 0).members.beyond.tolist() == [1]


@pytest.mark.parametrize("pool", [Pool(outage=Outage(1.0, 1.0)), Pool(queue_capacity=1)])
def test_a_server_that_may_go_away_marks_its_pool(pool: Pool) -> None:
    assert pack(NetworkSpec((pool,), (stream(),), Horizon(messages=1)), 1, 0, 0).members.beyond.tolist() == [1]


def test_without_mechanisms_nothing_is_beyond() -> None:
    say = getattr(beyond, "py_func", beyond)
    record = records(Stream, 1)[0]
    assert [say(1, record), say(None, record)] == [False, False]
    record.beyond = 1
    assert [say(1, record), say(None, record)] == [True, False]
