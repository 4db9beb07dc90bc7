"""Webhooks: make, end and wake them; their secrets are derived by the server and stored nowhere."""

import secrets
from collections.abc import Sequence

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from planner.errors import Conflict
from planner.jobs.deliveries import webhook_policy, webhook_secret
from planner.models import Webhook, WebhookEvent, audit
from planner.services.rows import Issued
from planner.web.outbound import Refused, Unreachable, checked_addresses, checked_url
from simulations.declarations.problems import InvalidInput, nearest, problem

MOST_WEBHOOKS = 20
"""Of one person alone."""


def webhook_create(*, owner: User, url: str, events: Sequence[str] = ()) -> Issued[Webhook]:
    """Make a webhook for some events, or for all. Raises InvalidInput for an address that may not be called, Conflict.

    The name is resolved once here, outside the transaction, so that a typing error is seen at once.
    """
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
