"""What every view shares: scopes that are refused unless named, forms by address, and keys of repeated requests."""

import re
from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.http import HttpResponse
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.test import APIClient

from planner.api.base import READ, ApiView, ApiViewSet
from planner.api.openapi import openapi_document
from planner.api.urls import urlpatterns
from planner.models import Run, Scenario, Scope


def test_the_same_key_and_body_get_the_same_answer(client: APIClient, body: dict[str, Any]) -> None:
    first = client.post("/api/v1/scenarios", body, format="json", HTTP_IDEMPOTENCY_KEY="k1")
    second = client.post("/api/v1/scenarios", body, format="json", HTTP_IDEMPOTENCY_KEY="k1")
    assert (second.status_code, second.json()) == (201, first.json())
    assert (second["Location"], second["ETag"]) == (first["Location"], first["ETag"])
    assert Scenario.objects.count() == 1


def test_the_same_key_for_another_request_is_refused(client: APIClient, body: dict[str, Any]) -> None:
    client.post("/api/v1/scenarios", body, format="json", HTTP_IDEMPOTENCY_KEY="k1")
    answers = [
        client.post("/api/v1/scenarios", {**body, "name": "Other"}, format="json", HTTP_IDEMPOTENCY_KEY="k1"),
        client.post("/api/v1/servers", body, format="json", HTTP_IDEMPOTENCY_KEY="k1"),
    ]
    assert [answer.status_code for answer in answers] == [422, 422]
    assert Scenario.objects.count() == 1


def test_keys_belong_to_their_caller(client: APIClient, other: APIClient, body: dict[str, Any]) -> None:
    for one in (client, other):
        one.post("/api/v1/scenarios", body, format="json", HTTP_IDEMPOTENCY_KEY="k1")
    assert Scenario.objects.count() == 2


def test_a_refused_request_leaves_its_key_free(client: APIClient, body: dict[str, Any]) -> None:
    wrong = client.post("/api/v1/scenarios", {**body, "name": ""}, format="json", HTTP_IDEMPOTENCY_KEY="k1")
    right = client.post("/api/v1/scenarios", body, format="json", HTTP_IDEMPOTENCY_KEY="k1")
    assert (wrong.status_code, right.status_code) == (422, 201)


def test_a_run_is_started_once(client: APIClient, scenario: Scenario) -> None:
    address = f"/api/v1/scenarios/{scenario.pk}/runs"
    ids = {
        client.post(address, {"force": True}, format="json", HTTP_IDEMPOTENCY_KEY="k1").json()["id"] for _ in range(3)
    }
    assert len(ids) == Run.objects.count() == 1


def test_a_key_that_is_too_long_is_named(client: APIClient, body: dict[str, Any]) -> None:
    answer = client.post("/api/v1/scenarios", body, format="json", HTTP_IDEMPOTENCY_KEY="k" * 256)
    assert answer.json()["errors"][0]["pointer"] == "/Idempotency-Key"


class Unnamed(ApiViewSet):
    """Names a scope for reading only."""

    scopes = READ

    def list(self, request: Request) -> HttpResponse:
        return HttpResponse()

    def create(self, request: Request) -> HttpResponse:
        return HttpResponse()


class Plain(ApiView):
    """Names none."""

    def get(self, request: Request) -> HttpResponse:
        return HttpResponse()


class Open(Plain):
    """Needs none."""

    permission_classes = (AllowAny,)


def test_an_address_whose_method_names_no_scope_is_refused_at_start() -> None:
    with pytest.raises(ImproperlyConfigured, match="Unnamed names no scope for POST"):
        Unnamed.as_view({"get": "list", "post": "create"})
    with pytest.raises(ImproperlyConfigured, match="Unnamed names no scope for GET"):
        Unnamed.as_view({"get": "list"}, scopes={"POST": "write"})
    with pytest.raises(ImproperlyConfigured, match="Plain names no scope for GET"):
        Plain.as_view()


def test_named_scopes_and_views_for_everybody_are_served() -> None:
    assert callable(Unnamed.as_view({"get": "list"}))
    assert callable(Unnamed.as_view({"post": "create"}, scopes={"POST": "write"}))
    assert callable(Open.as_view())


def test_every_view_of_the_api_denies_by_default() -> None:
    assert ApiView.scopes == ApiViewSet.scopes == {}
    for pattern in (item for item in urlpatterns if item.name != "docs"):
        callback: Any = pattern.callback
        view = callback.cls
        if AllowAny in view.permission_classes:
            continue
        methods = getattr(callback, "actions", None) or [name for name in ("get", "post") if hasattr(view, name)]
        scopes = callback.initkwargs.get("scopes", view.scopes)
        assert {method.upper() for method in methods} <= {*scopes, "HEAD"}, pattern.name
        assert set(scopes.values()) <= set(Scope.values), pattern.name


def test_an_address_says_its_form_whatever_accept_lists(client: APIClient, finished: Run) -> None:
    answer = client.get(f"/api/v1/runs/{finished.pk}/results.csv", HTTP_ACCEPT="image/png")
    assert (answer.status_code, answer["Content-Type"]) == (200, "text/csv; charset=utf-8")
    refused = client.get(f"/api/v1/runs/{finished.pk}/results", HTTP_ACCEPT="image/png")
    assert refused.status_code == 406


def test_what_a_request_does_not_take_is_refused_at_once(client: APIClient, run: Run) -> None:
    answer = client.post(f"/api/v1/runs/{run.pk}/pause?x=1", {"why": 1, "when": 2}, format="json")
    assert [item["pointer"] for item in answer.json()["errors"]] == ["/x", "/why", "/when"]
    twice = client.get("/api/v1/runs?limit=1&limit=2").json()["errors"]
    assert [(item["pointer"], item["message"]) for item in twice] == [
        ("/limit", "is given more than once; give it once")
    ]
    assert client.get("/api/v1/comparisons?subject=run_a&subject=run_b").status_code == 404


def test_a_request_takes_a_body_where_the_document_says_so(client: APIClient) -> None:
    """Each operation that changes something is sent a key that nobody knows; only some refuse every key."""
    for path, operations in openapi_document()["paths"].items():
        for method in operations.keys() & {"post", "patch", "delete"}:
            address = re.sub(r"\{\w+\}", "1", path)
            answer = getattr(client, method)(address, {"nobody_knows": 1}, format="json")
            refused = answer.status_code == 422 and "takes no body" in answer.content.decode()
            assert refused == ("requestBody" not in operations[method]), (method, path)
