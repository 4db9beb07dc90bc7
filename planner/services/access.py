"""API tokens and service accounts with theirs: 160 random bits, shown once and stored as a hash; and webhooks.

The secrets of webhooks are derived by the server and stored nowhere.
"""

import re
import secrets
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from allauth.mfa.base.internal.flows import delete_dangling_recovery_codes
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.contrib.auth.models import User
from django.db import transaction
from django.http import HttpRequest
from django.utils import timezone

from planner.errors import Conflict, Forbidden, conflict_where_taken
from planner.jobs.deliveries import deliver, delivery_repeat, webhook_policy, webhook_secret
from planner.models import ApiToken, Delivery, Scope, ServiceAccount, Webhook, WebhookEvent, audit
from planner.models.report import secret_digest
from planner.selectors import tokens_valid
from planner.selectors.owned import first_of
from planner.services.rows import Issued
from planner.web.outbound import Refused, Unreachable, checked_addresses, checked_url
from simulations.declarations.problems import InvalidInput, nearest, problem

PREFIX = "slc_"
USE_NOTED_EVERY = timedelta(minutes=1)
"""``last_used_at`` is this exact at most, so that reading does not mean writing each time."""


@transaction.atomic
def token_create(
    *,
    owner: User,
    name: str,
    scopes: Sequence[str],
    expires_at: datetime | None = None,
    actor: User | None = None,
    within: Sequence[str] = Scope.values,
) -> Issued[ApiToken]:
    """Make a token for its owner, who makes it unless ``actor`` does.

    ``within``: the scopes of the token that asks for it. Raises InvalidInput for scopes beyond these, unknown ones,
    none at all, or an expiry in the past; Forbidden for a service account that would make its own.
    """
    if actor is None and hasattr(owner, "service_account"):
        raise Forbidden("an administrator makes the tokens of a service account")
    lacks, problems = f"the token that asks lacks it; name some of {', '.join(within)}", []
    for index, scope in enumerate(scopes):
        if scope not in Scope.values or scope not in within:
            why = lacks if scope in Scope.values else f"unknown scope; {nearest(scope, Scope.values)}"
            problems.append(problem(("scopes", index), why, value=scope))
    if not scopes:
        problems.append(problem(("scopes",), f"name at least one of {', '.join(Scope.values)}"))
    if expires_at is not None and expires_at <= timezone.now():
        problems.append(problem(("expires_at",), "lies in the past; choose a later time", value=str(expires_at)))
    if problems:
        raise InvalidInput(problems)
    secret = PREFIX + secrets.token_hex(20)
    token = ApiToken.objects.create(
        owner=owner,
        name=name,
        prefix=secret[: len(PREFIX) + 6],
        digest=secret_digest(secret),
        scopes=sorted(set(scopes)),
        expires_at=expires_at,
    )
    audit(actor=actor or owner, action="token.create", row=token, owner=owner.pk, scopes=token.scopes)
    return Issued(token, secret)


def token_use(*, secret: str) -> ApiToken | None:
    """Return the valid token of an active user for this secret, or None."""
    now = timezone.now()
    token = tokens_valid().select_related("owner").filter(digest=secret_digest(secret)).first()
    if token is not None and (token.last_used_at is None or token.last_used_at < now - USE_NOTED_EVERY):
        ApiToken.objects.filter(pk=token.pk).update(last_used_at=now)
    return token


@transaction.atomic
def token_revoke(*, token: ApiToken, actor: User | None = None) -> None:
    """End a token now, in the owner's name unless ``actor`` does it; revoking again changes nothing."""
    if ApiToken.objects.filter(pk=token.pk, revoked_at=None).update(revoked_at=timezone.now()):
        audit(actor=actor or token.owner, action="token.revoke", row=token)


def session_note(*, request: HttpRequest) -> None:
    """Keep where a browser is signed in from, once a day and when its session gets another key."""
    key, noted = request.session.session_key, f"{request.session.session_key} {timezone.localdate()}"
    if key and request.user.is_authenticated and request.session.get("noted") != noted:
        UserSession.objects.create_from_request(request)
        request.session["noted"] = noted


@transaction.atomic
def session_end(*, session: UserSession, actor: User) -> None:
    """Sign a browser out: people their own, administrators anybody's; raises Forbidden."""
    if session.user_id != actor.pk and not actor.has_perm("usersessions.change_usersession"):
        raise Forbidden("only an administrator signs others out")
    session.end()
    about = {"person": session.user.get_username(), "address": session.ip, "browser": session.user_agent}
    audit(actor=actor, action="sign-in.end", row=session.user, **about)


@transaction.atomic
def factor_end(*, factor: Authenticator, actor: User | None) -> None:
    """Let somebody sign in without a second factor that they lost; recovery codes end with the last one."""
    audit(actor=actor, action="factor.end", row=factor.user, person=factor.user.get_username(), type=factor.type)
    factor.delete()
    delete_dangling_recovery_codes(factor.user)


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
        raise InvalidInput.at(("name",), message, value=name)
    with conflict_where_taken(f"there is a service account or user {name!r} already; choose another name"):
        user = User(username=f"{USER_PREFIX}{name}")
        user.set_unusable_password()
        user.save()
        made = ServiceAccount.objects.create(user=user, name=name, purpose=purpose, created_by=actor)
    audit(actor=actor, action="service.create", row=made, name=name)
    return made


@transaction.atomic
def service_disable(*, account: ServiceAccount, actor: User | None) -> None:
    """End an account with all its tokens; what it owns stays. Doing so again changes nothing. Raises Forbidden."""
    service_manage_check(actor=actor)
    if ServiceAccount.objects.filter(pk=account.pk, disabled_at=None).update(disabled_at=timezone.now()):
        User.objects.filter(pk=account.user_id).update(is_active=False)
        audit(actor=actor, action="service.disable", row=account)


def service_token_create(
    *, account: ServiceAccount, actor: User, expires_at: datetime | None, **asked: Any
) -> Issued[ApiToken]:
    """``token_create`` for an account; it must expire. Raises Forbidden, Conflict for a disabled one, InvalidInput."""
    service_manage_check(actor=actor)
    if account.disabled_at is not None:
        raise Conflict("the account is disabled; make another one")
    if expires_at is None or expires_at > timezone.now() + timedelta(days=LONGEST_DAYS):
        message = f"tokens of service accounts expire: give a time within {LONGEST_DAYS} days"
        raise InvalidInput.at(("expires_at",), message, value=str(expires_at or ""))
    return token_create(owner=account.user, actor=actor, expires_at=expires_at, **asked)


MOST_WEBHOOKS = 20
"""Of one person alone."""


def webhook_create(*, owner: User, url: str, events: Sequence[str] = ()) -> Issued[Webhook]:
    """Make a webhook for some events, or for all. Raises InvalidInput for an address that may not be called, Conflict.
    The name is resolved once here, outside the transaction, so that a typing error is seen at once."""
    problems = [
        problem(("events", place), f"unknown event; {nearest(event, WebhookEvent.values)}", value=event)
        for place, event in enumerate(events)
        if event not in WebhookEvent.values
    ]
    try:
        checked_addresses(checked_url(url, webhook_policy()), webhook_policy())
    except (Refused, Unreachable) as error:
        problems.append(problem(("url",), str(error), value=url[:200]))
    if problems:
        raise InvalidInput(problems)
    return _created(owner, url, list(dict.fromkeys(events)) or list(WebhookEvent.values))


@transaction.atomic
def _created(owner: User, url: str, events: list[str]) -> Issued[Webhook]:
    if Webhook.objects.filter(owner=owner, team=None, deleted_at=None).count() >= MOST_WEBHOOKS:
        raise Conflict(f"you have {MOST_WEBHOOKS} webhooks; delete one first")
    made = Webhook.objects.create(owner=owner, url=url, events=events, nonce=secrets.token_hex(16))
    audit(actor=owner, action="webhook.create", row=made, url=url, events=events)
    return Issued(made, webhook_secret(made))


@transaction.atomic
def webhook_delete(*, webhook: Webhook, actor: User) -> None:
    """End a webhook; the record of its deliveries stays. Deleting again changes nothing."""
    if Webhook.objects.filter(pk=webhook.pk, deleted_at=None).update(deleted_at=timezone.now()):
        audit(actor=actor, action="webhook.delete", row=webhook)


@transaction.atomic
def webhook_activate(*, webhook: Webhook, actor: User) -> Webhook:
    """Let a deactivated webhook try again, for events from now on; an active one stays as it is."""
    fresh = {"disabled_at": None, "disabled_reason": "", "failures": 0}
    disabled = Webhook.objects.filter(pk=webhook.pk, deleted_at=None, disabled_at__isnull=False)
    if disabled.update(**fresh):
        audit(actor=actor, action="webhook.activate", row=webhook)
    webhook.refresh_from_db()
    return webhook


@transaction.atomic
def webhook_send(*, webhook: Webhook, actor: User, delivery_id: str = "") -> Delivery:
    """Send a test, or once more a delivery that is over; raises NotFound, Conflict for a deactivated webhook."""
    again = first_of(webhook.deliveries.filter(pk=delivery_id), "delivery", delivery_id) if delivery_id else None
    if not webhook.active:
        raise Conflict("the webhook is deactivated; activate it first")
    sent = delivery_repeat(delivery=again) if again else deliver([webhook], "webhook.test", {"id": webhook.pk})[0]
    audit(actor=actor, action="webhook.send", row=webhook, delivery=sent.pk)
    return sent
