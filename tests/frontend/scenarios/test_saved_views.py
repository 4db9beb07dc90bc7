"""Saved views of the scenario table."""

import re

import pytest
from django.contrib.auth.models import User
from django.http import QueryDict
from django.test import Client

from frontend.scenarios.filters import COLUMNS, TableView, table_view
from planner import services
from planner.models import SavedView, Scenario


def kept(person: Client, name: str = "Broken", query: str = "slo=missed&group=platform&col=answer") -> SavedView:
    """Keep a view by the page and return it."""
    answer = person.post("/views/new/", {"name": name, "query": query})
    assert answer.status_code == 302
    view = SavedView.objects.get(name=name, archived_at=None)
    assert answer.headers["Location"] == f"/?view={view.pk}"
    return view


def test_a_kept_view_is_an_address(person: Client, scenario: Scenario) -> None:
    view = kept(person, query="q=zzz&nonsense=1&slo=bogus")
    assert view.query == "q=zzz"
    shown = person.get("/", {"view": view.pk}).content.decode()
    assert "No scenario is named like “zzz”" in shown
    assert re.search(rf'href="/\?view={view.pk}"\s+aria-current="page"', shown)
    assert scenario.name in person.get("/", {"view": view.pk, "q": ""}).content.decode()


def test_a_view_chooses_columns_and_groups(person: Client, scenario: Scenario) -> None:
    view = kept(person, query="group=platform&col=answer")
    text = person.get("/", {"view": view.pk}).content.decode()
    assert '<tr class="group"><th colspan="4" scope="rowgroup">WebSphere' in text
    assert "not run yet" in text
    column = re.compile(r'<th scope="col">\s*Platform</th>')
    assert not column.search(text)
    assert column.search(person.get("/").content.decode())


def test_a_view_is_renamed_and_changed(person: Client) -> None:
    view = kept(person)
    person.post(f"/views/{view.pk}/", {"name": "Ours", "query": "made=me"})
    view.refresh_from_db()
    assert (view.name, view.query) == ("Ours", "made=me")
    person.post(f"/views/{view.pk}/", {"name": "  Ours   too "})
    view.refresh_from_db()
    assert (view.name, view.query) == ("Ours too", "made=me")


def test_deleting_a_view_can_be_undone(person: Client) -> None:
    view = kept(person)
    gone = person.post(f"/views/{view.pk}/delete/", follow=True).content.decode()
    assert f'action="/views/{view.pk}/restore/"' in gone
    assert f"?view={view.pk}" not in gone
    assert f"?view={view.pk}" in person.post(f"/views/{view.pk}/restore/", follow=True).content.decode()


@pytest.mark.parametrize(("name", "told"), [("", "needs a name"), ("x" * 61, "at most 60"), ("Broken", "already")])
def test_a_name_that_cannot_be_is_refused(person: Client, name: str, told: str) -> None:
    kept(person)
    answer = person.post("/views/new/", {"name": name, "query": ""}, follow=True)
    assert told in answer.content.decode()
    assert SavedView.objects.count() == 1


def test_views_belong_to_one_person(person: Client, stranger: Client) -> None:
    view = kept(person)
    assert stranger.get("/", {"view": view.pk}).status_code == 404
    assert view.name not in stranger.get("/").content.decode()
    for address in (f"/views/{view.pk}/", f"/views/{view.pk}/delete/", f"/views/{view.pk}/restore/"):
        assert stranger.post(address, {"name": "mine"}).status_code == 404
        assert person.get(address).status_code == 405
    view.refresh_from_db()
    assert (view.name, view.archived_at) == ("Broken", None)


def test_a_view_cannot_be_kept_from_elsewhere(owner: User) -> None:
    foreign = Client(enforce_csrf_checks=True)
    foreign.force_login(owner)
    assert foreign.post("/views/new/", {"name": "x", "query": ""}).status_code == 403
    assert not SavedView.objects.exists()


def test_there_is_a_most_of_views(person: Client, owner: User) -> None:
    SavedView.objects.bulk_create(SavedView(owner=owner, name=f"view {number}") for number in range(50))
    assert "delete one first" in person.post("/views/new/", {"name": "x"}, follow=True).content.decode()


def test_the_views_that_everybody_has(person: Client, owner: User, scenario: Scenario) -> None:
    services.presets_load(owner=owner)
    shipped = Scenario.objects.exclude(preset="").first()
    assert shipped is not None
    mine, everything = (person.get(address).content.decode() for address in ("/?made=me", "/"))
    assert f'href="/scenarios/{shipped.pk}/"' in everything
    assert f'href="/scenarios/{shipped.pk}/"' not in mine
    assert f'href="/scenarios/{scenario.pk}/"' in mine
    for name in ("All", "Mine", "Objective missed", "Awaiting sign-off"):
        assert f">{name}</a>" in everything


@pytest.mark.parametrize(
    "table",
    [
        TableView(),
        TableView(q="a&b", tag="größer", slo="none", made="me"),
        TableView(awaiting=True, archived=True, group="tags", columns=()),
        TableView(columns=tuple(COLUMNS)[:2]),
    ],
)
def test_an_address_says_the_whole_wish(table: TableView) -> None:
    assert table_view(QueryDict(table.query)) == table
