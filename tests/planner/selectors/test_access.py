"""Which tokens open something, and who sees service accounts."""

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from planner import selectors, services
from planner.errors import NotFound
from planner.models import ApiToken


@pytest.fixture
def token(owner: User) -> ApiToken:
    """A token that lasts."""
    return services.token_create(owner=owner, name="ci", scopes=["read"]).row


def test_a_token_opens_until_it_ends(token: ApiToken) -> None:
    assert list(selectors.tokens_valid()) == [token]


@pytest.mark.parametrize(
    "change", [{"revoked_at": timezone.now()}, {"expires_at": timezone.now() - timedelta(seconds=1)}]
)
def test_a_token_that_ended_opens_nothing_and_is_listed(token: ApiToken, change: dict[str, Any]) -> None:
    ApiToken.objects.update(**change)
    assert not selectors.tokens_valid().exists()
    assert list(selectors.tokens_list(user=token.owner)) == [token]


def test_a_token_of_somebody_who_left_opens_nothing(token: ApiToken) -> None:
    User.objects.update(is_active=False)
    assert not selectors.tokens_valid().exists()


def test_tokens_are_their_owners(token: ApiToken, stranger: User) -> None:
    assert selectors.token_get(user=token.owner, token_id=token.pk) == token
    with pytest.raises(NotFound):
        selectors.token_get(user=stranger, token_id=token.pk)


def test_an_account_that_does_not_exist_is_named(db: None) -> None:
    with pytest.raises(NotFound, match="service account 'svc_1'"):
        selectors.service_get(service_id="svc_1")
