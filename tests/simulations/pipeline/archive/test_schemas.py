"""Every column is declared with unit and meaning, and rows pass through Arrow unchanged."""

from dataclasses import fields

import numpy as np
import pyarrow as pa
import pytest

from simulations.analysis.replications.rows import ReplicationRow, compact
from simulations.pipeline.archive.packing import to_plain
from simulations.pipeline.archive.schemas import (
    PACKED,
    REPLICATION,
    TABLES,
    dictionary,
    replication_batch,
    replication_rows,
    summary_table,
)
from tests.planner.conftest import summary_of
from tests.simulations.analysis import synthetic


def row(number: int) -> ReplicationRow:
    return compact(synthetic.replication(synthetic.network(4, 15.0, 0.2, messages=500), number))


@pytest.mark.parametrize("schema", [PACKED, *TABLES.values()])
def test_every_column_has_a_unit_and_a_meaning(schema: pa.Schema) -> None:
    assert all(entry["unit"] and entry["meaning"] for entry in dictionary(schema).values())


def test_the_schema_names_exactly_what_a_row_holds() -> None:
    assert sorted(REPLICATION.names) == sorted(["point", *to_plain(row(0))])


@pytest.mark.parametrize("number", [0, 1])
def test_a_row_passes_through_arrow_bit_for_bit(number: int) -> None:
    before = row(number)
    ((point, after),) = replication_rows(replication_batch(3, [before]))
    assert point == 3
    for item in fields(ReplicationRow):
        np.testing.assert_equal(getattr(after, item.name), getattr(before, item.name))


def test_a_summary_becomes_one_line_for_each_metric_of_each_queue() -> None:
    lines = summary_table(summary_of(0, 0.5)).to_pylist()
    assert {(line["queue"], line["metric"], line["value"], line["unit"]) for line in lines} == {
        ("", "latency.p95", 0.5, "s"),
        ("", "threads.busy", 12.0, "threads"),
        ("orders", "latency.p95", 0.5, "s"),
    }
    assert lines[0]["overrides"] == '{"queues.orders.settings.maximum_sessions": 18}'
