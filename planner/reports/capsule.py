"""The capsule of a report: everything that it takes to read, check and compute it again, in one ZIP file."""

import io
import json
import zipfile
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import yaml

from planner.configuration.exporting import script_bytes
from planner.models import Report
from planner.models.report import file_digest
from planner.reports.checklist import checklist
from planner.reports.payload import payload_read
from planner.reports.schema import report_schema
from planner.reports.tables import tables_of
from planner.web import downloads
from simulations.pipeline.archive.export import parquet_of

_ALWAYS = (1980, 1, 1, 0, 0, 0)
"""Date of every member, so that equal reports make equal capsules."""
README = Path(__file__).with_name("capsule_readme.md")
"""The text of its README, with places for what the report says."""


def report_json(report: Report) -> dict[str, Any]:
    """Return the machine form of a report: id, hash and payload."""
    return {"id": report.pk, "payload_hash": report.payload_hash, **report.payload}


csv_text = partial(downloads.csv_text, line_end="\r\n")
"""Returns a table as CSV."""


def tables_zip(report: Report) -> bytes:
    """Return the tidy tables as Parquet files in one ZIP file."""
    tables = tables_of(payload_read(report.payload))
    return _zipped({f"{name}.parquet": parquet_of(rows) for name, rows in tables.items()})


def capsule(report: Report, html: bytes) -> bytes:
    """Return the capsule; ``html`` is the report's own file."""
    files = dict(_files(report, html))
    sums = "".join(f"{file_digest(content)}  {name}\n" for name, content in files.items())
    return _zipped({**files, "SHA256SUMS": sums.encode()})


def _files(report: Report, html: bytes) -> Iterator[tuple[str, bytes]]:
    payload = payload_read(report.payload)
    yield "README.md", _readme(report, payload).encode()
    yield "scenario.yaml", yaml.safe_dump(payload["reproduction"]["spec"], sort_keys=False, allow_unicode=True).encode()
    yield "report.html", html
    yield "report.json", json.dumps(report_json(report), indent=1).encode()
    yield "report.schema.json", json.dumps(report_schema(), indent=1).encode()
    for name, rows in tables_of(payload).items():
        yield f"tables/{name}.csv", csv_text(rows).encode()
        yield f"tables/{name}.parquet", parquet_of(rows)
    items = checklist(payload, experiments=len(payload["experiments"]))
    rows = [[item.number, item.title, item.section, item.state, item.lacking] for item in items]
    yield "checklist.csv", csv_text([["item", "asked for", "section", "state", "lacking"], *rows]).encode()
    for script in payload["scripts"]:
        for part in ("apply", "undo"):
            yield f"scripts/{script['format']}/{part}/{script['filename']}", script_bytes(script, part)


def _readme(report: Report, payload: Mapping[str, Any]) -> str:
    experiments = "".join(
        f"- {item['kind']} {item['id']}: question, seed, answers and result hash `{item['result_hash']}` "
        "are in `report.json`, `experiments`; ask it again with `POST /api/v1/experiments`\n"
        for item in payload["experiments"]
    )
    return README.read_text(encoding="utf-8").format(
        **payload["reproduction"],
        title=report.title,
        id=report.pk,
        state=report.get_state_display().lower(),
        experiments=f"\n## Experiments inside\n\n{experiments}" if experiments else "",
        frozen=f", as it was signed (SHA-256 {report.html_hash})" if report.html_hash else "",
    )


def _zipped(files: Mapping[str, bytes]) -> bytes:
    sink = io.BytesIO()
    with zipfile.ZipFile(sink, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(zipfile.ZipInfo(name, _ALWAYS), content, zipfile.ZIP_DEFLATED)
    return sink.getvalue()
