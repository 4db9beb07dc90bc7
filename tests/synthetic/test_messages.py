"""The generator keeps to its truth: order, threads, rates and moments of its logs."""

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.csv as pc
import pyarrow.json as pj
import pyarrow.parquet as pq
import pytest
from numpy.typing import NDArray

from tests.synthetic.messages import FORMATS, LOG, MOST_DELIVERIES, Truth, log_of, write_log


def table(truth: Truth) -> pa.Table:
    return pa.Table.from_batches(log_of(truth), LOG)


def column(rows: pa.Table, name: str) -> NDArray[np.float64]:
    return np.asarray(rows[name])


def test_a_log_obeys_its_system() -> None:
    truth = Truth(messages=60_000, rate=40, mean=0.2, cv=0.8, service="lognormal", instances=2, threads=5, seed=3)
    rows = table(truth)
    arrival, start, end = (column(rows, name) for name in ("arrival", "start", "end"))
    assert (np.diff(arrival) >= 0).all()
    assert (start >= arrival).all()
    assert (end > start).all()
    assert np.diff(arrival).mean() == pytest.approx(1 / 40, rel=0.02)
    assert (end - start).mean() == pytest.approx(0.2, rel=0.02)
    assert (end - start).std() == pytest.approx(0.16, rel=0.04)
    edges = np.concatenate([np.column_stack([start, np.ones_like(start)]), np.column_stack([end, -np.ones_like(end)])])
    inside = edges[np.lexsort((edges[:, 1], edges[:, 0]))][:, 1].cumsum()
    assert inside.max() == 10
    assert set(rows["instance"].to_pylist()) == {"orders-0", "orders-1"}


def test_failed_deliveries_are_repeated_and_a_message_fails_after_the_last() -> None:
    truth = Truth(messages=50_000, rate=40, mean=0.02, failure=0.4)
    rows = table(truth)
    deliveries = column(rows, "deliveries")
    assert deliveries.max() == MOST_DELIVERIES
    assert deliveries.mean() == pytest.approx(truth.deliveries_mean, rel=0.02)
    failed = np.array([outcome == "failed" for outcome in rows["outcome"].to_pylist()])
    assert failed.mean() == pytest.approx(0.4**5, rel=0.25)
    assert (deliveries[failed] == MOST_DELIVERIES).all()


def test_the_rate_swings() -> None:
    rows = table(Truth(messages=80_000, rate=100, mean=0.01, swing=0.5, period=400))
    counts, _ = np.histogram(column(rows, "arrival") % 400, bins=4)
    assert counts[:2].sum() / counts[2:].sum() == pytest.approx((1 + 1 / np.pi) / (1 - 1 / np.pi), rel=0.03)


@pytest.mark.parametrize("kind", FORMATS)
def test_every_format_holds_the_same_rows(tmp_path: Path, kind: str) -> None:
    truth = Truth(messages=500, rate=40, mean=0.1, seed=9)
    path = tmp_path / f"log.{kind}"
    assert write_log(log_of(truth), LOG, path) == 500
    read = {"parquet": pq.read_table, "csv": pc.read_csv, "jsonl": pj.read_json}[kind](path)
    assert read.column_names == LOG.names
    assert np.allclose(column(read, "end"), column(table(truth), "end"), rtol=0, atol=1e-6)
