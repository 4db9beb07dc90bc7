"""Webhooks and what was delivered to them; secrets are stored nowhere."""

from django.db.models import Prefetch, QuerySet

from planner.errors import NotFound
from planner.models import Delivery, Webhook
from planner.selectors.owned import Person, owned, visible


def webhooks_list(*, user: Person) -> QuerySet[Webhook]:
    """The webhooks that the user sees, newest first, deactivated ones included and deleted ones left out."""
    return visible(Webhook.objects.filter(deleted_at=None), user=user)


def webhooks_told(*, user: Person, latest: int) -> QuerySet[Webhook]:
    """The user's webhooks, each with its ``latest`` deliveries as ``told``."""
    deliveries = Prefetch("deliveries", Delivery.objects.all()[:latest], to_attr="told")
    return webhooks_list(user=user).prefetch_related(deliveries)


def webhook_get(*, user: Person, webhook_id: str) -> Webhook:
    """One webhook; raises NotFound, also for a deleted one."""
    webhook = owned(Webhook.objects.select_related("owner"), user=user, key=webhook_id)
    if webhook.deleted_at is not None:
        raise NotFound("webhook", webhook_id)
    return webhook


def webhook_deliveries(*, webhook: Webhook) -> QuerySet[Delivery]:
    """What was told to a webhook, newest first."""
    return webhook.deliveries.all()
