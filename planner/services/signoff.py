"""The sign-off of a report: draft, in review, reviewed, signed. Each step is kept and chained; a signed report ends."""

import secrets
from dataclasses import dataclass
from datetime import timedelta

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from planner.errors import Conflict, Forbidden
from planner.jobs.deliveries import report_announce
from planner.models import Report, ReportState, ReportStep, ShareLink, audit
from planner.models.seals import LONGEST_SHARE, REVIEW, SIGN, share_digest, step_digest
from planner.services.reports import report_seal

STEPS = {
    ReportState.DRAFT: frozenset({ReportState.IN_REVIEW}),
    ReportState.IN_REVIEW: frozenset({ReportState.DRAFT, ReportState.REVIEWED, ReportState.SIGNED}),
    ReportState.REVIEWED: frozenset({ReportState.DRAFT, ReportState.SIGNED}),
    ReportState.SIGNED: frozenset[ReportState](),
}
"""State -> the states that may follow it."""


@dataclass(frozen=True)
class SharedReport:
    """A new share link; ``secret`` is the only time that it can be read."""

    link: ShareLink
    secret: str


@transaction.atomic
def report_step(*, report: Report, actor: User, to: ReportState, comment: str = "") -> Report:
    """Take the report one step further; signing keeps its HTML file as it is then.

    Raises Conflict for its state, and where who reviewed it would sign it too; Forbidden for the actor.
    """
    source = ReportState(report.state)
    if to not in STEPS[source]:
        raise Conflict(f"a report that is {source.label.lower()} cannot become {to.label.lower()}")
    if not _may(report, actor, to):
        raise Forbidden("reviewing and signing need the permission “Can review and sign the reports of others”")
    if to == ReportState.SIGNED and _reviewer(report) == actor.pk:
        raise Conflict("who reviewed a report cannot approve it as well; somebody else signs")
    if Report.objects.filter(pk=report.pk, state=source).update(state=to) != 1:
        raise Conflict("somebody else took the next step meanwhile; look at the report again")
    now, said = timezone.now(), comment.strip()[:1000]
    previous = report.steps.last()
    digest = step_digest(report, previous.digest if previous else "", to, actor.pk, said, now)
    ReportStep.objects.create(report=report, state=to, actor=actor, comment=said, digest=digest, at=now)
    audit(actor=actor, action=f"report.{to}", target=report.pk)
    report.refresh_from_db(fields=("state",))
    if to == ReportState.SIGNED:
        report_seal(report=report)
        report_announce(report=report)
    return report


@transaction.atomic
def share_create(*, report: Report, actor: User, days: int) -> SharedReport:
    """Make an address at which anybody may read the report for ``days`` days, at most LONGEST_SHARE.

    Raises Forbidden for anybody but the owner: who may sign a report may read it, and not publish it.
    """
    if actor.pk != report.owner_id:
        raise Forbidden("only the owner of a report shares it")
    secret = secrets.token_urlsafe(24)
    expires = timezone.now() + timedelta(days=max(1, min(days, LONGEST_SHARE)))
    link = ShareLink.objects.create(report=report, digest=share_digest(secret), expires_at=expires, created_by=actor)
    audit(actor=actor, action="report.share", target=report.pk, link=link.pk)
    return SharedReport(link, secret)


@transaction.atomic
def share_revoke(*, link: ShareLink, actor: User | None) -> None:
    """End a link now; revoking again changes nothing."""
    if ShareLink.objects.filter(pk=link.pk, revoked_at=None).update(revoked_at=timezone.now()):
        audit(actor=actor, action="report.unshare", target=link.report_id, link=link.pk)


def _may(report: Report, actor: User, to: ReportState) -> bool:
    """The owner sends a report to review and takes it back; the rest is for those who may review or sign."""
    mine = actor.pk == report.owner_id
    if to == ReportState.REVIEWED:
        return not mine and (actor.has_perm(REVIEW) or actor.has_perm(SIGN))
    if to == ReportState.SIGNED:
        return actor.has_perm(SIGN)
    return mine or actor.has_perm(SIGN) or actor.has_perm(REVIEW)


def _reviewer(report: Report) -> int | None:
    """Who took the last step, if that was the review."""
    last = report.steps.last()
    return last.actor_id if last and last.state == ReportState.REVIEWED else None
