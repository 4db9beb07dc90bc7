"""Service accounts and their tokens: an administrator makes them, and the account itself cannot make more."""

import re
from collections.abc import Sequence
from datetime import datetime, timedelta

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.utils import timezone

from planner.errors import Conflict, Forbidden
from planner.models import ServiceAccount, audit
from planner.services.tokens import IssuedToken, token_create
from simulations.declarations.problems import InvalidInput, problem

PERMISSION = "planner.manage_service_accounts"
USER_PREFIX = "service-"
LONGEST_DAYS = 366
"""A token of a program that is forgotten ends by itself."""
_NAME = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,98}[a-z0-9])?")


def service_manage_check(*, actor: User | None) -> None:
    """Raise Forbidden unless ``actor`` is a person who may manage service accounts."""
    if actor is None or hasattr(actor, "service_account") or not actor.has_perm(PERMISSION):
        raise Forbidden("only an administrator manages service accounts")


@transaction.atomic
def service_create(*, actor: User, name: str, purpose: str = "") -> ServiceAccount:
    """Make an account. Raises Forbidden, InvalidInput for a name of other characters, Conflict for a taken one."""
    service_manage_check(actor=actor)
    if not _NAME.fullmatch(name):
        message = "use 1 to 100 small letters, digits and hyphens, no hyphen first or last"
        raise InvalidInput([problem(("name",), message, value=name)])
    try:
        with transaction.atomic():
            user = User(username=f"{USER_PREFIX}{name}")
            user.set_unusable_password()
            user.save()
            made = ServiceAccount.objects.create(user=user, name=name, purpose=purpose, created_by=actor)
    except IntegrityError:
        raise Conflict(f"there is a service account or user {name!r} already; choose another name") from None
    audit(actor=actor, action="service.create", target=made.pk, name=name)
    return made


@transaction.atomic
def service_disable(*, account: ServiceAccount, actor: User | None) -> None:
    """End an account with all its tokens; what it owns stays. Doing so again changes nothing. Raises Forbidden."""
    service_manage_check(actor=actor)
    if ServiceAccount.objects.filter(pk=account.pk, disabled_at=None).update(disabled_at=timezone.now()):
        User.objects.filter(pk=account.user_id).update(is_active=False)
        audit(actor=actor, action="service.disable", target=account.pk)


def service_token_create(
    *, account: ServiceAccount, actor: User, name: str, scopes: Sequence[str], expires_at: datetime | None
) -> IssuedToken:
    """Make a token of an account. It must expire. Raises Forbidden, Conflict for a disabled account, InvalidInput."""
    service_manage_check(actor=actor)
    if account.disabled_at is not None:
        raise Conflict("the account is disabled; make another one")
    if expires_at is None or expires_at > timezone.now() + timedelta(days=LONGEST_DAYS):
        message = f"tokens of service accounts expire: give a time within {LONGEST_DAYS} days"
        raise InvalidInput([problem(("expires_at",), message, value=str(expires_at or ""))])
    return token_create(owner=account.user, actor=actor, name=name, scopes=scopes, expires_at=expires_at)
