"""A report in a list."""

from planner.api.schemas.reports import ReportLine
from planner.models import Report, Run


def test_a_line_names_the_run_and_holds_no_payload(run: Run) -> None:
    report = Report.objects.create(owner=run.owner, run=run, title="Decision", payload={"a": 1}, payload_hash="h")
    assert ReportLine.of(report).model_dump() == {
        "id": report.pk,
        "run": run.pk,
        "title": "Decision",
        "state": "draft",
        "payload_hash": "h",
        "created_at": report.created_at,
    }
