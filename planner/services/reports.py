"""Reports: a run's answer, frozen; its sign-off, each step kept and chained; and the links that share it."""

import gzip
import secrets
from collections.abc import Mapping
from dataclasses import asdict
from datetime import date, timedelta
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone
from django.utils.module_loading import import_string

from planner import selectors
from planner.configuration.exporting import SCENARIO, script_bytes
from planner.errors import Conflict, Forbidden, Unavailable
from planner.jobs.deliveries import report_announce
from planner.models import Report, ReportFile, ReportState, ReportStep, Role, Run, RunKind, RunStatus, ShareLink, audit
from planner.models.report import LONGEST_SHARE, ReportComment, file_digest, payload_digest, secret_digest, step_digest
from planner.models.team import team_of
from planner.reports.paper import chromium_path, report_print
from planner.reports.payload import report_payload
from planner.services.configuration import export_written
from planner.services.rows import Issued

MAX_LENGTH = 200
"""Of a title, and of the name of who decides."""
STEPS = {
    ReportState.DRAFT: frozenset({ReportState.IN_REVIEW}),
    ReportState.IN_REVIEW: frozenset({ReportState.DRAFT, ReportState.REVIEWED, ReportState.SIGNED}),
    ReportState.REVIEWED: frozenset({ReportState.DRAFT, ReportState.SIGNED}),
    ReportState.SIGNED: frozenset[ReportState](),
}
"""State -> the states that may follow it."""
WHO_SIGNS = "an approver of the team reviews and signs, and nobody their own report: review takes two people"
WHO_SIGNS_ALONE = "reviewing and signing need the permission “Can review and sign the reports of others”"


@transaction.atomic
def report_create(
    *,
    run: Run,
    owner: User,
    title: str = "",
    decider: str = "",
    decide_by: date | None = None,
    drift: Mapping[str, Any] | None = None,
) -> Report:
    """Freeze a run's question, settings, numbers, findings and method, and the experiments about the same version.

    ``decider``: who decides, ``decide_by``: until when, ``drift``: what files in use say differently. Raises
    Conflict for an experiment and for a run that has not succeeded.
    """
    if run.kind != RunKind.RUN:
        raise Conflict(
            "an experiment has no report of its own; report a run of the same scenario version: its report holds the "
            "newest experiment of each kind"
        )
    if run.status != RunStatus.SUCCEEDED:
        raise Conflict(f"only runs that succeeded can be reported; this one is {run.status_word}")
    heading = title.strip()[:MAX_LENGTH] or f"Capacity report: {run.spec['name']}"[:MAX_LENGTH]
    signed = Report.objects.filter(state=ReportState.SIGNED)
    replaced = signed.filter(run__version__scenario_id=run.version.scenario_id).first()
    payload = report_payload(
        run=run, title=heading, supersedes=replaced, decider=decider.strip()[:MAX_LENGTH], decide_by=decide_by
    )
    payload |= {"scripts": _scripts(run, payload["choice"]), "drift": drift}
    report = Report.objects.create(
        owner=owner, run=run, title=heading, payload=payload, payload_hash=payload_digest(payload), supersedes=replaced
    )
    audit(actor=owner, action="report.create", row=report, run=run.pk)
    return report


def report_html(*, report: Report) -> bytes:
    """Return the HTML file: of a signed report the very bytes that were signed, else drawn now. Raises Unavailable when
    what is stored is not what was signed."""
    kept = report.files.filter(kind="html").first()
    if kept is None:
        return bytes(import_string(settings.REPORT_FILE)(report))
    return _checked(kept, report.html_hash)


def report_pdf(*, report: Report) -> bytes:
    """Return the PDF, printed from the HTML file; the first print of a signed report is kept and given ever after.
    Raises Unavailable as ``report_html`` does, and where the machine cannot print."""
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
    The hash of each script is that of its bytes."""
    for since in dict.fromkeys((run.version.number, 1)):
        written = export_written(version=run.version, run=run, point=choice["chosen"], since=since)
        if written.changes:
            break
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


@transaction.atomic
def report_step(*, report: Report, actor: User, to: ReportState, comment: str = "") -> Report:
    """Take the report one step further; signing keeps its HTML file as it is then. Raises Conflict for its state, and
    where who reviewed it would sign it too; Forbidden for the actor."""
    source = ReportState(report.state)
    if to not in STEPS[source]:
        raise Conflict(f"a report that is {source.label.lower()} cannot become {to.label.lower()}")
    if not selectors.report_may(report, to, user=actor):
        raise Forbidden(WHO_SIGNS if team_of(report) else WHO_SIGNS_ALONE)
    if to == ReportState.SIGNED and selectors.reviewed_by(report) == actor.pk:
        raise Conflict("who reviewed a report cannot approve it as well; somebody else signs")
    if Report.objects.filter(pk=report.pk, state=source).update(state=to) != 1:
        raise Conflict("somebody else took the next step meanwhile; look at the report again")
    now, text = timezone.now(), comment.strip()[:1000]
    previous = report.steps.last()
    digest = step_digest(report, previous.digest if previous else "", to, actor.pk, text, now)
    ReportStep.objects.create(report=report, state=to, actor=actor, comment=text, digest=digest, at=now)
    audit(actor=actor, action=f"report.{to}", row=report)
    report.refresh_from_db(fields=("state",))
    if to == ReportState.SIGNED:
        report.html_hash = _keep(report, "html", report_html(report=report))
        report.save(update_fields=["html_hash"])
        report_announce(report=report)
    return report


@transaction.atomic
def comment_create(*, report: Report, author: User, section: str, text: str) -> ReportComment:
    """Note something at a section of a report that ``author`` may read."""
    made = ReportComment.objects.create(report=report, author=author, section=section, text=text)
    audit(actor=author, action="report.comment", row=report, comment=made.pk, section=section)
    return made


@transaction.atomic
def comment_delete(*, comment: ReportComment, actor: User) -> None:
    """Delete a comment; raises Forbidden unless ``actor`` wrote it or is an admin of its team."""
    if comment.author_id != actor.pk:
        selectors.role_check(comment, Role.ADMIN, user=actor)
    audit(actor=actor, action="report.uncomment", row=comment.report, comment=comment.pk, section=comment.section)
    comment.delete()


@transaction.atomic
def share_create(*, report: Report, actor: User, days: int) -> Issued[ShareLink]:
    """Make an address at which anybody may read the report for ``days`` days, at most LONGEST_SHARE. Raises Forbidden
    for who neither owns it nor plans in its team: who may sign a report may read it, not publish it."""
    selectors.role_check(report, Role.PLANNER, user=actor)
    secret = secrets.token_urlsafe(24)
    expires = timezone.now() + timedelta(days=max(1, min(days, LONGEST_SHARE)))
    link = ShareLink.objects.create(report=report, digest=secret_digest(secret), expires_at=expires, created_by=actor)
    audit(actor=actor, action="report.share", row=report, link=link.pk)
    return Issued(link, secret)


def share_read(*, secret: str, address: str) -> Report:
    """Return the report that a link opens and note that somebody at ``address`` read it; raises NotFound."""
    report = selectors.report_shared(secret=secret)
    audit(actor=None, action="report.read", row=report, link=True, address=address)
    return report


@transaction.atomic
def share_revoke(*, link: ShareLink, actor: User | None) -> None:
    """End a link now; revoking again changes nothing."""
    if ShareLink.objects.filter(pk=link.pk, revoked_at=None).update(revoked_at=timezone.now()):
        audit(actor=actor, action="report.unshare", row=link.report, link=link.pk)
