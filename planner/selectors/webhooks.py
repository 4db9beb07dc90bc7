"""Webhooks and what was delivered to them; secrets are stored nowhere."""

from django.db.models import QuerySet

from planner.errors import NotFound
from planner.models import Delivery, Webhook
from planner.selectors.owned import Person, owned


def webhooks_list(*, user: Person) -> QuerySet[Webhook]:
    """The user's webhooks, newest first, deactivated ones included and deleted ones left out."""
    return Webhook.objects.filter(owner_id=user.pk, deleted_at=None)


def webhook_get(*, user: Person, webhook_id: str) -> Webhook:
    """One webhook; raises NotFound, also for a deleted one."""
    found = owned(Webhook.objects.select_related("owner"), user=user, key=webhook_id)
    if found.deleted_at is not None:
        raise NotFound("webhook", webhook_id)
    return found


def webhook_deliveries(*, webhook: Webhook) -> QuerySet[Delivery]:
    """What was told to a webhook, newest first."""
    return webhook.deliveries.all()
