"""Frozen reports, and who may read them: the owner, whoever reviews or signs, and whoever has a share link."""

from django.contrib.auth.models import User
from django.db.models import Q, QuerySet
from django.utils import timezone

from planner.models import Report, ReportState, ScenarioVersion, ShareLink
from planner.models.report import REVIEW, SIGN, share_digest
from planner.selectors.owned import Person, first_of
from planner.selectors.scenarios import IN_REVIEW


def reports_list(*, user: Person) -> QuerySet[Report]:
    """The user's reports, newest first, without their payloads."""
    return Report.objects.filter(owner_id=user.pk).select_related("run").defer("payload")


def reports_in_review(*, user: Person) -> QuerySet[Report]:
    """Reports of others that wait for somebody who may review or sign; none for people who may not."""
    if not _signs(user):
        return Report.objects.none()
    waiting = Report.objects.filter(state__in=IN_REVIEW).exclude(owner_id=user.pk)
    return waiting.select_related("run", "owner").defer("payload")


def report_get(*, user: Person, report_id: str) -> Report:
    """One report: the user's own, or one that was sent to review when the user may review or sign; raises NotFound."""
    mine = Q(owner_id=user.pk)
    visible = mine | Q(state__in=(*IN_REVIEW, ReportState.SIGNED)) if _signs(user) else mine
    rows = Report.objects.select_related("run__version__scenario", "supersedes").filter(visible, pk=report_id)
    return first_of(rows if user.pk is not None else rows.none(), "report", report_id)


def versions_since(*, report: Report) -> QuerySet[ScenarioVersion]:
    """The scenario's versions that are newer than the one that the report is about."""
    version = report.run.version
    return version.scenario.versions.filter(number__gt=version.number).order_by("number")


def share_links(*, report: Report) -> QuerySet[ShareLink]:
    """The report's links that still open it."""
    return report.share_links.filter(revoked_at=None, expires_at__gt=timezone.now())


def share_get(*, user: Person, link_id: str) -> ShareLink:
    """One link of a report of the user; raises NotFound."""
    links = ShareLink.objects.select_related("report").filter(pk=link_id, report__owner_id=user.pk)
    return first_of(links, "share link", link_id)


def report_shared(*, secret: str) -> Report:
    """The report that a share link's secret opens; raises NotFound when it has expired or was revoked."""
    links = ShareLink.objects.select_related("report__run__version__scenario", "report__supersedes")
    links = links.filter(digest=share_digest(secret), revoked_at=None, expires_at__gt=timezone.now())
    return first_of(links, "shared report", "at this address").report


def _signs(user: Person) -> bool:
    return isinstance(user, User) and (user.has_perm(SIGN) or user.has_perm(REVIEW))
