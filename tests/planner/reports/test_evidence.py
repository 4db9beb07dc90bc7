"""What a report gathers beyond its run: the calibration, experiments and paired differences."""

import copy
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest
from django.contrib.auth.models import User

from planner import services
from planner.answers.choice import choice_of
from planner.jobs.execute import run_finish, run_points_save
from planner.models import Calibration, Run, RunStatus, Scenario
from planner.models.report import file_digest
from planner.reports.evidence import (
    calibration_evidence,
    changes_evidence,
    drift_evidence,
    experiments_evidence,
    instant_text,
)
from planner.selectors import run_points
from simulations.scenario.spec import parse
from tests.claims import taken
from tests.planner.conftest import summary_of


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


LIVE = b"""<process:Server xmlns:process="p" xmlns:xmi="x" name="web"><services xmi:type="m:MessageListenerService">
<listenerPorts name="orders" maxSessions="7"/></services></process:Server>"""


def test_files_in_use_are_compared_with_the_version(scenario: Scenario) -> None:
    found = drift_evidence(scenario.version, [("server.xml", LIVE)], "web")
    assert found is not None
    assert (found["target"], found["unclear"]) == ("web", [])
    changed = [(line["path"], line["file"]) for line in found["lines"] if line["status"] == "changed"]
    assert ("queues.orders.settings.maximum_sessions", 7) in changed
    assert found["files"] == {"server.xml": file_digest(LIVE)}
    assert len(found["lines"]) == sum(found["counts"].values()) - found["counts"]["same"]
    assert found["sentence"].startswith(f"{len(found['lines'])} differences; ")
    assert drift_evidence(scenario.version, [], "") is None


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


def test_what_a_later_calibration_of_the_log_shows_is_told(scenario: Scenario, calibration: Calibration) -> None:
    def measured(mean: float) -> dict[str, Any]:
        (queue,) = result_of(scenario.version.spec)["queues"]
        known = {"value": mean, "low": 0.98 * mean, "high": 1.02 * mean, "unit": "s"}
        arrivals: dict[str, Any] = {"low": None, "high": None, "dispersion": {}}
        seen = {"concurrency": {"threads": 9, "limited": False}, "arrivals": arrivals, "service_mean": known}
        return {**result_of(scenario.version.spec), "queues": [{**queue, **seen}]}

    found = calibration_evidence(scenario.version)
    assert found is not None
    assert found["moved"] is None
    Calibration.objects.filter(pk=calibration.pk).update(result=measured(0.5))
    for mean, said in ((0.5, []), (0.6, ["orders: mean time of one delivery: 500 ms, now 600 ms, +20 % ± 3.1 %."])):
        later = Calibration.objects.create(
            owner_id=calibration.owner_id, name="log", location="orders.csv", result=measured(mean)
        )
        found = calibration_evidence(scenario.version)
        assert found is not None
        assert (found["moved"]["id"], found["moved"]["changes"]) == (later.pk, said)


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


def test_the_newest_experiment_of_each_kind_comes_without_curves(finished: Run) -> None:
    assert experiments_evidence(finished) == []
    for question in ({"type": "headroom"}, {"type": "headroom", "most": 3.0}):
        asked = services.experiment_prepare(version=finished.version, owner=finished.owner, question=question)().run
        claimed = taken(asked)
        answer = replace(summary_of(0), overrides={"arrivals": 1.0})
        run_points_save(run=claimed, summaries=[answer], partial=False)
        run_finish(run=claimed, points=1)
    (told,) = experiments_evidence(finished)
    assert (told["id"], told["kind"], told["question"]["most"]) == (asked.pk, "headroom", 3.0)
    assert told["result_hash"] == Run.objects.get(pk=asked.pk).result_hash
    (point,) = told["points"]
    assert point["metrics"]["latency.p95"]["value"] == 0.25
    assert [point[name] for name in ("tail", "timeline", "threads", "instances")] == [{}, {}, {}, {}]


def test_differences_are_taken_against_the_present_settings_and_notes_say_what_is_not_paired(finished: Run) -> None:
    spec, points = finished.parsed, run_points(run=finished)
    told = changes_evidence(finished, spec, points, choice_of(spec, points))
    assert (told["baseline"], list(told["points"])) == (1, ["0"])
    change = told["points"]["0"]["latency.p95"]
    assert (change["value"], change["paired"]) == (pytest.approx(-0.05), False)
    assert told["notes"]
    alone = changes_evidence(finished, spec, points[:1], choice_of(spec, points[:1]))
    assert (alone["points"], alone["notes"]) == ({}, [])


def test_an_instant_that_is_not_known_is_empty() -> None:
    assert (instant_text(None), instant_text(datetime(2026, 1, 2, tzinfo=UTC))) == ("", "2026-01-02T00:00:00+00:00")
