"""The tidy tables: one row per number or setting, every column explained."""

from copy import deepcopy
from typing import Any

from planner.models import Report
from planner.reports.capsule import Rows, tables_of

PATH = "queues.orders.settings.maximum_sessions"


def records(rows: Rows) -> list[dict[str, Any]]:
    header, *body = rows
    return [dict(zip(header, row, strict=True)) for row in body]


def test_every_number_has_a_row_with_the_swept_value(report: Report) -> None:
    results = records(tables_of(report.payload)["results"])
    whole = [row for row in results if not row["queue"] and not row["server"]]
    assert [(row["point"], row[PATH], row["value"], row["low"], row["high"]) for row in whole] == [
        (0, 18, 0.25, 0.24, 0.26),
        (1, 36, 0.3, 0.29, 0.31),
    ]
    assert {(row["server"], row["metric"]) for row in results if row["server"]} == {("payments", "threads.busy")}


def test_courses_keep_their_order_and_their_gaps(report: Report) -> None:
    series = records(tables_of(report.payload)["series"])
    backlog = [row for row in series if (row["point"], row["column"]) == (0, "backlog")]
    assert [(row["table"], row["entity"], row["place"], row["value"]) for row in backlog] == [
        ("timeline", "orders", 0, 0.0),
        ("timeline", "orders", 1, 3.0),
        ("timeline", "orders", 2, None),
    ]


def test_a_changed_setting_names_who_gave_it(report: Report) -> None:
    rows = {row["path"]: row for row in records(tables_of(report.payload)["settings"])}
    changed = rows["queues.orders.settings.queue_agent_time"]
    assert (changed["value"], changed["changed"], changed["changed_by"]) == (0.0, True, "v1 ada")
    assert all(row["changed_by"] == "" for row in rows.values() if not row["changed"])


def test_the_dictionary_explains_every_column_and_metric(report: Report) -> None:
    tables = tables_of(report.payload)
    explained = {row["column"]: row["meaning"] for row in records(tables.pop("dictionary"))}
    assert all(explained[column] for rows in tables.values() for column in rows[0])
    assert explained["metric latency.p95"].endswith("[s]")


def test_swept_values_are_one_cell(report: Report) -> None:
    payload = deepcopy(report.payload)
    payload["points"][0]["summary"]["overrides"] = {"a": 1, "b.c": "2s"}
    series = records(tables_of(payload)["series"])
    assert {row["overrides"] for row in series if row["point"] == 0} == {"a = 1; b.c = 2s"}
