"""The page of webhooks: make one, see what was delivered, end it."""

import pytest
from django.contrib.auth.models import User
from django.test import Client

from planner import services
from planner.models import Delivery, Run, Webhook
from planner.models.access import DeliveryStatus

ADDRESS = "/account/webhooks/"
PUBLIC = "https://93.184.215.14/hook"


@pytest.fixture
def webhook(owner: User) -> Webhook:
    """The owner's webhook; nobody is called in these tests."""
    return services.webhook_create(owner=owner, url=PUBLIC).row


def test_a_secret_is_shown_once(person: Client) -> None:
    made = person.post(ADDRESS, {"url": PUBLIC, "events": ["run.failed"]})
    assert 'id="secret">whs_' in made.content.decode()
    assert Webhook.objects.get().events == ["run.failed"]
    later = person.get(ADDRESS).content.decode()
    assert PUBLIC in later
    assert "whs_" not in later


def test_what_cannot_be_called_is_said_beside_the_form(person: Client) -> None:
    refused = person.post(ADDRESS, {"url": "https://127.0.0.1/x"})
    assert refused.status_code == 422
    text = refused.content.decode()
    assert "that is no public address" in text
    assert 'value="https://127.0.0.1/x"' in text
    assert not Webhook.objects.exists()


def test_deliveries_are_seen(person: Client, webhook: Webhook, queued: Run) -> None:
    services.job_cancel(queued, actor=queued.owner)
    text = person.get(ADDRESS).content.decode()
    assert "run.cancelled" in text
    assert queued.pk in text
    assert "pending" in text


def test_a_deactivated_one_says_why_and_may_try_again(person: Client, webhook: Webhook) -> None:
    Webhook.objects.update(disabled_at=webhook.created_at, disabled_reason="nobody answered")
    assert "nobody answered" in person.get(ADDRESS).content.decode()
    person.post(f"{ADDRESS}{webhook.pk}/activate/")
    assert Webhook.objects.get().disabled_at is None


def test_a_test_is_sent(person: Client, webhook: Webhook) -> None:
    assert "Send a test" in person.get(ADDRESS).content.decode()
    person.post(f"{ADDRESS}{webhook.pk}/test/")
    assert "webhook.test" in person.get(ADDRESS).content.decode()


def test_a_delivery_that_is_over_is_sent_again_under_its_id(person: Client, webhook: Webhook) -> None:
    sent = services.webhook_send(webhook=webhook, actor=webhook.owner)
    address = f"{ADDRESS}{webhook.pk}/{sent.pk}/redeliver/"
    assert address not in person.get(ADDRESS).content.decode(), "what is on its way is not offered"
    Delivery.objects.update(
        status=DeliveryStatus.FAILED, due_at=None, attempts=5, problem="the answer was 500, not 2xx"
    )
    shown = person.get(ADDRESS).content.decode()
    assert address in shown
    assert "with the same id and body" in shown
    said = person.post(address, follow=True).content.decode()
    assert "on its way once more" in said
    (again,) = Delivery.objects.all()
    assert (again.pk, again.body, again.status, again.attempts) == (sent.pk, sent.body, DeliveryStatus.PENDING, 0)
    Delivery.objects.update(status=DeliveryStatus.FAILED, due_at=None)
    Webhook.objects.update(disabled_at=webhook.created_at, disabled_reason="nobody answered")
    assert address not in person.get(ADDRESS).content.decode(), "a deactivated webhook is activated first"
    assert "activate it first" in person.post(address, follow=True).content.decode()
    assert Delivery.objects.get().status == DeliveryStatus.FAILED


def test_a_delivery_is_sent_again_to_its_own_webhook_alone(person: Client, webhook: Webhook, owner: User) -> None:
    sent = services.webhook_send(webhook=services.webhook_create(owner=owner, url=PUBLIC).row, actor=owner)
    Delivery.objects.update(status=DeliveryStatus.FAILED, due_at=None)
    assert person.post(f"{ADDRESS}{webhook.pk}/{sent.pk}/redeliver/").status_code == 404
    assert Delivery.objects.get().status == DeliveryStatus.FAILED


def test_it_is_its_owners(person: Client, stranger: Client, client: Client, webhook: Webhook) -> None:
    for action in ("delete", "activate", "test"):
        address = f"{ADDRESS}{webhook.pk}/{action}/"
        assert stranger.post(address).status_code == 404
        assert person.get(address).status_code == 405
        assert Client().post(address).headers["Location"].startswith("/login/")
    assert PUBLIC not in stranger.get(ADDRESS).content.decode()
    person.post(f"{ADDRESS}{webhook.pk}/delete/")
    assert PUBLIC not in person.get(ADDRESS).content.decode()
