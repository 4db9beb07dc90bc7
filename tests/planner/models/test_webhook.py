"""What the database refuses of deliveries."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.utils import timezone

from planner.models import Delivery, Webhook


@pytest.mark.parametrize("change", [{"due_at": None}, {"status": "lost"}], ids=["pending without a time", "status"])
def test_a_pending_delivery_is_due_and_every_status_known(owner: User, change: dict[str, Any]) -> None:
    webhook = Webhook.objects.create(owner=owner, url="https://example.org", nonce="n")
    row = Delivery(webhook=webhook, event="run.failed", target="run_1", due_at=timezone.now())
    row.save()
    assert str(row) == "run.failed of run_1 (pending)"
    with pytest.raises(IntegrityError), transaction.atomic():
        Delivery.objects.update(**change)
    Delivery.objects.update(status="delivered", due_at=None)
