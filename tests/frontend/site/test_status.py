"""The page that says what is up and how much waits."""

import re

import pytest
from django.contrib.auth.models import User
from django.test import Client

from planner.jobs.metrics import OK
from planner.models import Run


def test_parts_that_are_away_are_named_with_what_waits(person: Client) -> None:
    page = person.get("/status/").content.decode()
    away = re.findall(r'<th scope="row">(\w+)</th>\s*<td><span class="state failed">(.+?) for \d+ s</span>', page)
    assert away == [("Spark", "not started")]
    assert page.count('class="state ok"') == 3, "database, broker and engine"
    assert "Runs wait, and fail after three minutes" in page
    assert "Nothing waits" in page


def test_the_work_of_all_is_counted_and_names_nobody(
    person: Client, queued: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    User.objects.create_user("eve")
    stranger = Client()
    stranger.force_login(User.objects.get(username="eve"), backend="django.contrib.auth.backends.ModelBackend")
    monkeypatch.setattr("frontend.site.status.parts_states", lambda: {"database": OK})
    page = stranger.get("/status/").content.decode()
    assert '<th scope="row">Queued</th><td class="num">1</td>' in page
    assert queued.owner.username not in page and queued.pk not in page


def test_it_asks_who_you_are(client: Client) -> None:
    assert client.get("/status/")["Location"].startswith("/login/")
