"""Reports that are reviewed, signed, superseded and shared."""

import gzip
import hashlib
import io
import re
import zipfile

import pytest
from django.contrib.auth.models import Permission, User
from django.test import Client

from planner.models import Report, ReportFile, Run


def signed(person: Client, stranger: Client, report: Report) -> Report:
    """The report after its way through review and signature."""
    User.objects.get(username="eve").user_permissions.add(Permission.objects.get(codename="sign_report"))
    person.post(f"/reports/{report.pk}/step/", {"to": "in_review"})
    stranger.post(f"/reports/{report.pk}/step/", {"to": "signed", "comment": "agreed"})
    report.refresh_from_db()
    assert report.state == "signed"
    return report


def test_a_signed_file_is_given_as_it_was_signed_whatever_the_program_does(
    person: Client, stranger: Client, report: Report, monkeypatch: pytest.MonkeyPatch
) -> None:
    signed(person, stranger, report)
    first = person.get(f"/reports/{report.pk}/file.html").content
    assert report.html_hash == hashlib.sha256(first).hexdigest()
    monkeypatch.setattr("frontend.answers.sweeps.run_sentences", lambda *_: ("Another program would say this.",))
    assert person.get(f"/reports/{report.pk}/file.html").content == first
    page = person.get(f"/reports/{report.pk}/").content.decode()
    assert "Another program" not in page
    assert "This is the signed version" in page
    assert "13 Sign-off" in page
    assert "agreed" in page
    with zipfile.ZipFile(io.BytesIO(person.get(f"/reports/{report.pk}/capsule.zip").content)) as capsule:
        assert capsule.read("report.html") == first


def test_a_stored_file_that_was_changed_is_not_given(person: Client, stranger: Client, report: Report) -> None:
    signed(person, stranger, report)
    ReportFile.objects.update(content=gzip.compress(b"<main>better numbers</main>"))
    answer = person.get(f"/reports/{report.pk}/file.html")
    assert answer.status_code == 503
    assert "not the one that was signed" in answer.content.decode()


def test_who_reviewed_does_not_approve_as_well(person: Client, stranger: Client, report: Report) -> None:
    eve = User.objects.get(username="eve")
    eve.user_permissions.add(Permission.objects.get(codename="sign_report"))
    address = f"/reports/{report.pk}/"
    person.post(f"{address}step/", {"to": "in_review"})
    assert 'value="reviewed"' not in person.get(address).content.decode()
    assert 'value="reviewed"' in stranger.get(address).content.decode()
    stranger.post(f"{address}step/", {"to": "reviewed", "comment": "numbers checked"})
    page = stranger.get(address).content.decode()
    assert 'value="signed"' not in page
    assert "somebody else signs it" in page
    answer = stranger.post(f"{address}step/", {"to": "signed"}, follow=True, headers={"referer": address})
    assert "cannot approve it as well" in answer.content.decode()
    board = User.objects.create_user("bob")
    board.user_permissions.add(Permission.objects.get(codename="sign_report"))
    approver = Client()
    approver.force_login(board)
    approver.post(f"{address}step/", {"to": "signed"})
    facts = person.get(address).content.decode().split('id="signoff"')[1].split("</dl>")[0]
    assert re.search(r"<dt>Reviewed</dt><dd>eve, ", facts)
    assert re.search(r"<dt>Approved</dt><dd>bob, ", facts)


@pytest.mark.parametrize("days", ["²", "٣", "1" * 30, "-1", "0"])
def test_a_strange_number_of_days_is_told_and_makes_no_link(person: Client, report: Report, days: str) -> None:
    answer = person.post(f"/reports/{report.pk}/share/", {"days": days}, follow=True)
    assert "Days: " in answer.content.decode()
    assert not report.share_links.exists()


def test_a_link_without_days_lasts_a_week(person: Client, report: Report) -> None:
    assert person.post(f"/reports/{report.pk}/share/", {"days": ""}).status_code == 200
    link = report.share_links.get()
    assert (link.expires_at - link.created_at).days in (6, 7)


def test_a_report_is_signed_by_somebody_who_may(person: Client, report: Report, stranger: Client) -> None:
    address = f"/reports/{report.pk}/"
    assert stranger.get(address).status_code == 404
    person.post(f"{address}step/", {"to": "in_review", "comment": "please"})
    assert 'value="signed"' not in person.get(address).content.decode()
    User.objects.get(username="eve").user_permissions.add(Permission.objects.get(codename="sign_report"))
    assert report.title in stranger.get("/reports/").content.decode()
    stranger.post(f"{address}step/", {"to": "signed", "comment": "agreed"})
    text = person.get(address).content.decode()
    assert "agreed" in text
    assert "Next step" not in text
    assert "agreed" in person.get(f"{address}file.html").content.decode()
    assert person.post(f"{address}step/", {"to": "nonsense"}).status_code == 404


def test_whoever_signs_is_told_that_only_the_owner_shares(person: Client, report: Report, stranger: Client) -> None:
    address = f"/reports/{report.pk}/"
    User.objects.get(username="eve").user_permissions.add(Permission.objects.get(codename="sign_report"))
    person.post(f"{address}step/", {"to": "in_review"})
    told = stranger.post(f"{address}share/", {"days": "3"}, follow=True)
    assert (told.status_code, "Only its owner may do this." in told.content.decode()) == (403, True)
    assert not report.share_links.exists()


def test_a_new_report_supersedes_the_signed_one(person: Client, report: Report, finished: Run) -> None:
    Report.objects.update(state="signed")
    person.post(f"/runs/{finished.pk}/report/", {"title": "Again"})
    again = Report.objects.get(title="Again")
    assert again.supersedes == report
    text = person.get(f"/reports/{again.pk}/").content.decode()
    assert f"supersedes {report.pk}" in text
    assert again.payload["supersedes"]["payload_hash"] == report.payload_hash
    assert f"Superseded: {again.pk}" in person.get(f"/reports/{report.pk}/").content.decode()


def test_a_link_is_read_without_signing_in_until_it_is_revoked(person: Client, report: Report) -> None:
    made = person.post(f"/reports/{report.pk}/share/", {"days": "7"}).content.decode()
    address = made.split('id="shared">http://testserver')[1].split("<")[0]
    reader = Client()
    assert "13 Sign-off" in reader.get(address).content.decode()
    assert reader.get(f"{address}file.html").status_code == 200
    assert address not in person.get(f"/reports/{report.pk}/").content.decode()
    link = report.share_links.get()
    person.post(f"/shares/{link.pk}/revoke/")
    assert reader.get(address).status_code == 404


@pytest.mark.django_db
def test_a_link_that_opens_nothing_says_whom_to_ask() -> None:
    answer = Client().get("/shared/no-such-secret/")
    assert answer.status_code == 404 and "Ask whoever sent it" in answer.content.decode()
