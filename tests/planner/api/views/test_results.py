"""A run's tables are downloaded as they lie in the store."""

import csv
import io
import json
import math
from collections.abc import AsyncIterator
from io import BytesIO
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from django.conf import settings
from django.core.handlers.asgi import ASGIRequest
from rest_framework.request import Request
from rest_framework.test import APIClient

from planner.api.views.results import _parts
from planner.jobs.execute import run_compute
from planner.models import Run
from simulations.experiment import expansion
from simulations.pipeline.archive.export import csv_rows
from simulations.pipeline.archive.store import Archive, run_folder
from simulations.pipeline.spark.executors import InlineExecutor
from simulations.pipeline.work import WorkItem
from simulations.scenario.spec import parse
from tests.planner.conftest import summary_of
from tests.simulations.pipeline.doubles import synthetic_batch
from tests.waiting import awaited


@pytest.fixture
def stored(finished: Run) -> Path:
    """The folder of a finished run with its tables."""
    archive = Archive(run_folder(settings.ENVIRONMENT.store, finished.pk), finished.content_hash)
    points = expansion(parse(finished.spec)).points
    for point in points:
        archive.append(synthetic_batch(WorkItem.of(point, first=0, count=2, cost=1.0)))
        archive.note([summary_of(point.index)])
    archive.finish()
    return archive.folder


@pytest.mark.parametrize("table", ["summaries", "values", "histograms", "timelines"])
def test_a_table_comes_with_its_dictionary(client: APIClient, finished: Run, stored: Path, table: str) -> None:
    answer = client.get(f"/api/v1/runs/{finished.pk}/tables/{table}.parquet")
    assert answer.status_code == 200
    assert answer["Content-Type"] == "application/vnd.apache.parquet"
    assert f'filename="{finished.pk}-{table}.parquet"' in answer["Content-Disposition"]
    content = answer.getvalue()
    read, metadata = pq.read_table(BytesIO(content)), pq.read_metadata(BytesIO(content)).metadata
    assert read.num_rows > 0
    about = json.loads(metadata[b"sluice.dictionary"])
    assert set(about["columns"]) == set(read.column_names)


@pytest.mark.parametrize("table", ["replications", "secrets", "..%2f..%2fsecret_key"])
def test_nothing_else_is_handed_out(client: APIClient, finished: Run, stored: Path, table: str) -> None:
    assert client.get(f"/api/v1/runs/{finished.pk}/tables/{table}.parquet").status_code == 404


def test_tables_are_made_once_and_not_without_replications(client: APIClient, finished: Run, stored: Path) -> None:
    address = f"/api/v1/runs/{finished.pk}/tables/values.parquet"
    assert not (stored / "values.parquet").exists()
    first = client.get(address).getvalue()
    made = (stored / "values.parquet").stat().st_mtime_ns
    for path in stored.glob("replications-*"):
        path.unlink()
    assert client.get(address).getvalue() == first
    assert (stored / "values.parquet").stat().st_mtime_ns == made
    (stored / "values.parquet").unlink()
    assert client.get(address).status_code == 404


def test_a_run_under_way_has_none_yet(client: APIClient, run: Run) -> None:
    assert client.get(f"/api/v1/runs/{run.pk}/tables/values.parquet").status_code == 404


@pytest.mark.parametrize(
    ("by", "table"), [("", "summaries"), ("?by=point", "summaries"), ("?by=replication", "values")]
)
def test_results_are_parquet_that_explains_itself(
    client: APIClient, finished: Run, stored: Path, by: str, table: str
) -> None:
    answer = client.get(f"/api/v1/runs/{finished.pk}/results.parquet{by}")
    assert f'filename="{finished.pk}-{table}.parquet"' in answer["Content-Disposition"]
    content = answer.getvalue()
    assert int(answer["Content-Length"]) == len(content)
    read, metadata = pq.read_table(BytesIO(content)), pq.read_metadata(BytesIO(content)).metadata
    about = json.loads(metadata[b"sluice.dictionary"])
    assert about["metrics"]["latency.p95"]["unit"] == "s"
    assert about["columns"]["metric"]["meaning"]
    assert metadata[b"sluice.run"].decode() == finished.pk
    rows = {
        (row["point"], row.get("replication"), row["queue"], row["server"], row["metric"]) for row in read.to_pylist()
    }
    assert len(rows) == read.num_rows > 0


@pytest.mark.django_db(transaction=True)  # the heartbeat of the computation has a connection of its own
def test_csv_by_replication_is_tidy_and_says_what_parquet_says(client: APIClient, run: Run) -> None:
    run_compute(run_id=run.pk, worker="w1", executor_of=lambda _: InlineExecutor())
    answer = client.get(f"/api/v1/runs/{run.pk}/results.csv?by=replication")
    rows = list(csv.DictReader(io.StringIO(answer.getvalue().decode())))
    assert list(rows[0]) == ["point", "overrides", "replication", "queue", "server", "metric", "value", "unit"]
    values = pq.read_table(settings.ENVIRONMENT.store / run.pk / "values.parquet").to_pylist()
    assert len(rows) == len(values)
    for row, value in zip(rows, values, strict=True):
        assert [row[name] for name in ("queue", "server", "metric", "unit")] == [
            value[name] for name in ("queue", "server", "metric", "unit")
        ]
        assert (row["value"] == "") if math.isnan(value["value"]) else (float(row["value"]) == value["value"])
    assert {"0", "1"} <= {row["replication"] for row in rows if row["metric"] == "latency.p95"}
    assert {row["overrides"] for row in rows} == {
        f"queues.orders.settings.maximum_sessions={sessions}" for sessions in (18, 36)
    }


def test_a_row_is_about_a_point_or_a_replication(client: APIClient, finished: Run) -> None:
    for form in ("csv", "parquet"):
        refused = client.get(f"/api/v1/runs/{finished.pk}/results.{form}?by=queue")
        assert (refused.status_code, refused.json()["errors"][0]["pointer"]) == (422, "/by")


def test_an_asynchronous_server_streams_the_same(finished: Run, stored: Path, client: APIClient) -> None:
    address = f"/api/v1/runs/{finished.pk}/results.csv?by=replication"
    whole = client.get(address).getvalue()
    request = ASGIRequest({"type": "http", "method": "GET", "path": address, "headers": []}, BytesIO())
    parts = _parts(Request(request), csv_rows(stored / "values.parquet", {}))
    assert isinstance(parts, AsyncIterator)

    async def collected() -> bytes:
        return b"".join([part async for part in parts])

    assert awaited(collected()).count(b"\n") == whole.count(b"\n")


def test_strangers_find_nothing(other: APIClient, nobody: APIClient, finished: Run, stored: Path) -> None:
    assert other.get(f"/api/v1/runs/{finished.pk}/tables/values.parquet").status_code == 404
    assert nobody.get(f"/api/v1/runs/{finished.pk}/tables/values.parquet").status_code == 401
    for form in ("csv", "parquet"):
        address = f"/api/v1/runs/{finished.pk}/results.{form}?by=replication"
        assert [one.get(address).status_code for one in (other, nobody)] == [404, 401]
