"""Service accounts, for those who manage them, and API tokens, without their secrets: those are stored nowhere."""

from django.db.models import Q, QuerySet
from django.utils import timezone

from planner.models import ApiToken, ServiceAccount
from planner.selectors.owned import Person, first_of, owned_by

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
