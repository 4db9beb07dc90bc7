"""What a report gathers beyond its run: the calibration, and who gave which value."""

import copy
from typing import Any

import pytest
from django.contrib.auth.models import User

from planner import services
from planner.models import Calibration, RunStatus, Scenario
from planner.reports.evidence import calibration_evidence
from planner.reports.system import changes_of, settings_table, workload_table
from simulations.scenario.spec import parse

SESSIONS = "queues.orders.settings.maximum_sessions"


def result_of(spec: dict[str, Any]) -> dict[str, Any]:
    """A calibration's result with the keys of ``Calibrated``."""
    check = {"queue": "orders", "kind": "replayed", "sentence": "Near.", "predicted": 0.5, "observed": 0.5}
    queue = {"name": "orders", "messages": 900, "service": {"kind": "gamma"}, "curve": {"time": [0.1] * 500}}
    return {
        "layout": "messages",
        "quarantine": {"sentence": "9 rows are used.", "aside": [{"meaning": "twice", "count": 1, "examples": ["x"]}]},
        "span": {"start": 0.0, "end": 60.0},
        "queues": [queue],
        "skipped": {},
        "assumed": ["CPUs are not known."],
        "scenario": spec,
        "checks": [check],
        "validated": True,
    }


@pytest.fixture
def calibration(owner: User, scenario: Scenario) -> Calibration:
    """The calibration that the scenario was made of."""
    return Calibration.objects.create(
        owner=owner,
        name="log",
        location="orders.csv",
        status=RunStatus.SUCCEEDED,
        result=result_of(scenario.version.spec),
        validated=True,
        scenario=scenario,
    )


def test_the_calibration_comes_without_rows_of_the_log_and_without_curves(
    scenario: Scenario, calibration: Calibration
) -> None:
    found = calibration_evidence(scenario.version)
    assert found is not None
    assert (found["id"], found["location"], found["validated"]) == (calibration.pk, "orders.csv", True)
    assert found["put_aside"] == [{"meaning": "twice", "count": 1}]
    assert "curve" not in found["queues"][0]
    assert found["assumed"] == ["CPUs are not known."]
    assert found["departed"] == []


def test_what_the_version_says_otherwise_than_the_log_is_named(
    scenario: Scenario, owner: User, calibration: Calibration, body: dict[str, Any]
) -> None:
    changed = copy.deepcopy(body)
    changed["queues"][0]["arrivals"]["rate"] = "90/s"
    version = services.scenario_replace(scenario=scenario, author=owner, spec=parse(changed)).version
    found = calibration_evidence(version)
    assert found is not None
    assert found["departed"] == ["arrivals of orders"]


def test_without_a_calibration_there_is_none(scenario: Scenario) -> None:
    assert calibration_evidence(scenario.version) is None


def test_every_changed_setting_says_who_gave_it_last(scenario: Scenario, owner: User, body: dict[str, Any]) -> None:
    changed = copy.deepcopy(body)
    changed["queues"][0]["settings"]["maximum_sessions"] = 41
    version = services.scenario_replace(scenario=scenario, author=owner, spec=parse(changed)).version
    given = changes_of(version)
    spec = parse(version.spec)
    rows = {row["path"]: row for row in settings_table(spec, given)}
    assert rows[SESSIONS]["changed_by"]["version"] == 2
    assert rows[SESSIONS]["changed_by"]["author"] == owner.get_username()
    assert rows["queues.orders.settings.queue_agent_time"]["changed_by"]["version"] == 1
    assert all(row["changed_by"] is None for row in rows.values() if not row["changed"])
    (work,) = workload_table(spec, given)
    assert work["given_by"]["version"] == 1
    assert work["service_percentiles"]["p50"] < work["service_percentiles"]["p95"] < work["service_percentiles"]["p99"]
