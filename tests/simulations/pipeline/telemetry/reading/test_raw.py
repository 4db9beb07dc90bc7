"""Names of columns from the first line of a text, and why a file cannot be read."""

import os
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyspark.errors import PySparkException
from pyspark.sql.connect.session import SparkSession

from simulations.pipeline.spark.session import SparkLink
from simulations.pipeline.telemetry.reading.layouts import TelemetryRefused
from simulations.pipeline.telemetry.reading.raw import (
    CHANGED,
    Source,
    _csv_names,
    _refusal,
    _schema,
    allowed_source,
    read_raw,
)


@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
def test_the_commonest_separator_divides_the_header(separator: str) -> None:
    assert _csv_names(separator.join(["arrival", " start ", '"en:d"'])) == ["arrival", "start", "en:d"]


def test_two_columns_of_a_name_are_refused() -> None:
    with pytest.raises(TelemetryRefused, match="two columns 'end'"):
        _csv_names("end,start,end")


def test_names_are_quoted_for_spark() -> None:
    assert _schema(["a b", "c`d"]) == "`a b` STRING, `c``d` STRING"


@pytest.mark.parametrize(
    ("message", "reason"),
    [
        ("[PATH_NOT_FOUND] Path does not exist", "no log at that location"),
        ("part-0.parquet is not a Parquet file", "not Parquet, or it is damaged"),
        ('No FileSystem for scheme "s3a"', "no driver for that kind of address"),
    ],
)
def test_what_spark_cannot_read_is_refused_with_a_sentence(message: str, reason: str) -> None:
    found = _refusal(PySparkException(message))
    assert isinstance(found, TelemetryRefused)
    assert reason in str(found)


def test_other_errors_of_spark_stay_what_they_are() -> None:
    error = PySparkException("something else")
    assert _refusal(error) is error


def _written(path: Path, arrival: float, changed: str) -> None:
    row = {"arrival": arrival, "start": 2.0, "end": 3.0, "queue": "q"}
    match path.suffix:
        case ".csv":
            path.write_text(f"{','.join(row)}\n{','.join(map(str, row.values()))}\n")
        case ".jsonl":
            path.write_text(str(row).replace("'", '"'))
        case _:
            pq.write_table(pa.table({name: [value] for name, value in row.items()}), path)
    at = datetime.fromisoformat(changed).timestamp()
    os.utime(path, (at, at))


@pytest.mark.spark
@pytest.mark.parametrize("suffix", [".csv", ".jsonl", ".parquet"])
def test_only_files_that_have_changed_since_are_read(spark_link: SparkLink, tmp_path: Path, suffix: str) -> None:
    folder = tmp_path / f"log{suffix}"
    folder.mkdir()
    _written(folder / f"old{suffix}", 1.0, "2026-11-23T06:00:00+00:00")
    _written(folder / f"new{suffix}", 1.5, "2026-11-24T06:00:01+00:00")
    source = allowed_source(str(folder), [tmp_path])
    with spark_link.operation("since") as session:
        session.conf.set("spark.sql.session.timeZone", "UTC")
        found = {
            since: _arrivals(session, replace(source, options={CHANGED: since} if since else {}))
            for since in ("", "2026-11-24T06:00:00")
        }
        with pytest.raises(TelemetryRefused, match="nothing has been written since 2026-11-24T07:00:00 UTC"):
            read_raw(session, replace(source, options={CHANGED: "2026-11-24T07:00:00"}))
    assert found == {"": [1.0, 1.5], "2026-11-24T06:00:00": [1.5]}


def _arrivals(session: SparkSession, source: Source) -> list[float]:
    return sorted(float(row[0]) for row in read_raw(session, source).rows.select("arrival").collect())


def test_a_log_below_a_root_is_allowed(tmp_path: Path) -> None:
    found = allowed_source(str(tmp_path / "may" / "orders.CSV"), [tmp_path])
    assert (found.location, found.format) == (f"file://{tmp_path}/may/orders.CSV", "csv")
    there = allowed_source("s3a://bucket/logs/orders.parquet", ["s3a://bucket/logs"])
    assert allowed_source(f"{tmp_path}/spans.json", [tmp_path]).format == "jsonl"
    assert (there.location, there.format) == ("s3a://bucket/logs/orders.parquet", "parquet")


@pytest.mark.parametrize(
    "location",
    [
        "s3a://bucket/other/orders.csv",
        "s3a://bucket/logs2/orders.csv",
        "s3a://bucket/logs/../other/orders.csv",
        "s3a://bucket/logs/%2e%2e/other/orders.csv",
        "s3a://other/logs/orders.csv",
        "hdfs://bucket/logs/orders.csv",
        "s3a://user@bucket/logs/orders.csv",
        "s3a://bucket/logs/{a,b}.csv",
        "s3a://bucket/logs/*.csv",
        "file:///etc/orders.csv",
        "orders.csv",
        "s3a://bucket/logs/orders.csv.gz",
        "s3a://bucket/logs/orders",
        "s3a://bucket/logs/a\nb.csv",
    ],
)
def test_everything_else_is_refused(location: str) -> None:
    with pytest.raises(TelemetryRefused):
        allowed_source(location, ["s3a://bucket/logs", "/var/log/messages"])


def test_a_link_out_of_a_root_is_refused(tmp_path: Path) -> None:
    root, outside = tmp_path / "root", tmp_path / "secret.csv"
    root.mkdir()
    outside.touch()
    (root / "orders.csv").symlink_to(outside)
    with pytest.raises(TelemetryRefused):
        allowed_source(str(root / "orders.csv"), [root])
    with pytest.raises(TelemetryRefused):
        allowed_source(str(root / ".." / "secret.csv"), [root])
