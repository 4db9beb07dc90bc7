"""API tokens, without their secrets: those are stored nowhere."""

from django.db.models import QuerySet

from planner.models import ApiToken
from planner.selectors.owned import Person, owned


def tokens_list(*, user: Person) -> QuerySet[ApiToken]:
    """The user's tokens, newest first, revoked ones included."""
    return ApiToken.objects.filter(owner_id=user.pk)


def token_get(*, user: Person, token_id: str) -> ApiToken:
    """One token; raises NotFound."""
    return owned(ApiToken.objects.all(), user=user, key=token_id)
