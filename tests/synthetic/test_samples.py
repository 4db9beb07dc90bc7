"""The samples of the generator keep to the system that the message log shows."""

import io
import re
from dataclasses import replace

import numpy as np
import pyarrow as pa
import pytest

from simulations.pipeline.telemetry.reading.layouts import LAYOUTS
from tests.synthetic.messages import EPOCH, Truth, log_of
from tests.synthetic.samples import FLAVORS, samples_of, write_table

TRUTH = Truth(messages=20_000, rate=40, mean=0.2, service="exponential", instances=2, threads=5, failure=0.05, seed=3)


def seen(flavour: str, truth: Truth = TRUTH) -> pa.Table:
    return samples_of(truth, log_of(truth), 5.0, flavour)


@pytest.mark.parametrize("flavour", FLAVORS)
def test_columns_are_those_of_the_layout(flavour: str) -> None:
    layout = next(item for item in LAYOUTS if item.key == flavour)
    assert set(layout.required) <= set(seen(flavour).column_names) <= set(layout.names)


def test_what_is_sampled_is_what_the_log_shows() -> None:
    rows = seen("samples").to_pandas()
    log = pa.Table.from_batches(log_of(TRUTH)).to_pandas()
    at = EPOCH + 250.0
    now = rows[rows.time == at].groupby("instance").first()
    assert list(now.index) == ["orders-0", "orders-1"]
    for name, mine in log.groupby("instance"):
        busy = ((mine.start <= at) & (mine.end > at)).sum()
        assert now.loc[name, "busy"] == busy
        assert now.loc[name, "present"] == ((mine.arrival <= at) & (mine.end > at)).sum()
        assert now.loc[name, "arrived"] == (mine.arrival <= at).sum()
        assert now.loc[name, "completed"] == ((mine.end <= at) & (mine.outcome == "completed")).sum()
        assert now.loc[name, "deliveries"] == mine.deliveries[mine.end <= at].sum()
    assert rows.busy.max() == TRUTH.threads


def test_counts_from_row_to_row_add_up_to_the_counters() -> None:
    whole, parts = seen("samples").to_pandas(), seen("intervals").to_pandas()
    last = whole.groupby("instance").completed.max()
    assert np.allclose(parts.groupby("instance").completed_now.sum(), last)


def test_servers_that_share_a_queue_report_its_whole_depth() -> None:
    rows = seen("pmi", replace(TRUTH, rate=46)).to_pandas().pivot(index="time", columns="server", values="CurrentDepth")
    assert (rows["orders-0"] == rows["orders-1"]).all()
    assert rows.to_numpy().max() > 0


def test_the_table_of_the_tool_has_its_heading_and_eleven_numbers() -> None:
    file = io.StringIO()
    write_table(seen("imqcmd"), file)
    lines = file.getvalue().splitlines()
    rows = [line for line in lines if re.fullmatch(r"(\d+\s+){10}\d+", line)]
    assert len(rows) == seen("imqcmd").num_rows
    assert sum("Largest" in line for line in lines) == -(-len(rows) // 20)
