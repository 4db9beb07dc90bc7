"""The frozen content of a report, and reading what an older version of Sluice froze."""

from planner import services
from planner.models import Report
from planner.reports.payload import choice_read, payload_read
from planner.selectors import run_points


def test_the_payload_holds_the_choice_the_numbers_and_what_decides_them(report: Report) -> None:
    payload = report.payload
    run = report.run
    assert (payload["payload"], payload["title"], payload["prepared_by"]) == (2, "Decision", "ada")
    assert (payload["choice"]["chosen"], payload["choice"]["metric"]) == (0, "latency.p95")
    assert [point["summary"] for point in payload["points"]] == [row.summary for row in run.points.order_by("index")]
    assert {item["name"] for item in payload["metrics"]} == {"latency.p95"}
    made = payload["reproduction"]
    assert (made["result_hash"], made["seed"], made["spec"]) == (run.result_hash, run.seed, run.spec)
    assert (made["events"], made["timings"]) == (8000, {"total": 1.5})


def test_a_report_that_replaces_a_signed_one_names_the_versions_since(report: Report) -> None:
    assert report.payload["supersedes"] is None
    Report.objects.update(state="signed")
    again = services.report_create(run=report.run, owner=report.owner)
    assert again.payload["supersedes"] == {
        "report": report.pk,
        "payload_hash": report.payload_hash,
        "version": 1,
        "versions_since": [],
    }


def test_what_an_older_report_did_not_record_is_empty_and_its_choice_follows_from_its_numbers(report: Report) -> None:
    newer = ("supersedes", "decision", "servers", "calibration", "changes", "experiments", "scripts", "choice")
    older = {name: value for name, value in report.payload.items() if name not in newer}
    read = payload_read(older)
    assert (read["servers"], read["changes"]["points"], read["decision"]["decider"]) == ([], {}, "")
    assert {name: read[name] for name in older} == older
    spec, points = report.run.parsed, run_points(run=report.run)
    assert choice_read(older, spec, points) == choice_read(report.payload, spec, points)
