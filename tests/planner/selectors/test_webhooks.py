"""Webhooks and what was delivered to them."""

import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from planner import selectors
from planner.errors import NotFound
from planner.models import Delivery, Webhook


@pytest.fixture
def webhook(owner: User) -> Webhook:
    """A webhook with three deliveries."""
    made = Webhook.objects.create(owner=owner, url="https://example.org", events=["run.failed"], nonce="n")
    for number in range(3):
        Delivery.objects.create(webhook=made, event="run.failed", target=f"run_{number}", due_at=timezone.now())
    return made


def test_deliveries_begin_with_the_newest(webhook: Webhook, owner: User) -> None:
    targets = [row.target for row in webhook.deliveries.all()]
    assert targets == ["run_2", "run_1", "run_0"]
    (listed,) = selectors.webhooks_told(user=owner, latest=2)
    assert [row.target for row in getattr(listed, "told")] == targets[:2]  # noqa: B009 - a prefetched attribute


def test_a_webhook_is_its_owners_until_it_is_deleted(webhook: Webhook, owner: User, stranger: User) -> None:
    assert selectors.webhook_get(user=owner, webhook_id=webhook.pk) == webhook
    with pytest.raises(NotFound):
        selectors.webhook_get(user=stranger, webhook_id=webhook.pk)
    Webhook.objects.update(deleted_at=timezone.now())
    assert not selectors.webhooks_list(user=owner).exists()
    with pytest.raises(NotFound):
        selectors.webhook_get(user=owner, webhook_id=webhook.pk)
