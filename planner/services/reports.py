"""Reports: the answer of a run, frozen, and the file that is kept of a signed one."""

import gzip
from collections.abc import Mapping
from dataclasses import asdict
from datetime import date
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.utils.module_loading import import_string

from planner.configuration.exporting import SCENARIO, Written, script_bytes
from planner.errors import Conflict, Unavailable
from planner.models import Report, ReportFile, ReportState, Run, RunKind, RunStatus, audit
from planner.models.seals import file_digest, payload_digest
from planner.reports.paper import chromium_path, report_print
from planner.reports.payload import report_payload
from planner.services.exports import export_written

MAX_TITLE = 200
MAX_NAME = 200


@transaction.atomic
def report_create(
    *, run: Run, owner: User, title: str = "", decider: str = "", decide_by: date | None = None
) -> Report:
    """Freeze a run's question, settings, numbers, findings and method, and the experiments about the same version.

    ``decider``: who decides, ``decide_by``: until when. Raises Conflict for an experiment and for a run that has not
    succeeded.
    """
    if run.kind != RunKind.RUN:
        raise Conflict(
            "an experiment has no report of its own; report a run of the same scenario version: its report holds the "
            "newest experiment of each kind"
        )
    if run.status != RunStatus.SUCCEEDED:
        raise Conflict(f"only runs that succeeded can be reported; this one is {run.status}")
    heading = title.strip()[:MAX_TITLE] or f"Capacity report: {run.spec['name']}"[:MAX_TITLE]
    replaced = Report.objects.filter(
        owner=owner, state=ReportState.SIGNED, run__version__scenario_id=run.version.scenario_id
    ).first()
    payload = report_payload(
        run=run, title=heading, supersedes=replaced, decider=decider.strip()[:MAX_NAME], decide_by=decide_by
    )
    payload["scripts"] = _scripts(run, payload["choice"])
    report = Report.objects.create(
        owner=owner, run=run, title=heading, payload=payload, payload_hash=payload_digest(payload), supersedes=replaced
    )
    audit(actor=owner, action="report.create", target=report.pk, run=run.pk)
    return report


def report_seal(*, report: Report) -> None:
    """Keep the HTML file of a report that has just been signed; its hash goes into the report."""
    content: bytes = import_string(settings.REPORT_FILE)(report)
    digest = _keep(report, "html", content)
    Report.objects.filter(pk=report.pk).update(html_hash=digest)
    report.html_hash = digest


def report_html(*, report: Report) -> bytes:
    """Return the HTML file: of a signed report the very bytes that were signed, else drawn now.

    Raises Unavailable when what is stored is not what was signed.
    """
    kept = report.files.filter(kind="html").first()
    if kept is None:
        content: bytes = import_string(settings.REPORT_FILE)(report)
        return content
    return _checked(kept, report.html_hash)


def report_pdf(*, report: Report) -> bytes:
    """Return the PDF, printed from the HTML file; the first print of a signed report is kept and given ever after.

    Raises Unavailable as ``report_html`` does, and where the machine cannot print.
    """
    kept = report.files.filter(kind="pdf").first()
    if kept is not None:
        return _checked(kept, kept.sha256)
    chromium_path()
    content = report_print(report_html(report=report))
    if report.state == ReportState.SIGNED:
        _keep(report, "pdf", content)
    return content


def _keep(report: Report, kind: str, content: bytes) -> str:
    digest = file_digest(content)
    packed = gzip.compress(content, mtime=0)
    ReportFile.objects.get_or_create(report=report, kind=kind, defaults={"content": packed, "sha256": digest})
    return digest


def _checked(kept: ReportFile, digest: str) -> bytes:
    content = gzip.decompress(kept.content)
    if file_digest(content) != digest:
        raise Unavailable("the file that is stored is not the one that was signed; restore it from a backup")
    return content


def _scripts(run: Run, choice: Mapping[str, Any]) -> list[dict[str, Any]]:
    """What leads from the version's own settings to the chosen ones; where these are the same, from the first version.

    The hash of each script is that of its bytes.
    """
    since = run.version.number
    written = export_written(version=run.version, run=run, point=choice["chosen"], since=since)
    if not written.changes and since > 1:
        since = 1
        written = export_written(version=run.version, run=run, point=choice["chosen"], since=since)
    return _written(written, since)


def _written(written: Written, since: int) -> list[dict[str, Any]]:
    changes = [asdict(change) for change in written.changes]
    return [
        {
            **asdict(script),
            "since": since,
            "changes": changes,
            "sha256": {part: file_digest(script_bytes(asdict(script), part)) for part in ("apply", "undo")},
        }
        for name, scripts in written.scripts.items()
        if name != SCENARIO
        for script in scripts
    ]
