"""Reports: the answer of a run, frozen."""

from django.contrib.auth.models import User
from django.db import transaction

from planner.errors import Conflict
from planner.models import Report, ReportState, Run, RunStatus
from planner.reporting import report_payload
from planner.services.audit import audit
from planner.signing import payload_digest

MAX_TITLE = 200


@transaction.atomic
def report_create(*, run: Run, owner: User, title: str = "") -> Report:
    """Freeze a run's question, settings, numbers, findings and method. Raises Conflict unless it succeeded."""
    if run.status != RunStatus.SUCCEEDED:
        raise Conflict(f"only runs that succeeded can be reported; this one is {run.status}")
    heading = title.strip()[:MAX_TITLE] or f"Capacity report: {run.spec['name']}"[:MAX_TITLE]
    payload = report_payload(run=run, title=heading)
    signed = Report.objects.filter(
        owner=owner, state=ReportState.SIGNED, run__version__scenario_id=run.version.scenario_id
    )
    report = Report.objects.create(
        owner=owner,
        run=run,
        title=heading,
        payload=payload,
        payload_hash=payload_digest(payload),
        supersedes=signed.first(),
    )
    audit(actor=owner, action="report.create", target=report.pk, run=run.pk)
    return report


def report_html_save(*, report: Report, html_hash: str) -> None:
    """Note the hash of the HTML file that was made of the report first; later calls change nothing."""
    Report.objects.filter(pk=report.pk, html_hash="").update(html_hash=html_hash)
