"""Reports: frozen, shown, and downloaded as one file."""

import csv
import hashlib
import json
import re

import pytest
from django.contrib.auth.models import Permission, User
from django.test import Client

from planner.models import Report, Run
from tests.frontend.conftest import PATH
from tests.paper import headings_of, no_browser, pages_of

LARGEST = 2_500_000


@pytest.fixture
def report(person: Client, finished: Run) -> Report:
    """A report, made from the page."""
    person.post(f"/runs/{finished.pk}/report/", {"title": "Decision"})
    return Report.objects.get()


def test_an_unfinished_run_makes_no_report(person: Client, queued: Run) -> None:
    answer = person.post(f"/runs/{queued.pk}/report/", follow=True, headers={"referer": f"/runs/{queued.pk}/"})
    assert "Only runs that succeeded can be reported" in answer.content.decode()
    assert not Report.objects.exists()


def test_the_page_tells_settings_method_and_reproduction(person: Client, report: Report) -> None:
    text = person.get(f"/reports/{report.pk}/").content.decode()
    made = report.payload["reproduction"]
    for wanted in (
        "Maximum sessions",
        "maxSessions",
        made["content_hash"],
        made["result_hash"],
        report.payload_hash,
        "manage.py simulate",
    ):
        assert wanted in text, wanted
    for row in report.payload["settings"]:
        assert row["title"] in text


def test_the_file_is_small_and_needs_no_network(person: Client, report: Report) -> None:
    content = person.get(f"/reports/{report.pk}/file.html").content
    text = content.decode()
    assert len(content) <= LARGEST
    assert not re.search(r'(?:src|href)="(?!#)[^"]', text.split("<body>")[1])
    assert "default-src 'none'" in text
    packed = text.split('id="report-payload">')[1].split("</script>")[0]
    assert json.loads(packed) == report.payload


def test_the_hash_of_the_first_download_is_kept(person: Client, report: Report) -> None:
    content = person.get(f"/reports/{report.pk}/file.html").content
    report.refresh_from_db()
    assert report.html_hash == hashlib.sha256(content).hexdigest()


def test_json_holds_the_payload_and_its_hash(person: Client, report: Report) -> None:
    answer = person.get(f"/reports/{report.pk}/data.json")
    read = answer.json()
    assert read.pop("payload_hash") == report.payload_hash
    assert read.pop("id") == report.pk
    assert read == report.payload
    assert "attachment" in answer.headers["Content-Disposition"]


def test_the_report_decides_in_one_line_and_says_until_when(person: Client, report: Report) -> None:
    text = person.get(f"/reports/{report.pk}/").content.decode()
    line = text.split('class="panel decision"')[1].split("</div>")[0]
    assert "Keep Maximum sessions at 36: p95 is" in line
    assert "Holds while less arrives than these settings carry" in line
    for number, heading in enumerate(SECTIONS, start=1):
        assert f"<h2>{number} {heading}</h2>" in text
    assert "assumed" in text.split('id="assumptions"')[1].split("</section>")[0]


SECTIONS = (
    "Summary", "Question and objectives", "System and settings", "Workload", "Assumptions", "Validation", "Results",
    "Recommendation", "Sensitivity", "Risks and limits", "Method", "Reproduction", "Sign-off",
)  # fmt: skip


def test_the_table_has_a_row_for_every_number(person: Client, report: Report) -> None:
    rows = list(csv.DictReader(person.get(f"/reports/{report.pk}/data.csv").content.decode().splitlines()))
    stored = report.payload["points"][1]["summary"]["metrics"]["latency.p95"]
    found = [row for row in rows if row["metric"] == "latency.p95" and not row["queue"]]
    assert [float(row["value"]) for row in found] == [stored["value"]]
    assert (float(found[0]["low"]), float(found[0]["high"])) == (stored["low"], stored["high"])
    assert found[0][PATH] == "36"


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
    assert "Only the owner of a report shares it." in told.content.decode()
    assert not report.share_links.exists()


def test_a_new_report_supersedes_the_signed_one(person: Client, report: Report, finished: Run) -> None:
    Report.objects.update(state="signed")
    person.post(f"/runs/{finished.pk}/report/", {"title": "Again"})
    again = Report.objects.get(title="Again")
    assert again.supersedes == report
    assert f"supersedes {report.pk}" in person.get(f"/reports/{again.pk}/").content.decode()


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


@pytest.mark.browser
def test_the_pdf_has_pages_bookmarks_tags_and_painted_charts(person: Client, stranger: Client, report: Report) -> None:
    answer = person.get(f"/reports/{report.pk}.pdf")
    assert answer.headers["Content-Disposition"] == f'attachment; filename="{report.pk}.pdf"'
    pdf = answer.content
    assert 6 <= pages_of(pdf) <= 20
    assert {"Decision", "1 Summary", "9 Sensitivity", "13 Sign-off"} <= set(headings_of(pdf))
    assert b"/StructTreeRoot" in pdf
    assert b"/Figure" in pdf
    assert stranger.get(f"/reports/{report.pk}.pdf").status_code == 404


def test_without_a_browser_the_page_says_what_helps(person: Client, report: Report) -> None:
    with no_browser():
        answer = person.get(f"/reports/{report.pk}.pdf")
    assert answer.status_code == 503
    assert "CHROMIUM_PATH" in answer.content.decode()
