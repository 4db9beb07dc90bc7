"""The tables of a report, and its capsule: everything that it takes to read, check and compute it again, in one file.

A table has one row per number or setting, in base units; a dictionary tells what the columns mean.
"""

import io
import json
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import yaml

from planner.answers.summaries import summary_read
from planner.answers.values import plain
from planner.configuration.exporting import script_bytes
from planner.models import Report
from planner.models.report import file_digest
from planner.reports.checklist import checklist
from planner.reports.payload import payload_read
from planner.reports.schema import report_schema
from planner.web.downloads import csv_text
from simulations.declarations.tables import table_beside
from simulations.pipeline.archive.export import parquet_of

Rows = list[list[Any]]
_COLUMNS: Mapping[str, list[str]] = table_beside(__file__, "tables.yaml")
DICTIONARY: Mapping[str, str] = table_beside(__file__, "columns.yaml")


def tables_of(payload: Mapping[str, Any]) -> dict[str, Rows]:
    """Return the tables ``results``, ``changes``, ``series``, ``settings`` and ``dictionary``, each with its header."""
    made = {"results": _results, "changes": _changes, "series": _series, "settings": _settings}
    swept = [axis["path"] for axis in payload["question"]["sweep"]]
    tables = {name: [[*_COLUMNS[name]], *rows(payload)] for name, rows in made.items()}
    tables["results"][0][1:1] = swept
    words = [[name, meaning] for name, meaning in DICTIONARY.items()]
    words += [[path, "Value of this setting at the point."] for path in swept]
    metrics = [[f"metric {item['name']}", f"{item['meaning']} [{item['unit']}]"] for item in payload["metrics"]]
    return {**tables, "dictionary": [["column", "meaning"], *words, *metrics]}


def _points(payload: Mapping[str, Any]) -> Iterator[tuple[int, str, Mapping[str, Any]]]:
    for index, point in enumerate(payload["points"]):
        swept = "; ".join(f"{path} = {value}" for path, value in point["summary"]["overrides"].items())
        yield index, swept, point["summary"]


def _results(payload: Mapping[str, Any]) -> Iterator[list[Any]]:
    paths = [axis["path"] for axis in payload["question"]["sweep"]]
    for index, _, summary in _points(payload):
        swept = [summary["overrides"].get(path, "") for path in paths]
        for queue, server, metrics in summary_read(summary).places():
            for name, item in metrics.items():
                numbers = [item.value, item.low, item.high, item.unit, item.origin]
                yield [index, *swept, summary["status"], queue, server, name, *numbers]


def _changes(payload: Mapping[str, Any]) -> Iterator[list[Any]]:
    overrides = {index: swept for index, swept, _ in _points(payload)}
    for index, metrics in payload.get("changes", {"points": {}})["points"].items():
        for name, item in metrics.items():
            numbers = [item[key] for key in ("value", "low", "high", "unit", "paired", "verdict")]
            yield [int(index), overrides[int(index)], name, *numbers]


def _series(payload: Mapping[str, Any]) -> Iterator[list[Any]]:
    for index, swept, summary in _points(payload):
        for table in ("tail", "timeline", "threads"):
            for entity, columns in summary.get(table, {}).items():
                for name, values in columns.items():
                    yield from ([index, swept, table, entity, name, *item] for item in enumerate(values))


def _settings(payload: Mapping[str, Any]) -> Iterator[list[Any]]:
    for row in payload["settings"]:
        by = row.get("changed_by")
        who = f"v{by['version']} {by['author']}" if by else ""
        cells = {**row, "changed_by": who, "value": _cell(row["value"]), "default": _cell(row["default"])}
        yield [cells[name] for name in _COLUMNS["settings"]]


def _cell(value: Any) -> Any:
    return value if isinstance(value, str | int | float | bool | None) else str(plain(value))


_ALWAYS = (1980, 1, 1, 0, 0, 0)
"""Date of every member, so that equal reports make equal capsules."""
README = Path(__file__).with_name("capsule_readme.md")
"""The text of its README, with places for what the report says."""


def report_json(report: Report) -> dict[str, Any]:
    """Return the machine form of a report: id, hash and payload."""
    return {"id": report.pk, "payload_hash": report.payload_hash, **report.payload}


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
