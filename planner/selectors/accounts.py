"""Service accounts; only those who manage them see them."""

from django.db.models import QuerySet

from planner.errors import NotFound
from planner.models import ApiToken, ServiceAccount


def services_list() -> QuerySet[ServiceAccount]:
    """All accounts, newest first, disabled ones included."""
    return ServiceAccount.objects.select_related("user", "created_by")


def service_get(*, service_id: str) -> ServiceAccount:
    """One account; raises NotFound."""
    found = services_list().filter(pk=service_id).first()
    if found is None:
        raise NotFound("service account", service_id)
    return found


def service_tokens(*, account: ServiceAccount) -> QuerySet[ApiToken]:
    """The account's tokens, newest first, revoked ones included."""
    return ApiToken.objects.filter(owner_id=account.user_id)
