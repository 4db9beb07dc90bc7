"""Webhooks and what was delivered to them; secrets are stored nowhere."""

from django.db.models import Prefetch, QuerySet

from planner.models import Delivery, Webhook
from planner.selectors.owned import Person, owned_by, visible

webhook_get = owned_by(Webhook.objects.filter(deleted_at=None).select_related("owner"), "webhook_id")


def webhooks_list(*, user: Person) -> QuerySet[Webhook]:
    """The webhooks that the user sees, newest first, deactivated ones included and deleted ones left out."""
    return visible(Webhook.objects.filter(deleted_at=None), user=user)


def webhooks_told(*, user: Person, latest: int) -> QuerySet[Webhook]:
    """The user's webhooks, each with its ``latest`` deliveries as ``told``."""
    deliveries = Prefetch("deliveries", Delivery.objects.all()[:latest], to_attr="told")
    return webhooks_list(user=user).prefetch_related(deliveries)
