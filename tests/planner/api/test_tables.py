"""A run's tables are downloaded as they lie in the store."""

import json
from io import BytesIO
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from django.conf import settings
from rest_framework.test import APIClient

from planner.models import Run
from simulations.experiment import expand
from simulations.pipeline.store import archive_of
from simulations.pipeline.work import WorkItem
from simulations.scenario import parse
from tests.planner.conftest import summary_of
from tests.simulations.pipeline.doubles import synthetic_batch


@pytest.fixture
def stored(finished: Run) -> Path:
    """The folder of a finished run with its tables."""
    archive = archive_of(settings.ENVIRONMENT.store, finished.pk, finished.content_hash)
    points = expand(parse(finished.spec))
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
    read = pq.read_table(BytesIO(answer.content))
    assert read.num_rows > 0
    about = json.loads(read.schema.metadata[b"sluice.dictionary"])
    assert set(about["columns"]) == set(read.column_names)


@pytest.mark.parametrize("table", ["replications", "secrets", "..%2f..%2fsecret_key"])
def test_nothing_else_is_handed_out(client: APIClient, finished: Run, stored: Path, table: str) -> None:
    assert client.get(f"/api/v1/runs/{finished.pk}/tables/{table}.parquet").status_code == 404


def test_tables_are_made_once_and_not_without_replications(client: APIClient, finished: Run, stored: Path) -> None:
    address = f"/api/v1/runs/{finished.pk}/tables/values.parquet"
    assert not (stored / "values.parquet").exists()
    first = client.get(address).content
    made = (stored / "values.parquet").stat().st_mtime_ns
    for path in stored.glob("replications-*"):
        path.unlink()
    assert client.get(address).content == first
    assert (stored / "values.parquet").stat().st_mtime_ns == made
    (stored / "values.parquet").unlink()
    assert client.get(address).status_code == 404


def test_a_run_under_way_has_none_yet(client: APIClient, run: Run) -> None:
    assert client.get(f"/api/v1/runs/{run.pk}/tables/values.parquet").status_code == 404


def test_strangers_find_nothing(other: APIClient, nobody: APIClient, finished: Run, stored: Path) -> None:
    assert other.get(f"/api/v1/runs/{finished.pk}/tables/values.parquet").status_code == 404
    assert nobody.get(f"/api/v1/runs/{finished.pk}/tables/values.parquet").status_code == 401
