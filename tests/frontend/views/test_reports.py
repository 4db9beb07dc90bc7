"""Reports: frozen, shown, and downloaded as one file."""

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
from typing import Any

import pyarrow.parquet as pq
import pytest
from django.contrib.auth.models import Permission, User
from django.core.management import call_command
from django.test import Client

from planner import services
from planner.models import Report, ReportFile, Run, Scenario
from planner.reporting_schema import ReportJson
from tests.frontend.conftest import PATH
from tests.frontend.views.test_explore import SERVICE, asked, computed
from tests.paper import headings_of, no_browser, pages_of

LARGEST = 2_500_000


@pytest.fixture
def report(person: Client, finished: Run) -> Report:
    """A report, made from the page."""
    person.post(f"/runs/{finished.pk}/report/", {"title": "Decision"})
    return Report.objects.get()


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


def test_the_file_is_small_and_needs_no_network(person: Client, report: Report) -> None:
    content = person.get(f"/reports/{report.pk}/file.html").content
    text = content.decode()
    assert len(content) <= LARGEST
    assert not re.search(r'(?:src|href)="(?!#)[^"]', text.split("<body>")[1])
    assert "default-src 'none'" in text
    packed = text.split('id="report-payload">')[1].split("</script>")[0]
    assert json.loads(packed) == report.payload


def signed(person: Client, stranger: Client, report: Report) -> Report:
    """The report after its way through review and signature."""
    User.objects.get(username="eve").user_permissions.add(Permission.objects.get(codename="sign_report"))
    person.post(f"/reports/{report.pk}/step/", {"to": "in_review"})
    stranger.post(f"/reports/{report.pk}/step/", {"to": "signed", "comment": "agreed"})
    report.refresh_from_db()
    assert report.state == "signed"
    return report


def test_a_signed_file_is_given_as_it_was_signed_whatever_the_program_does(
    person: Client, stranger: Client, report: Report, monkeypatch: pytest.MonkeyPatch
) -> None:
    signed(person, stranger, report)
    first = person.get(f"/reports/{report.pk}/file.html").content
    assert report.html_hash == hashlib.sha256(first).hexdigest()
    monkeypatch.setattr("frontend.reports.run_sentences", lambda *_: ("Another program would say this.",))
    assert person.get(f"/reports/{report.pk}/file.html").content == first
    page = person.get(f"/reports/{report.pk}/").content.decode()
    assert "Another program" not in page
    assert "Shown as it was signed" in page
    assert "13 Sign-off" in page
    assert "agreed" in page
    with zipfile.ZipFile(io.BytesIO(person.get(f"/reports/{report.pk}/capsule.zip").content)) as capsule:
        assert capsule.read("report.html") == first


def test_a_stored_file_that_was_changed_is_not_given(person: Client, stranger: Client, report: Report) -> None:
    signed(person, stranger, report)
    ReportFile.objects.update(content=gzip.compress(b"<main>better numbers</main>"))
    answer = person.get(f"/reports/{report.pk}/file.html")
    assert answer.status_code == 503
    assert "not the one that was signed" in answer.content.decode()


def test_who_reviewed_does_not_approve_as_well(person: Client, stranger: Client, report: Report) -> None:
    eve = User.objects.get(username="eve")
    eve.user_permissions.add(Permission.objects.get(codename="sign_report"))
    address = f"/reports/{report.pk}/"
    person.post(f"{address}step/", {"to": "in_review"})
    assert 'value="reviewed"' not in person.get(address).content.decode()
    assert 'value="reviewed"' in stranger.get(address).content.decode()
    stranger.post(f"{address}step/", {"to": "reviewed", "comment": "numbers checked"})
    answer = stranger.post(f"{address}step/", {"to": "signed"}, follow=True, headers={"referer": address})
    assert "cannot approve it as well" in answer.content.decode()
    board = User.objects.create_user("bob")
    board.user_permissions.add(Permission.objects.get(codename="sign_report"))
    approver = Client()
    approver.force_login(board)
    approver.post(f"{address}step/", {"to": "signed"})
    facts = person.get(address).content.decode().split('id="signoff"')[1].split("</dl>")[0]
    assert re.search(r"<dt>Reviewed</dt><dd>eve, ", facts)
    assert re.search(r"<dt>Approved</dt><dd>bob, ", facts)


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
    assert "Work of orders" in register.split("<td>")[1]
    assert "at 220 ms" in register
    assert "not examined" not in register.split("</tr>")[1]


def test_without_experiments_the_report_says_what_to_ask(person: Client, report: Report) -> None:
    text = person.get(f"/reports/{report.pk}/").content.decode()
    assert "how far the arrivals may grow: a headroom experiment" in section(text, "sensitivity")
    assert "not examined: a sensitivity experiment would say" in section(text, "assumptions")


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
    scenario = services.scenario_create(owner=owner, body=body)
    run = computed(services.run_start(version=scenario.version, owner=owner).run)
    person.post(f"/runs/{run.pk}/report/", {"title": "Change", "decider": "Board", "decide_by": "2026-12-31"})
    report = Report.objects.get()
    text = person.get(f"/reports/{report.pk}/").content.decode()
    line = text.split('class="panel decision"')[1].split("</div>")[0]
    assert re.search(r"Change Maximum sessions from 18 messages to 36 messages: p95 becomes [\d.]+ ± [\d.]+ ms, ", line)
    assert "Confidence: " in line
    summary = section(text, "summary")
    assert "Board, until 2026-12-31" in summary
    assert 'data-chart="differences"' in summary
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
        "queue": "orders", "kind": "replayed", "metric": "latency.p95", "messages": 900, "predicted": 0.5, "low": 0.45,
        "high": 0.55, "observed": 0.52, "validated": True, "sentence": "p95 was predicted within 4 %.",
    }  # fmt: skip
    service = {"kind": "lognormal", "mean": 0.2, "cv": 1.0, "distance": 0.01, "goodness": "good"}
    queue = {
        "name": "orders",
        "messages": 9000,
        "service": service,
        "percentiles": {"p50": 0.2, "p95": 0.4, "p99": 0.7},
    }
    report.payload["calibration"] = {
        "id": "cal_1", "name": "log", "location": "orders.csv", "at": "2026-11-01T00:00:00", "layout": "messages",
        "rows": "9,000 of 9,010 rows are used.", "put_aside": [{"meaning": "rows twice", "count": 10}],
        "span": {"start": 0.0, "end": 3600.0}, "queues": [queue], "skipped": {}, "assumed": ["CPU share is 0."],
        "checks": [check], "validated": True, "departed": ["arrivals of orders"],
    }  # fmt: skip
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
    monkeypatch.setattr("frontend.reports.LARGEST", len(whole) - 1)
    packed = person.get(f"/reports/{report.pk}/file.html").content.decode()
    held = packed.split('data-encoding="base64 of gzip of JSON">')[1].split("</script>")[0]
    assert json.loads(gzip.decompress(base64.b64decode(held))) == report.payload
    monkeypatch.setattr("frontend.reports.LARGEST", len(packed.encode()) - 1)
    short = person.get(f"/reports/{report.pk}/file.html").content.decode()
    assert "Left out, so that this file stays below 2.5 MB: courses over time in the embedded data" in short
    assert 'data-chart="latency"' in short
    monkeypatch.setattr("frontend.reports.LARGEST", len(short.encode()) - 1)
    bare = person.get(f"/reports/{report.pk}/file.html").content.decode()
    assert "charts of the queues" in bare
    assert 'data-chart="latency"' not in bare
    monkeypatch.setattr("frontend.reports.LARGEST", 1000)
    refused = person.get(f"/reports/{report.pk}/file.html", follow=True, headers={"referer": "/reports/"})
    assert "too large for one HTML file" in refused.content.decode()


@pytest.mark.parametrize("days", ["²", "٣", "1" * 30, "-1", ""])
def test_a_strange_number_of_days_is_a_week(person: Client, report: Report, days: str) -> None:
    assert person.post(f"/reports/{report.pk}/share/", {"days": days}).status_code == 200
    link = report.share_links.get()
    assert (link.expires_at - link.created_at).days in (6, 7)


def section(text: str, name: str) -> str:
    """One section of the report."""
    return text.split(f'<section id="{name}">')[1].split("</section>")[0]


def test_json_holds_the_payload_and_its_hash(person: Client, report: Report) -> None:
    answer = person.get(f"/reports/{report.pk}/data.json")
    read = answer.json()
    assert read.pop("payload_hash") == report.payload_hash
    assert read.pop("id") == report.pk
    assert read == report.payload
    assert "attachment" in answer.headers["Content-Disposition"]


def test_the_report_decides_in_one_line_and_says_until_when(person: Client, report: Report) -> None:
    text = person.get(f"/reports/{report.pk}/").content.decode()
    line = text.split('class="panel decision"')[1].split("</div>")[0]
    assert "Keep Maximum sessions at 36 messages: p95 is" in line
    assert "Holds while less arrives than these settings carry" in line
    for number, heading in enumerate(SECTIONS, start=1):
        assert f"<h2>{number} {heading}</h2>" in text
    assert "assumed" in text.split('id="assumptions"')[1].split("</section>")[0]


SECTIONS = (
    "Summary", "Question and objectives", "System and settings", "Workload", "Assumptions", "Validation", "Results",
    "Recommendation", "Sensitivity", "Risks and limits", "Method", "Reproduction", "Sign-off",
)  # fmt: skip


def test_the_table_has_a_row_for_every_number(person: Client, report: Report) -> None:
    rows = list(csv.DictReader(person.get(f"/reports/{report.pk}/data.csv").content.decode().splitlines()))
    stored = report.payload["points"][1]["summary"]["metrics"]["latency.p95"]
    found = [row for row in rows if row["metric"] == "latency.p95" and not row["queue"]]
    assert [float(row["value"]) for row in found] == [stored["value"]]
    assert (float(found[0]["low"]), float(found[0]["high"])) == (stored["low"], stored["high"])
    assert found[0][PATH] == "36"


def test_a_report_is_signed_by_somebody_who_may(person: Client, report: Report, stranger: Client) -> None:
    address = f"/reports/{report.pk}/"
    assert stranger.get(address).status_code == 404
    person.post(f"{address}step/", {"to": "in_review", "comment": "please"})
    assert 'value="signed"' not in person.get(address).content.decode()
    User.objects.get(username="eve").user_permissions.add(Permission.objects.get(codename="sign_report"))
    assert report.title in stranger.get("/reports/").content.decode()
    stranger.post(f"{address}step/", {"to": "signed", "comment": "agreed"})
    text = person.get(address).content.decode()
    assert "agreed" in text
    assert "Next step" not in text
    assert "agreed" in person.get(f"{address}file.html").content.decode()
    assert person.post(f"{address}step/", {"to": "nonsense"}).status_code == 404


def test_whoever_signs_is_told_that_only_the_owner_shares(person: Client, report: Report, stranger: Client) -> None:
    address = f"/reports/{report.pk}/"
    User.objects.get(username="eve").user_permissions.add(Permission.objects.get(codename="sign_report"))
    person.post(f"{address}step/", {"to": "in_review"})
    told = stranger.post(f"{address}share/", {"days": "3"}, follow=True)
    assert "Only the owner of a report shares it." in told.content.decode()
    assert not report.share_links.exists()


def test_a_new_report_supersedes_the_signed_one(person: Client, report: Report, finished: Run) -> None:
    Report.objects.update(state="signed")
    person.post(f"/runs/{finished.pk}/report/", {"title": "Again"})
    again = Report.objects.get(title="Again")
    assert again.supersedes == report
    text = person.get(f"/reports/{again.pk}/").content.decode()
    assert f"supersedes {report.pk}" in text
    assert again.payload["supersedes"]["payload_hash"] == report.payload_hash
    assert f"Superseded: {again.pk}" in person.get(f"/reports/{report.pk}/").content.decode()


def test_a_link_is_read_without_signing_in_until_it_is_revoked(person: Client, report: Report) -> None:
    made = person.post(f"/reports/{report.pk}/share/", {"days": "7"}).content.decode()
    address = made.split('id="shared">http://testserver')[1].split("<")[0]
    reader = Client()
    assert "13 Sign-off" in reader.get(address).content.decode()
    assert reader.get(f"{address}file.html").status_code == 200
    assert address not in person.get(f"/reports/{report.pk}/").content.decode()
    link = report.share_links.get()
    person.post(f"/shares/{link.pk}/revoke/")
    assert reader.get(address).status_code == 404


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
