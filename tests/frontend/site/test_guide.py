"""Help: the guide's own files as pages, and the reference of the API."""

import re
from html import unescape

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.test import Client

from frontend.wording.numbers import TEXTS
from planner.api.openapi import METHODS, openapi_document
from planner.jobs.metrics import OK
from planner.models import Run

PAGES = sorted(file.stem for file in settings.GUIDE.glob("*.md"))


@pytest.mark.parametrize("page", PAGES)
def test_a_page_shows_its_file_and_every_link_and_picture_leads_somewhere(person: Client, page: str) -> None:
    text = person.get(f"/help/{page}.md").content.decode()
    heading = (settings.GUIDE / f"{page}.md").read_text().splitlines()[0].removeprefix("# ")
    article = text.partition("<article")[2].partition("</article>")[0]
    assert f"<h1>{heading}</h1>" in unescape(article)
    for link in re.findall(r'href="([^"]+)"', article):
        assert person.get(link if link.startswith("/") else f"/help/{link}").status_code == 200, link
    for picture in re.findall(r'src="([^"]+)"', article):
        name = picture.removeprefix(f"{settings.STATIC_URL}guide/")
        assert (settings.GUIDE / "pictures" / name).is_file(), picture


def test_unknown_pages_are_not_found(person: Client) -> None:
    assert person.get("/help/no-such.md").status_code == 404


def test_the_reference_has_a_page_for_each_resource_with_all_its_operations(person: Client) -> None:
    overview = person.get("/help/api/").content.decode()
    document = openapi_document()
    operations = [item[method] for item in document["paths"].values() for method in METHODS if method in item]
    resources = {operation["tags"][0] for operation in operations}
    assert set(TEXTS["api_resources"]) == resources | {"bodies"}
    linked = set()
    for resource in resources:
        assert f'href="/help/api/{resource}/"' in overview
        page = person.get(f"/help/api/{resource}/").content.decode()
        own = {operation["operationId"] for operation in operations if operation["tags"][0] == resource}
        assert set(re.findall(r'<section class="panel operation" id="([^"]+)"', page)) == own
        assert '<details class="panel model"' not in page
        linked |= set(re.findall(r'href="../bodies/#(model-[^"]+)"', page))
    bodies = person.get("/help/api/bodies/").content.decode()
    assert all(f'id="model-{name}"' in bodies for name in document["components"]["schemas"])
    linked |= set(re.findall(r'href="../bodies/#(model-[^"]+)"', bodies))
    assert "model-ProblemOut" in linked and all(f'id="{anchor}"' in bodies for anchor in linked)
    quick = person.get("/help/api/quick-runs/").content.decode()
    assert "curl -X POST http://testserver/api/v1/quick-runs" in quick
    assert "&quot;Surge backlog&quot;" in quick
    assert person.get("/help/api/no-such/").status_code == 404


def test_each_page_leads_to_its_place_in_the_help(person: Client) -> None:
    assert 'href="/help/from-a-log-to-a-report.md"' in person.get("/telemetry/").content.decode()


def test_parts_that_are_away_are_named_with_what_waits(person: Client) -> None:
    page = person.get("/status/").content.decode()
    away = re.findall(r'<th scope="row">(\w+)</th>\s*<td><span class="state failed">(.+?) for \d+ s</span>', page)
    assert away == [("Spark", "not started"), ("Worker", "no answer")]
    assert page.count('class="state ok"') == 3, "database, broker and engine"
    assert "Runs wait, and fail after three minutes" in page
    assert "No run is waiting or running." in page


def test_the_work_of_all_is_counted_and_names_nobody(
    person: Client, queued: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    User.objects.create_user("eve")
    stranger = Client()
    stranger.force_login(User.objects.get(username="eve"), backend="django.contrib.auth.backends.ModelBackend")
    monkeypatch.setattr("frontend.site.guide.parts_states", lambda: {"database": OK})
    page = stranger.get("/status/").content.decode()
    assert '<th scope="row">Queued</th><td class="num">1</td>' in page
    assert queued.owner.username not in page and queued.pk not in page


def test_it_asks_who_you_are(client: Client) -> None:
    assert client.get("/status/")["Location"].startswith("/login/")
