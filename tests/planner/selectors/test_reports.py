"""Who may read a report."""

from datetime import timedelta

import pytest
from django.contrib.auth.models import AnonymousUser, Permission, User
from django.utils import timezone

from planner import selectors, services
from planner.errors import NotFound
from planner.models import Report, ReportState, Run, ShareLink
from simulations.scenario.spec import parse


@pytest.fixture
def report(run: Run) -> Report:
    """A draft."""
    return Report.objects.create(owner=run.owner, run=run, title="Decision", payload={}, payload_hash="h")


@pytest.fixture
def reviewer(stranger: User) -> User:
    """Somebody who may review."""
    stranger.user_permissions.add(Permission.objects.get(codename="review_report"))
    return User.objects.get(pk=stranger.pk)


@pytest.mark.parametrize("state", list(ReportState))
def test_others_read_what_was_sent_to_review(report: Report, reviewer: User, state: ReportState) -> None:
    Report.objects.update(state=state)
    waiting = state in (ReportState.IN_REVIEW, ReportState.REVIEWED)
    assert selectors.reports_in_review(user=reviewer).exists() == waiting
    report.owner.user_permissions.add(Permission.objects.get(codename="sign_report"))
    author = User.objects.get(pk=report.owner_id)
    assert not selectors.reports_in_review(user=author).exists(), "one's own report waits for others"
    if state == ReportState.DRAFT:
        with pytest.raises(NotFound):
            selectors.report_get(user=reviewer, report_id=report.pk)
    else:
        assert selectors.report_get(user=reviewer, report_id=report.pk) == report


def test_without_the_permission_only_the_owner_reads(report: Report, stranger: User) -> None:
    Report.objects.update(state=ReportState.SIGNED)
    assert selectors.report_get(user=report.owner, report_id=report.pk) == report
    for user in (stranger, AnonymousUser()):
        with pytest.raises(NotFound):
            selectors.report_get(user=user, report_id=report.pk)
        assert not selectors.reports_in_review(user=user).exists()


def test_versions_since_are_the_newer_ones(report: Report) -> None:
    scenario = report.run.version.scenario
    body = {**scenario.version.spec, "name": "Second"}
    second = services.scenario_replace(scenario=scenario, author=scenario.owner, spec=parse(body)).version
    assert list(selectors.versions_since(report=report)) == [second]


def test_links_open_until_they_end(report: Report, stranger: User) -> None:
    made = services.share_create(report=report, actor=report.owner, days=1)
    assert list(selectors.share_links(report=report)) == [made.row]
    assert selectors.report_shared(secret=made.secret) == report
    assert selectors.link_get(user=report.owner, link_id=made.row.pk) == made.row
    with pytest.raises(NotFound):
        selectors.link_get(user=stranger, link_id=made.row.pk)
    ShareLink.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    assert not selectors.share_links(report=report).exists()
    with pytest.raises(NotFound):
        selectors.report_shared(secret=made.secret)
