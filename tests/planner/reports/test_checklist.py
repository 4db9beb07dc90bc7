"""The STRESS-DES checklist: 20 items, each given, partly given or missing with the reason."""

from typing import Any

import pytest

from planner.reports.checklist import checklist

BARE: dict[str, Any] = {
    "question": {"objectives": [], "sweep": [], "note": ""},
    "servers": [],
    "calibration": None,
    "reproduction": {"timings": {}},
}


def states(payload: dict[str, Any], experiments: int = 0) -> dict[str, str]:
    return {item.number: item.state for item in checklist(payload, experiments=experiments)}


def test_what_a_report_does_not_have_is_missing_with_the_reason() -> None:
    items = checklist(BARE, experiments=0)
    assert len(items) == 20
    missing = {item.number: item.lacking for item in items if item.state == "missing"}
    assert set(missing) == {"1.1", "1.3", "2.1", "3.1", "3.2"}
    assert all(missing.values())
    assert [item.number for item in items if item.state == "partly"] == ["5.4"]


@pytest.mark.parametrize(
    ("change", "experiments", "given"),
    [
        ({"question": {**BARE["question"], "note": "why"}}, 0, {"1.1"}),
        ({"question": {**BARE["question"], "sweep": [{}]}}, 0, {"1.3"}),
        ({}, 1, {"1.3"}),
        ({"servers": [{}]}, 0, {"2.1"}),
        ({"calibration": {"id": "cal_1"}}, 0, {"3.1", "3.2"}),
    ],
)
def test_what_it_has_is_given(change: dict[str, Any], experiments: int, given: set[str]) -> None:
    before, after = states(BARE), states({**BARE, **change}, experiments)
    assert {number for number, state in after.items() if state != before[number]} == given
    assert {after[number] for number in given} == {"given"}


def test_the_run_time_is_told_where_it_is_known() -> None:
    timed = checklist({**BARE, "reproduction": {"timings": {"total": 1.5}}}, experiments=0)
    assert next(item.lacking for item in timed if item.number == "5.4").startswith("run time 1.5 s; ")
