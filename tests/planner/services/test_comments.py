"""Comments at sections of a report: for those who may read it, apart from what is frozen and shared."""

from typing import Any

import pytest
from django.contrib.auth.models import Permission, User
from django.test import Client
from rest_framework.test import APIClient

from planner import services
from planner.errors import Forbidden
from planner.models import AuditEvent, Report, ReportComment, ReportState, Run, Team
from planner.models.report import SIGN
from tests.planner.computing import compute

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def report(run: Run, owner: User, stranger: User) -> Report:
    """A report of a team, in which the stranger is a viewer."""
    compute(run)
    team = services.team_create(actor=owner, name="Payments")
    services.hand_over(row=run.version.scenario, actor=owner, team=team)
    services.member_set(team=team, actor=owner, name=stranger.username, role="viewer")
    return services.report_create(run=run, owner=owner)


def browser_of(user: User) -> Client:
    client = Client()
    client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    return client


def api_of(user: User) -> APIClient:
    client = APIClient()
    client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    return client


def section(text: str, name: str) -> str:
    """The comments that the page places there."""
    return text.split(f'data-at="{name}"')[1].split("<details>")[0]


def test_a_reader_comments_and_others_read_it_there(report: Report, owner: User, stranger: User) -> None:
    said = {"section": "results", "text": "Which <b>week</b>?"}
    address = f"/reports/{report.pk}/comments/"
    done = browser_of(stranger).post(address, said)
    assert done.headers["Location"] == f"/reports/{report.pk}/#results"
    page = browser_of(owner).get(f"/reports/{report.pk}/").content.decode()
    assert "Which &lt;b&gt;week&lt;/b&gt;?" in section(page, "results")
    assert "Which" not in section(page, "method")
    assert page.count(f'action="{address}"') == 14, "each section has its form"
    assert browser_of(User.objects.create_user("mallory")).post(address, said).status_code == 404
    wrong = browser_of(owner).post(address, {"section": "resluts", "text": " "}, follow=True).content.decode()
    assert "Section: " in wrong and "Text: " in wrong
    assert ReportComment.objects.count() == 1
    event = AuditEvent.objects.get(action="report.comment")
    assert (event.actor, event.target, event.team) == (stranger, report.pk, Team.objects.get())


def test_files_links_and_a_signature_know_no_comments(report: Report, owner: User, stranger: User) -> None:
    link = services.share_create(report=report, actor=owner, days=1)
    before = services.report_html(report=report)
    services.comment_create(report=report, author=stranger, section="results", text="Which week?")
    assert services.report_html(report=report) == before
    for address in ("", "file.html"):
        assert b"Which week?" not in Client().get(f"/shared/{link.secret}/{address}").content
    services.member_set(team=Team.objects.get(), actor=owner, name=stranger.username, role="approver")
    for actor, to in ((owner, ReportState.IN_REVIEW), (stranger, ReportState.SIGNED)):
        services.report_step(report=report, actor=actor, to=to)
    signed = services.report_html(report=report)
    services.comment_create(report=report, author=stranger, section="signoff", text="Signed from home.")
    page = browser_of(owner).get(f"/reports/{report.pk}/").content.decode()
    assert "Signed from home." in section(page, "signoff")
    assert "Which week?" in section(page, "results")
    assert services.report_html(report=report) == signed
    assert b"Which week?" not in signed


def test_authors_and_admins_delete(report: Report, owner: User, stranger: User) -> None:
    planner = User.objects.create_user("paul")
    services.member_set(team=Team.objects.get(), actor=owner, name="paul", role="planner")
    first, second = (
        services.comment_create(report=report, author=stranger, section="results", text=text) for text in ("a", "b")
    )
    with pytest.raises(Forbidden):
        services.comment_delete(comment=first, actor=planner)
    assert browser_of(planner).post(f"/comments/{first.pk}/delete/").status_code == 403
    assert f"/comments/{first.pk}/delete/" not in browser_of(planner).get(f"/reports/{report.pk}/").content.decode()
    assert browser_of(stranger).post(f"/comments/{first.pk}/delete/").status_code == 302
    services.comment_delete(comment=second, actor=owner)
    assert not ReportComment.objects.exists()
    assert AuditEvent.objects.filter(action="report.uncomment").count() == 2


def test_programs_comment_too(report: Report, owner: User, stranger: User) -> None:
    client, address = api_of(stranger), f"/api/v1/reports/{report.pk}/comments"
    said: dict[str, Any] = {"section": "risks", "text": "  And a restart?  "}
    made = client.post(address, said)
    assert made.status_code == 201
    one = made.json()
    assert (one["section"], one["text"], one["author"]) == ("risks", "And a restart?", stranger.username)
    assert made.headers["Location"] == f"{address}/{one['id']}"
    assert client.get(address).json()["items"] == [one]
    wrong = client.post(address, {"section": "resluts", "text": " "}).json()
    assert {item["pointer"] for item in wrong["errors"]} == {"/section", "/text"}
    assert api_of(owner).delete(made.headers["Location"]).status_code == 204
    assert client.get(address).json()["items"] == []


def test_who_reads_a_report_by_permission_deletes_what_they_wrote(run: Run, owner: User, stranger: User) -> None:
    compute(run)
    report = services.report_create(run=run, owner=owner)
    services.report_step(report=report, actor=owner, to=ReportState.IN_REVIEW)
    stranger.user_permissions.add(Permission.objects.get(codename=SIGN.partition(".")[2]))
    said = {"section": "results", "text": "Which week?"}
    made = api_of(stranger).post(f"/api/v1/reports/{report.pk}/comments", said)
    assert api_of(stranger).delete(made.headers["Location"]).status_code == 204
    browser_of(stranger).post(f"/reports/{report.pk}/comments/", said)
    (own,) = ReportComment.objects.all()
    theirs = services.comment_create(report=report, author=owner, section="results", text="May.")
    assert browser_of(stranger).post(f"/comments/{own.pk}/delete/").status_code == 302
    assert browser_of(stranger).post(f"/comments/{theirs.pk}/delete/").status_code == 403
    assert browser_of(User.objects.create_user("mallory")).post(f"/comments/{theirs.pk}/delete/").status_code == 404
    assert list(ReportComment.objects.all()) == [theirs]
