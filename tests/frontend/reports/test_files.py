"""Reports as files: HTML, JSON, CSV, the capsule and the PDF."""

import base64
import contextlib
import csv
import gzip
import hashlib
import io
import json
import re
import zipfile
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from django.core.management import call_command
from django.test import Client

from planner.models import Report
from planner.reports.schema import ReportJson
from tests.frontend.conftest import PATH
from tests.paper import headings_of, no_browser, pages_of

LARGEST = 2_500_000


def test_the_file_is_small_and_needs_no_network(person: Client, report: Report) -> None:
    content = person.get(f"/reports/{report.pk}/file.html").content
    text = content.decode()
    assert len(content) <= LARGEST
    assert not re.search(r'(?:src|href)="(?!#)[^"]', text.split("<body>")[1])
    assert "default-src 'none'" in text
    packed = text.split('id="report-payload">')[1].split("</script>")[0]
    assert json.loads(packed) == report.payload


def test_the_capsule_computes_the_same_result_again(person: Client, report: Report, tmp_path: Path) -> None:
    with zipfile.ZipFile(io.BytesIO(person.get(f"/reports/{report.pk}/capsule.zip").content)) as capsule:
        assert capsule.testzip() is None
        capsule.extractall(tmp_path)
    for line in (tmp_path / "SHA256SUMS").read_text().splitlines():
        digest, name = line.split("  ")
        assert hashlib.sha256((tmp_path / name).read_bytes()).hexdigest() == digest
    told = report.payload["reproduction"]["result_hash"]
    assert told in (tmp_path / "README.md").read_text()
    said = io.StringIO()
    with contextlib.suppress(SystemExit):
        call_command("simulate", str(tmp_path / "scenario.yaml"), json=True, stdout=said)
    assert json.loads(said.getvalue())["result_hash"] == told
    results = pq.read_table(tmp_path / "tables" / "results.parquet").to_pylist()
    with (tmp_path / "tables" / "results.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert [(row["metric"], float(row["value"])) for row in rows] == [(row["metric"], row["value"]) for row in results]
    assert {row["server"] for row in rows} == {"", "payments"}
    settings = pq.read_table(tmp_path / "tables" / "settings.parquet").to_pylist()
    assert "3" in [row["value"] for row in settings if row["path"] == "servers.payments.settings.max_servants"]
    assert pq.read_table(tmp_path / "tables" / "series.parquet").num_rows > 100
    columns = {row["column"] for row in pq.read_table(tmp_path / "tables" / "dictionary.parquet").to_pylist()}
    for table in ("results", "changes", "series", "settings"):
        assert set(pq.read_schema(tmp_path / "tables" / f"{table}.parquet").names) <= columns, table
    assert len((tmp_path / "checklist.csv").read_text().splitlines()) == 21


def test_the_json_keeps_to_its_schema(person: Client, report: Report) -> None:
    body = person.get(f"/reports/{report.pk}/data.json").json()
    assert ReportJson.model_validate(body).id == report.pk
    schema = person.get("/reports/schema.json").json()
    assert set(schema["properties"]) == set(body)
    assert schema["additionalProperties"] is False


def test_a_file_that_would_be_too_large_leaves_out_and_says_so(
    person: Client, report: Report, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = person.get(f"/reports/{report.pk}/file.html").content
    monkeypatch.setattr("frontend.reports.page.LARGEST", len(whole) - 1)
    packed = person.get(f"/reports/{report.pk}/file.html").content.decode()
    held = packed.split('data-encoding="base64 of gzip of JSON">')[1].split("</script>")[0]
    assert json.loads(gzip.decompress(base64.b64decode(held))) == report.payload
    monkeypatch.setattr("frontend.reports.page.LARGEST", len(packed.encode()) - 1)
    short = person.get(f"/reports/{report.pk}/file.html").content.decode()
    assert "Left out, so that this file stays below 2.5 MB: courses over time in the embedded data" in short
    assert 'data-chart="latency"' in short
    monkeypatch.setattr("frontend.reports.page.LARGEST", len(short.encode()) - 1)
    bare = person.get(f"/reports/{report.pk}/file.html").content.decode()
    assert "charts of the queues" in bare
    assert 'data-chart="latency"' not in bare
    monkeypatch.setattr("frontend.reports.page.LARGEST", 1000)
    refused = person.get(f"/reports/{report.pk}/file.html", follow=True, headers={"referer": "/reports/"})
    assert "too large for one HTML file" in refused.content.decode()


def test_json_holds_the_payload_and_its_hash(person: Client, report: Report) -> None:
    answer = person.get(f"/reports/{report.pk}/data.json")
    read = answer.json()
    assert read.pop("payload_hash") == report.payload_hash
    assert read.pop("id") == report.pk
    assert read == report.payload
    assert "attachment" in answer.headers["Content-Disposition"]


def test_the_table_has_a_row_for_every_number(person: Client, report: Report) -> None:
    rows = list(csv.DictReader(person.get(f"/reports/{report.pk}/data.csv").content.decode().splitlines()))
    stored = report.payload["points"][1]["summary"]["metrics"]["latency.p95"]
    found = [row for row in rows if row["metric"] == "latency.p95" and not row["queue"]]
    assert [float(row["value"]) for row in found] == [stored["value"]]
    assert (float(found[0]["low"]), float(found[0]["high"])) == (stored["low"], stored["high"])
    assert found[0][PATH] == "36"


@pytest.mark.browser
def test_the_pdf_has_pages_bookmarks_tags_and_painted_charts(person: Client, stranger: Client, report: Report) -> None:
    answer = person.get(f"/reports/{report.pk}.pdf")
    assert answer.headers["Content-Disposition"] == f'attachment; filename="{report.pk}.pdf"'
    pdf = answer.content
    assert 6 <= pages_of(pdf) <= 20
    assert {"Decision", "1 Summary", "9 Sensitivity", "13 Sign-off"} <= set(headings_of(pdf))
    assert b"/StructTreeRoot" in pdf
    assert b"/Figure" in pdf
    assert stranger.get(f"/reports/{report.pk}.pdf").status_code == 404


def test_without_a_browser_the_page_says_what_helps(person: Client, report: Report) -> None:
    with no_browser():
        answer = person.get(f"/reports/{report.pk}.pdf")
    assert answer.status_code == 503
    assert "CHROMIUM_PATH" in answer.content.decode()
