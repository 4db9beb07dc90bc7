"""The tidy tables of a report: one row per number or setting, in base units, with a dictionary of the columns."""

from collections.abc import Iterator, Mapping
from typing import Any

from planner.answers.summaries import summary_read
from planner.answers.values import plain
from simulations.declarations.tables import table_beside

Rows = list[list[Any]]
_COLUMNS = {
    "results": ("point", "status", "queue", "server", "metric", "value", "low", "high", "unit", "origin"),
    "changes": ("point", "overrides", "metric", "value", "low", "high", "unit", "paired", "verdict"),
    "series": ("point", "overrides", "table", "entity", "column", "place", "value"),
    "settings": (
        *("path", "entity", "title", "native"),
        *("value", "default", "unit", "changed", "changed_by", "source", "trust"),
    ),
}
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


def swept_text(overrides: Mapping[str, Any]) -> str:
    """Return the swept values of a point for one cell of a table."""
    return "; ".join(f"{path} = {value}" for path, value in overrides.items())


def _points(payload: Mapping[str, Any]) -> Iterator[tuple[int, str, Mapping[str, Any]]]:
    for index, point in enumerate(payload["points"]):
        yield index, swept_text(point["summary"]["overrides"]), point["summary"]


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
