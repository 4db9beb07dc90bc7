"""The sign-off of a report, and links to read it."""

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import Permission, User
from django.utils import timezone

from planner import selectors, services
from planner.errors import Conflict, Forbidden, NotFound
from planner.models import Report, ReportState, ReportStep, Run, ShareLink
from planner.models.report import chain_holds, file_digest, payload_digest


@pytest.fixture(autouse=True)
def _plain_file(settings: Any) -> None:
    settings.REPORT_FILE = "tests.paper.plain_file"


@pytest.fixture
def report(run: Run) -> Report:
    """A draft."""
    payload: dict[str, Any] = {"title": "Decision", "points": []}
    return Report.objects.create(
        owner=run.owner, run=run, title="Decision", payload=payload, payload_hash=payload_digest(payload)
    )


@pytest.fixture
def board(stranger: User) -> User:
    """Somebody who may sign."""
    stranger.user_permissions.add(Permission.objects.get(codename="sign_report"))
    return User.objects.get(pk=stranger.pk)


def test_the_whole_way_is_kept_and_chained(report: Report, owner: User, board: User) -> None:
    services.report_step(report=report, actor=owner, to=ReportState.IN_REVIEW, comment="please look")
    services.report_step(report=report, actor=board, to=ReportState.SIGNED, comment=" agreed ")
    assert [(step.state, step.actor, step.comment) for step in report.steps.all()] == [
        ("in_review", owner, "please look"),
        ("signed", board, "agreed"),
    ]
    assert chain_holds(Report.objects.get(pk=report.pk))


def test_signing_keeps_the_file_and_nothing_before_does(
    report: Report, owner: User, board: User, settings: Any
) -> None:
    services.report_step(report=report, actor=owner, to=ReportState.IN_REVIEW)
    assert not report.files.exists()
    services.report_step(report=report, actor=board, to=ReportState.SIGNED)
    settings.REPORT_FILE = "nowhere.at_all"
    assert services.report_html(report=report) == b"<title>Decision</title>"
    assert Report.objects.get().html_hash == file_digest(b"<title>Decision</title>")


def test_a_review_is_by_somebody_else_and_its_author_does_not_approve(report: Report, owner: User, board: User) -> None:
    reader = User.objects.create_user("bob")
    reader.user_permissions.add(Permission.objects.get(codename="review_report"))
    owner.user_permissions.add(Permission.objects.get(codename="review_report"))
    prepared = User.objects.get(pk=owner.pk)
    services.report_step(report=report, actor=owner, to=ReportState.IN_REVIEW)
    with pytest.raises(Forbidden, match="permission"):
        services.report_step(report=report, actor=prepared, to=ReportState.REVIEWED)
    services.report_step(report=report, actor=board, to=ReportState.REVIEWED)
    with pytest.raises(Conflict, match="cannot approve"):
        services.report_step(report=report, actor=board, to=ReportState.SIGNED)
    services.report_step(report=report, actor=board, to=ReportState.DRAFT)
    services.report_step(report=report, actor=owner, to=ReportState.IN_REVIEW)
    services.report_step(report=report, actor=reader, to=ReportState.REVIEWED)
    with pytest.raises(Forbidden, match="permission"):
        services.report_step(report=report, actor=reader, to=ReportState.SIGNED)
    services.report_step(report=report, actor=board, to=ReportState.SIGNED)
    assert chain_holds(report)


def test_a_changed_payload_or_step_breaks_the_chain(report: Report, owner: User) -> None:
    services.report_step(report=report, actor=owner, to=ReportState.IN_REVIEW)
    ReportStep.objects.filter(report=report).update(comment="something else")
    assert not chain_holds(report)
    ReportStep.objects.filter(report=report).update(comment="")
    assert chain_holds(report)
    Report.objects.filter(pk=report.pk).update(payload={"title": "Another decision"})
    assert not chain_holds(Report.objects.get(pk=report.pk))


def test_the_owner_alone_cannot_sign(report: Report, owner: User) -> None:
    services.report_step(report=report, actor=owner, to=ReportState.IN_REVIEW)
    with pytest.raises(Forbidden, match="permission"):
        services.report_step(report=report, actor=owner, to=ReportState.SIGNED)
    services.report_step(report=report, actor=owner, to=ReportState.DRAFT)
    assert report.state == "draft"


@pytest.mark.parametrize("to", ReportState)
def test_what_is_signed_stays_signed(report: Report, owner: User, board: User, to: ReportState) -> None:
    for actor, state in ((owner, ReportState.IN_REVIEW), (board, ReportState.SIGNED)):
        services.report_step(report=report, actor=actor, to=state)
    with pytest.raises(Conflict, match="cannot become"):
        services.report_step(report=report, actor=board, to=to)


def test_of_two_at_once_one_takes_the_step(report: Report, owner: User, board: User) -> None:
    services.report_step(report=report, actor=owner, to=ReportState.IN_REVIEW)
    late = Report.objects.get(pk=report.pk)
    services.report_step(report=report, actor=owner, to=ReportState.DRAFT)
    with pytest.raises(Conflict, match="somebody else"):
        services.report_step(report=late, actor=board, to=ReportState.SIGNED)
    assert report.steps.count() == 2


def test_whoever_signs_sees_what_was_sent_to_review_and_nothing_else(report: Report, owner: User, board: User) -> None:
    with pytest.raises(NotFound):
        selectors.report_get(user=board, report_id=report.pk)
    services.report_step(report=report, actor=owner, to=ReportState.IN_REVIEW)
    assert selectors.report_get(user=board, report_id=report.pk) == report
    assert list(selectors.reports_in_review(user=board)) == [report]
    assert not selectors.reports_in_review(user=owner)


def test_a_share_link_opens_until_it_ends(report: Report, owner: User) -> None:
    made = services.share_create(report=report, actor=owner, days=7)
    assert selectors.report_shared(secret=made.secret) == report
    assert made.secret not in str(ShareLink.objects.values())
    ShareLink.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    with pytest.raises(NotFound):
        selectors.report_shared(secret=made.secret)
    with pytest.raises(NotFound):
        selectors.report_shared(secret="")


def test_whoever_signs_may_read_and_not_publish(report: Report, owner: User, board: User) -> None:
    services.report_step(report=report, actor=owner, to=ReportState.IN_REVIEW)
    with pytest.raises(Forbidden, match="owner"):
        services.share_create(report=report, actor=board, days=7)
    assert not ShareLink.objects.exists()


def test_a_revoked_link_opens_nothing(report: Report, owner: User) -> None:
    made = services.share_create(report=report, actor=owner, days=10_000)
    assert made.row.expires_at < timezone.now() + timedelta(days=91)
    services.share_revoke(link=made.row, actor=owner)
    with pytest.raises(NotFound):
        selectors.report_shared(secret=made.secret)
    assert not selectors.share_links(report=report)
