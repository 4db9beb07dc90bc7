"""Webhooks by API: made, seen, ended by their owner and nobody else."""

from collections.abc import Callable

import jsonschema
import pytest
from django.contrib.auth.models import User
from rest_framework.test import APIClient

from planner import services
from planner.models import Delivery, Run, Webhook
from tests.planner.api.test_openapi import answer_schema

ADDRESS = "/api/v1/webhooks"
PUBLIC = "https://93.184.215.14/hook"


@pytest.fixture
def webhook(client: APIClient) -> Webhook:
    """The owner's webhook; nobody is called in these tests."""
    made = client.post(ADDRESS, {"url": PUBLIC}, format="json")
    assert (made.status_code, made["Cache-Control"]) == (201, "no-store"), made.content
    return Webhook.objects.get(pk=made.json()["webhook"]["id"])


def test_a_secret_is_shown_once(client: APIClient) -> None:
    made = client.post(ADDRESS, {"url": PUBLIC, "events": ["run.failed"]}, format="json").json()
    assert made["secret"].startswith("whs_")
    listed = client.get(ADDRESS)
    jsonschema.validate(listed.json(), answer_schema("webhooks"))
    assert made["secret"] not in listed.content.decode()
    assert listed.json()["items"] == [made["webhook"]]
    assert (made["webhook"]["events"], made["webhook"]["active"]) == (["run.failed"], True)


def test_deliveries_are_logged_and_seen(client: APIClient, webhook: Webhook, run: Run) -> None:
    services.job_cancel(run, actor=run.owner)
    shown = client.get(f"{ADDRESS}/{webhook.pk}/deliveries").json()
    jsonschema.validate(shown, answer_schema("webhooks/{webhook_id}/deliveries"))
    (delivery,) = shown["items"]
    assert (delivery["event"], delivery["target"], delivery["status"]) == ("run.cancelled", run.pk, "pending")


def test_a_test_is_sent_and_what_is_over_can_be_sent_again(client: APIClient, webhook: Webhook) -> None:
    address = f"{ADDRESS}/{webhook.pk}/deliveries"
    sent = client.post(address)
    jsonschema.validate(sent.json(), answer_schema("webhooks/{webhook_id}/deliveries", "post", "202"))
    body = Delivery.objects.get().body
    again = f"{address}/{sent.json()['id']}/redeliver"
    assert client.post(again).json() == sent.json(), "it is still under way"
    Delivery.objects.update(status="failed", attempts=6, problem="nobody answered", finished_at=webhook.created_at)
    repeated = client.post(again).json()
    assert (repeated["id"], repeated["status"], repeated["attempts"]) == (sent.json()["id"], "pending", 0)
    assert Delivery.objects.get().body == body
    Webhook.objects.update(disabled_at=webhook.created_at)
    assert [client.post(again).status_code, client.post(address).status_code] == [409, 409]
    assert client.post(f"{address}/dlv_x/redeliver").status_code == 404


def test_wrong_values_are_named_together(client: APIClient) -> None:
    refused = client.post(ADDRESS, {"url": "http://localhost/", "events": ["run.started"]}, format="json")
    assert refused.status_code == 422
    assert {item["pointer"] for item in refused.json()["errors"]} == {"/url", "/events/0"}


def test_a_deactivated_one_says_why_and_may_try_again(client: APIClient, webhook: Webhook) -> None:
    Webhook.objects.update(disabled_at=webhook.created_at, disabled_reason="nobody answered", failures=20)
    shown = client.get(f"{ADDRESS}/{webhook.pk}").json()
    assert (shown["active"], shown["disabled_reason"]) == (False, "nobody answered")
    assert client.post(f"{ADDRESS}/{webhook.pk}/activate").json()["active"] is True


def test_a_deleted_one_is_gone(client: APIClient, webhook: Webhook) -> None:
    assert client.delete(f"{ADDRESS}/{webhook.pk}").status_code == 204
    assert client.delete(f"{ADDRESS}/{webhook.pk}").status_code == 404
    assert client.get(ADDRESS).json()["items"] == []


def test_a_webhook_is_its_owners(
    client: APIClient,
    other: APIClient,
    nobody: APIClient,
    webhook: Webhook,
    token_client: Callable[..., APIClient],
    owner: User,
) -> None:
    address = f"{ADDRESS}/{webhook.pk}"
    asks: list[Callable[[APIClient], int]] = [
        lambda one: one.get(address).status_code,
        lambda one: one.get(f"{address}/deliveries").status_code,
        lambda one: one.delete(address).status_code,
        lambda one: one.post(f"{address}/activate").status_code,
        lambda one: one.post(f"{address}/deliveries").status_code,
        lambda one: one.post(f"{address}/deliveries/dlv_x/redeliver").status_code,
    ]
    without = token_client(owner, "read", "write", "run", "export")
    for ask in asks:
        assert [ask(one) for one in (other, nobody, without)] == [404, 401, 403]
    assert client.put(address).status_code == 405
    assert Webhook.objects.get().deleted_at is None
