"""Reports: frozen, shown, and downloaded as one file."""

import hashlib
import re
from typing import Any

from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils.html import strip_tags

from planner import services
from planner.models import Report, Run, Scenario
from simulations.scenario.spec import parse
from tests.frontend.conftest import PATH
from tests.frontend.experiments import SERVICE, asked, computed
from tests.planner.reports.test_evidence import LIVE


def test_an_unfinished_run_makes_no_report(person: Client, queued: Run) -> None:
    answer = person.post(f"/runs/{queued.pk}/report/", follow=True, headers={"referer": f"/runs/{queued.pk}/"})
    assert "Only runs that succeeded can be reported" in answer.content.decode()
    assert not Report.objects.exists()


def test_the_page_tells_settings_method_and_reproduction(person: Client, report: Report) -> None:
    text = person.get(f"/reports/{report.pk}/").content.decode()
    made = report.payload["reproduction"]
    for wanted in (
        "Maximum sessions",
        "maxSessions",
        made["content_hash"],
        made["result_hash"],
        report.payload_hash,
        "manage.py simulate",
    ):
        assert wanted in text, wanted
    for row in report.payload["settings"]:
        assert row["title"] in text


def test_an_experiment_is_not_reported_by_itself(person: Client, scenario: Scenario) -> None:
    bound = {"metric": "latency.p95", "at_most": 0.75}
    experiment = computed(asked(scenario, type="sensitivity", inputs={SERVICE: 0.1}, subject_to=[bound]))
    answer = person.post(f"/runs/{experiment.pk}/report/", follow=True, headers={"referer": f"/runs/{experiment.pk}/"})
    assert "An experiment has no report of its own" in answer.content.decode()
    assert not Report.objects.exists()


def test_experiments_about_the_version_are_part_of_the_report(person: Client, finished: Run) -> None:
    bound = {"metric": "latency.p95", "at_most": 0.75}
    knobs = [{"path": PATH, "values": [18, 36]}, {"path": SERVICE, "values": [0.15, 0.2]}]
    scenario = finished.version.scenario
    for question in (
        {"type": "optimize", "knobs": knobs, "minimize": [PATH]},
        {"type": "headroom", "least": 0.8, "most": 1.4},
        {"type": "sensitivity", "inputs": {SERVICE: 0.1}},
    ):
        computed(asked(scenario, subject_to=[bound], **question))
    person.post(f"/runs/{finished.pk}/report/", {"title": "With experiments"})
    text = person.get(f"/reports/{Report.objects.get().pk}/").content.decode()
    sensitivity = section(text, "sensitivity")
    for chart in ("map", "front", "headroom", "sensitivity"):
        assert f'data-chart="{chart}"' in sensitivity, chart
    assert "Mean service time:" in sensitivity.split("Break-even points")[1]
    assert "times today" in section(text, "recommendation")
    register = section(text, "assumptions")
    assert "Work of orders" in register.split('<td data-label="Assumption:">')[1]
    assert "at 220 ms" in register
    assert "not examined" not in register.split("</tr>")[1]


def test_the_report_carries_what_files_in_use_say_differently(person: Client, finished: Run) -> None:
    assert 'name="files"' in person.get(f"/runs/{finished.pk}/").content.decode()
    files = [SimpleUploadedFile("server.xml", LIVE)]
    person.post(f"/runs/{finished.pk}/report/", {"title": "With drift", "files": files})
    system = section(person.get(f"/reports/{Report.objects.get().pk}/").content.decode(), "system")
    assert 'data-status="changed"' in system
    assert f"SHA-256 <code>{hashlib.sha256(LIVE).hexdigest()}</code>" in system


def test_a_report_without_files_in_use_says_so(person: Client, report: Report) -> None:
    text = section(person.get(f"/reports/{report.pk}/").content.decode(), "system")
    assert "These settings were not compared with the files in use." in text


def test_without_experiments_the_report_says_what_to_ask(person: Client, report: Report) -> None:
    text = person.get(f"/reports/{report.pk}/").content.decode()
    assert "how far the arrivals may grow: a headroom experiment" in section(text, "sensitivity")
    register = section(text, "assumptions")
    assert "what was not examined, a\n    sensitivity experiment would tell" in register
    assert '<td data-label="Effect on the answer:">not examined</td>' in register


def test_changed_settings_come_first_and_choices_are_written_as_words(person: Client, report: Report) -> None:
    changed, rest = section(person.get(f"/reports/{report.pk}/").content.decode(), "system").split(
        "Settings at their default"
    )
    assert ("Maximum sessions" in changed, "Maximum sessions<" in rest) == (True, False)
    assert ("Endpoint" in changed, "listener port" in rest, "listener_port" in rest) == (False, True, False)


def test_the_checks_of_every_point_are_counted(person: Client, report: Report) -> None:
    assert "2 of 2 points" in section(person.get(f"/reports/{report.pk}/").content.decode(), "validation")
    checks = report.payload["points"][0]["summary"]["checks"]
    checks[0]["passed"] = False
    Report.objects.update(payload=report.payload)
    validation = section(person.get(f"/reports/{report.pk}/").content.decode(), "validation")
    assert "failed at Maximum sessions 18" in validation
    assert "1 of 2 points" in validation


def test_the_report_decides_a_change_with_its_paired_effect_and_scripts(
    person: Client, owner: User, body: dict[str, Any]
) -> None:
    body["queues"][0]["settings"]["maximum_sessions"] = 18
    body["queues"][0]["arrivals"]["rate"] = 64
    body["run"]["replications"] = {"min": 8, "max": 8}
    body["objectives"] = [{"metric": "latency.p95", "at_most": "2s"}]
    scenario = services.scenario_store(owner=owner, spec=parse(body))
    run = computed(services.run_start(version=scenario.version, owner=owner).run)
    person.post(f"/runs/{run.pk}/report/", {"title": "Change", "decider": "Board", "decide_by": "2026-12-31"})
    report = Report.objects.get()
    text = person.get(f"/reports/{report.pk}/").content.decode()
    line = strip_tags(text.split('class="panel decision"')[1].split("</div>")[0])
    assert re.search(r"Set Maximum sessions to 36: p95 latency [\d.]+ ± [\d.]+ s, which meets .+ \(now, at 18: ", line)
    assert "Confidence: " in line
    summary = section(text, "summary")
    assert "Board, until 2026-12-31" in summary
    assert re.findall(r'data-chart="(\w+)"', summary) == ["curve"]
    assert 'data-chart="curve"' not in section(text, "sensitivity")
    assert "Maximum sessions 18 messages stays" in summary
    recommendation = section(text, "recommendation")
    for script in report.payload["scripts"]:
        for part in ("apply", "undo"):
            assert hashlib.sha256(script[part].encode(script["encoding"])).hexdigest() in recommendation
    assert report.payload["scripts"]
    assert "Differences to Maximum sessions 18 messages" in section(text, "results")
    assert person.post(f"/runs/{run.pk}/report/", {"decide_by": "2026-02-31"}).status_code == 302
    assert Report.objects.count() == 1


def test_the_calibration_of_the_scenario_is_told(person: Client, report: Report) -> None:
    assert "the scenario was not made from a log" in person.get(f"/reports/{report.pk}/").content.decode()
    check = {
        "queue": "orders",
        "kind": "replayed",
        "metric": "latency.p95",
        "messages": 900,
        "predicted": 0.5,
        "low": 0.45,
        "high": 0.55,
        "observed": 0.52,
        "validated": True,
        "sentence": "p95 was predicted within 4 %.",
    }
    service = {"kind": "lognormal", "mean": 0.2, "cv": 1.0, "distance": 0.01, "goodness": "good"}
    queue = {
        "name": "orders",
        "messages": 9000,
        "service": service,
        "percentiles": {"p50": 0.2, "p95": 0.4, "p99": 0.7},
    }
    report.payload["calibration"] = {
        "id": "cal_1",
        "name": "log",
        "location": "orders.csv",
        "at": "2026-11-01T00:00:00",
        "layout": "messages",
        "rows": "9,000 of 9,010 rows are used.",
        "put_aside": [{"meaning": "rows twice", "count": 10}],
        "span": {"start": 0.0, "end": 3600.0},
        "queues": [queue],
        "skipped": {},
        "assumed": ["CPU share is 0."],
        "checks": [check],
        "validated": True,
        "departed": ["arrivals of orders"],
    }
    Report.objects.update(payload=report.payload)
    text = person.get(f"/reports/{report.pk}/").content.decode()
    workload = section(text, "workload")
    for wanted in ("orders.csv", "9,000 of 9,010", "lognormal", "good (largest distance 1 %)", "arrivals of orders"):
        assert wanted in workload, wanted
    validation = section(text, "validation")
    assert "p95 was predicted within 4 %." in validation
    assert 'data-chart="checks"' in validation
    assert "Not compared with measurements" not in text
    assert "CPU share is 0." in section(text, "assumptions")


def test_a_report_of_the_first_form_is_still_shown(person: Client, report: Report) -> None:
    kept = ("title", "made_at", "prepared_by", "question", "platform", "settings", "workload", "points", "metrics")
    old = {name: report.payload[name] for name in (*kept, "method", "reproduction")}
    for row in old["settings"]:
        del row["changed_by"]
    for row in old["workload"]:
        del row["given_by"], row["service_percentiles"]
    Report.objects.update(payload={**old, "payload": 1})
    for name in ("", "file.html", "data.csv", "capsule.zip", "tables.zip"):
        assert person.get(f"/reports/{report.pk}/{name}").status_code == 200, name
    text = person.get(f"/reports/{report.pk}/").content.decode()
    assert "Keep Maximum sessions at 36" in text
    assert "by whom: not recorded" in text


def section(text: str, name: str) -> str:
    """One section of the report."""
    return text.split(f'<section id="{name}">')[1].split("</section>")[0]


def test_what_scripts_change_is_told_value_by_value(person: Client, report: Report) -> None:
    path, change = (
        "servers.payments.settings.work_managers",
        {"before": [], "after": [{"name": "mdb", "fair_share": 20}]},
    )
    script = {"format": "wlst", "filename": "apply.py", "apply": "", "undo": "", "left_out": [], "since": 1}
    scripts = [{**script, "changes": [{"path": path, **change}], "sha256": {"apply": "", "undo": ""}}]
    settings = [{**row, "changed": False} for row in report.payload["settings"]]
    Report.objects.update(payload={**report.payload, "scripts": scripts, "settings": settings})
    text = person.get(f"/reports/{report.pk}/").content.decode()
    told = " ".join(section(text, "recommendation").split())
    assert f'mdb · fair share: – → 20 <code class="small muted">{path}.mdb.fair_share</code>' in told
    assert "Every setting is at its default." in section(text, "system")


def test_the_report_decides_in_one_line_and_says_until_when(person: Client, report: Report) -> None:
    text = person.get(f"/reports/{report.pk}/").content.decode()
    line = text.split('class="panel decision"')[1].split("</div>")[0]
    assert "Keep Maximum sessions at 36: p95 latency" in line
    assert re.search(
        r"These settings carry at most [\d.]+/s at orders, by formula, and the objectives may be missed below that",
        line,
    )
    assert "Check again before the load grows." in line
    for number, heading in enumerate(SECTIONS, start=1):
        assert f"<h2>{number} {heading}</h2>" in text
    assert "assumed" in text.split('id="assumptions"')[1].split("</section>")[0]


SECTIONS = (
    "Summary",
    "Question and objectives",
    "System and settings",
    "Workload",
    "Assumptions",
    "Validation",
    "Results",
    "Recommendation",
    "Sensitivity",
    "Risks and limits",
    "Method",
    "Reproduction",
    "Sign-off",
)
