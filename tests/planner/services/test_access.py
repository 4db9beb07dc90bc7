"""Tokens and service accounts: who makes them, and what is refused."""

import hashlib
from datetime import timedelta

import pytest
from django.contrib.auth.models import Permission, User
from django.utils import timezone

from planner import services
from planner.errors import Conflict, Forbidden
from planner.models import ApiToken, AuditEvent, ServiceAccount
from planner.services.access import LONGEST_DAYS
from simulations.declarations.problems import InvalidInput


@pytest.fixture
def manager(owner: User) -> User:
    """Somebody who manages service accounts."""
    owner.user_permissions.add(Permission.objects.get(codename="manage_service_accounts"))
    return User.objects.get(pk=owner.pk)


@pytest.fixture
def account(manager: User) -> ServiceAccount:
    """A program's account."""
    return services.service_create(actor=manager, name="ci", purpose="builds")


def test_a_secret_is_shown_once_and_used_by_its_hash(owner: User) -> None:
    issued = services.token_create(owner=owner, name="mine", scopes=["run", "read", "run"])
    stored = ApiToken.objects.get()
    assert (stored.scopes, stored.prefix) == (["read", "run"], issued.secret[:10])
    assert stored.digest == hashlib.sha256(issued.secret.encode()).hexdigest()
    assert services.token_use(secret=issued.secret) == stored
    assert services.token_use(secret=issued.secret + "0") is None


def test_use_is_noted_once_a_minute(owner: User) -> None:
    secret = services.token_create(owner=owner, name="mine", scopes=["read"]).secret
    services.token_use(secret=secret)
    first = ApiToken.objects.get().last_used_at
    assert first is not None
    services.token_use(secret=secret)
    assert ApiToken.objects.get().last_used_at == first
    long_ago = first - timedelta(seconds=61)
    ApiToken.objects.update(last_used_at=long_ago)
    services.token_use(secret=secret)
    assert ApiToken.objects.filter(last_used_at__gte=first).exists()


def test_revoking_twice_is_noted_once(owner: User) -> None:
    token = services.token_create(owner=owner, name="mine", scopes=["read"]).row
    services.token_revoke(token=token)
    ended = ApiToken.objects.get().revoked_at
    services.token_revoke(token=token)
    assert ApiToken.objects.get().revoked_at == ended
    assert AuditEvent.objects.filter(action="token.revoke").count() == 1


@pytest.mark.parametrize("name", ["", "-ci", "ci-", "CI", "c i", "x" * 101])
def test_an_account_has_a_plain_name(manager: User, name: str) -> None:
    with pytest.raises(InvalidInput, match="small letters, digits and hyphens"):
        services.service_create(actor=manager, name=name)


def test_a_name_is_taken_once(manager: User, account: ServiceAccount) -> None:
    with pytest.raises(Conflict, match="'ci' already"):
        services.service_create(actor=manager, name="ci")
    assert account.user.get_username() == "service-ci"
    assert not account.user.has_usable_password()


def test_only_people_with_the_permission_manage_accounts(account: ServiceAccount, stranger: User) -> None:
    account.user.user_permissions.add(Permission.objects.get(codename="manage_service_accounts"))
    for actor in (stranger, None, User.objects.get(pk=account.user_id)):
        with pytest.raises(Forbidden, match="only an administrator"):
            services.service_manage_check(actor=actor)


def test_an_account_does_not_make_its_own_tokens(account: ServiceAccount) -> None:
    with pytest.raises(Forbidden, match="an administrator makes"):
        services.token_create(owner=account.user, name="more", scopes=["read"])


def test_tokens_of_an_account_expire(manager: User, account: ServiceAccount) -> None:
    late = timezone.now() + timedelta(days=LONGEST_DAYS + 1)
    for expires in (None, late):
        with pytest.raises(InvalidInput, match=f"within {LONGEST_DAYS} days"):
            services.service_token_create(
                account=account, actor=manager, name="ci", scopes=["read"], expires_at=expires
            )
    soon = timezone.now() + timedelta(days=LONGEST_DAYS - 1)
    issued = services.service_token_create(account=account, actor=manager, name="ci", scopes=["read"], expires_at=soon)
    assert issued.row.owner == account.user


def test_a_disabled_account_ends_with_its_tokens(manager: User, account: ServiceAccount) -> None:
    soon = timezone.now() + timedelta(days=1)
    issued = services.service_token_create(account=account, actor=manager, name="ci", scopes=["read"], expires_at=soon)
    services.service_disable(account=account, actor=manager)
    services.service_disable(account=account, actor=manager)
    assert services.token_use(secret=issued.secret) is None
    assert AuditEvent.objects.filter(action="service.disable").count() == 1
    account.refresh_from_db()
    with pytest.raises(Conflict, match="disabled"):
        services.service_token_create(account=account, actor=manager, name="x", scopes=["read"], expires_at=soon)
