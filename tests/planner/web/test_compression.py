"""Texts travel compressed, events and packed files as they are."""

import pytest
from django.contrib.auth.models import User
from django.test import Client
from rest_framework.test import APIClient

from planner.models import Run

pytestmark = pytest.mark.django_db
GZIP = {"Accept-Encoding": "gzip"}


def test_a_page_and_an_answer_of_the_api_are_compressed(owner: User) -> None:
    browser = Client()
    browser.force_login(owner)
    for address in ("/", "/api/v1/platforms"):
        assert browser.get(address, headers=GZIP)["Content-Encoding"] == "gzip"
        plain = browser.get(address)
        assert "Content-Encoding" not in plain
        assert "Accept-Encoding" in plain["Vary"]


def test_events_are_sent_when_they_happen(run: Run) -> None:
    client = APIClient()
    client.force_authenticate(run.owner)
    client.force_login(run.owner)
    answer = client.get(f"/api/v1/runs/{run.pk}/events", headers=GZIP)
    assert "Content-Encoding" not in answer
