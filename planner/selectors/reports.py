"""Frozen reports, and who may read them: the owner or the team, whoever reviews or signs, and who has a share link."""

from django.contrib.auth.models import User
from django.db.models import Q, QuerySet
from django.utils import timezone

from planner.models import Membership, Report, ReportComment, ReportState, Role, ScenarioVersion, ShareLink
from planner.models.report import REVIEW, SIGN, secret_digest
from planner.models.team import team_of
from planner.selectors.owned import Person, Row, first_of, may, owned, owned_by, visible
from planner.selectors.scenarios import IN_REVIEW

link_get = owned_by(ShareLink.objects.select_related("report__run__version__scenario"), "link_id")
NO_TEAM = Q(**{f"{Report.held_by}__team": None})


def reports_list(*, user: Person) -> QuerySet[Report]:
    """The reports of the user and of their teams, newest first, without their payloads."""
    return visible(Report.objects.select_related("run", "owner").defer("payload"), user=user)


def reports_in_review(*, user: Person) -> QuerySet[Report]:
    """Reports of others that wait for somebody who may review or sign, and the user may."""
    approves = Membership.objects.filter(user=user.pk, role__in=(Role.APPROVER, Role.ADMIN)).values("team")
    mine = Q(**{f"{Report.held_by}__team__in": approves})
    waiting = Report.objects.filter(mine | NO_TEAM if _signs(user) else mine, state__in=IN_REVIEW)
    return waiting.exclude(owner_id=user.pk).select_related("run", "owner").defer("payload")


def report_get(*, user: Person, report_id: str) -> Report:
    """One report: the user's, their team's, or one sent to review without a team, if they sign; raises NotFound."""
    return _readable(Report.objects.select_related("run__version__scenario", "supersedes"), user=user, key=report_id)


def comment_get(*, user: Person, comment_id: str) -> ReportComment:
    """One comment at a report that ``report_get`` shows the user; raises NotFound."""
    rows = ReportComment.objects.select_related("report__run__version__scenario", "author")
    return _readable(rows, "report__", user=user, key=comment_id)


def _readable(rows: QuerySet[Row], report: str = "", *, user: Person, key: str) -> Row:
    """The report, or the row whose report is at the path ``report``; raises NotFound."""
    sent = {f"{report}state__in": (*IN_REVIEW, ReportState.SIGNED), f"{report}{Report.held_by}__team": None}
    return (rows.filter(pk=key, **sent).first() if _signs(user) else None) or owned(rows, user=user, key=key)


def versions_since(*, report: Report) -> QuerySet[ScenarioVersion]:
    """The scenario's versions that are newer than the one that the report is about."""
    return report.run.version.scenario.versions.filter(number__gt=report.run.version.number).order_by("number")


def share_links(*, report: Report) -> QuerySet[ShareLink]:
    """The report's links that still open it."""
    return report.share_links.filter(revoked_at=None, expires_at__gt=timezone.now())


def report_shared(*, secret: str) -> Report:
    """The report that a share link's secret opens; raises NotFound when it has expired or was revoked."""
    links = ShareLink.objects.select_related("report__run__version__scenario", "report__supersedes")
    links = links.filter(digest=secret_digest(secret), revoked_at=None, expires_at__gt=timezone.now())
    return first_of(links, "shared report", "at this address").report


def report_may(report: Report, to: ReportState, *, user: User) -> bool:
    """Whether ``user`` may take a report to that state.

    In a team planners send it to review and take it back, and approvers review and sign, but not what they wrote.
    Without a team those who have the permission review and sign, and may sign what they wrote.
    """
    signed, team = to in (ReportState.REVIEWED, ReportState.SIGNED), team_of(report)
    if not signed:
        return may(report, Role.PLANNER, user=user) or (team is None and _signs(user))
    if team is not None:
        return report.owner_id != user.pk and may(report, Role.APPROVER, user=user)
    return user.has_perm(SIGN) if to == ReportState.SIGNED else report.owner_id != user.pk and _signs(user)


def reviewed_by(report: Report) -> int | None:
    """Return who reviewed a report that waits for a signature, which has to be somebody else's."""
    return report.steps.latest("pk").actor_id if report.state == ReportState.REVIEWED else None


def _signs(user: Person) -> bool:
    return isinstance(user, User) and (user.has_perm(SIGN) or user.has_perm(REVIEW))
