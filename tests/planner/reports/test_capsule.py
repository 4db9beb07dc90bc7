"""The capsule: equal reports make equal files, and every member has its hash."""

import hashlib
import io
import json
import zipfile

import pyarrow.parquet as pq

from planner.models import Report
from planner.reports.capsule import capsule, report_json, tables_zip
from planner.web.downloads import csv_text


def test_every_member_is_hashed_and_the_whole_is_reproducible(report: Report) -> None:
    content = capsule(report, b"<html>")
    assert content == capsule(report, b"<html>")
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        lines = archive.read("SHA256SUMS").decode().splitlines()
        sums = {name: digest for digest, _, name in (line.partition("  ") for line in lines)}
        assert set(sums) == set(archive.namelist()) - {"SHA256SUMS"}
        assert all(hashlib.sha256(archive.read(name)).hexdigest() == digest for name, digest in sums.items())
        assert archive.read("report.html") == b"<html>"
        assert json.loads(archive.read("report.json")) == report_json(report)
        text = archive.read("README.md").decode()
    assert f"Report {report.pk}, draft. Run {report.run_id} of scenario" in text
    assert report.payload["reproduction"]["result_hash"] in text
    assert "as it was signed" not in text


def test_a_signed_file_is_named_with_its_hash(report: Report) -> None:
    report.html_hash = "f" * 64
    with zipfile.ZipFile(io.BytesIO(capsule(report, b""))) as archive:
        assert f"as it was signed (SHA-256 {'f' * 64})" in archive.read("README.md").decode()


def test_the_tables_are_parquet_files(report: Report) -> None:
    with zipfile.ZipFile(io.BytesIO(tables_zip(report))) as archive:
        assert {"results.parquet", "settings.parquet", "dictionary.parquet"} <= set(archive.namelist())
        results = pq.read_table(io.BytesIO(archive.read("results.parquet"))).to_pylist()
    values = [row["value"] for row in results if row["metric"] == "latency.p95" and not row["queue"]]
    assert values == [0.25, 0.3]


def test_cells_with_commas_are_quoted() -> None:
    assert csv_text([["a", "b"], ["1,5", None]]) == 'a,b\r\n"1,5",\r\n'
