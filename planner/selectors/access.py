"""Service accounts, for those who manage them, API tokens, and webhooks with their deliveries, all without secrets."""

from django.db.models import Prefetch, Q, QuerySet
from django.utils import timezone

from planner.models import ApiToken, Delivery, ServiceAccount, Webhook
from planner.selectors.owned import Person, first_of, owned_by, visible

token_get = owned_by(ApiToken.objects.all(), "token_id")


def services_list() -> QuerySet[ServiceAccount]:
    """All accounts, newest first, disabled ones included."""
    return ServiceAccount.objects.select_related("user", "created_by")


def service_get(*, service_id: str) -> ServiceAccount:
    """One account; raises NotFound."""
    return first_of(services_list().filter(pk=service_id), "service account", service_id)


def tokens_list(*, user: Person) -> QuerySet[ApiToken]:
    """The user's tokens, newest first, revoked ones included."""
    return ApiToken.objects.filter(owner_id=user.pk)


def tokens_valid() -> QuerySet[ApiToken]:
    """All tokens that open something now: not revoked, not expired, of somebody active."""
    lasting = Q(expires_at=None) | Q(expires_at__gt=timezone.now())
    return ApiToken.objects.filter(lasting, revoked_at=None, owner__is_active=True)


webhook_get = owned_by(Webhook.objects.filter(deleted_at=None).select_related("owner"), "webhook_id")


def webhooks_list(*, user: Person) -> QuerySet[Webhook]:
    """The webhooks that the user sees, newest first, deactivated ones included and deleted ones left out."""
    return visible(Webhook.objects.filter(deleted_at=None), user=user)


def webhooks_told(*, user: Person, latest: int) -> QuerySet[Webhook]:
    """The user's webhooks, each with its ``latest`` deliveries as ``told``."""
    deliveries = Prefetch("deliveries", Delivery.objects.all()[:latest], to_attr="told")
    return webhooks_list(user=user).prefetch_related(deliveries)
