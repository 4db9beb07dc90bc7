"""Reports: frozen, shown, and downloaded as one file."""

import hashlib
import json
import re

import pytest
from django.test import Client

from planner.models import Report, Run

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
