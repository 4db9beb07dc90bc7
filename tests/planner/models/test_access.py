"""What the database refuses of tokens and kept answers."""

import pytest
from django.contrib.auth.models import User
from django.db import IntegrityError, transaction

from planner.models import ApiToken, AuditEvent, IdempotentAnswer, Scenario, ServiceAccount, audit


def test_a_hash_is_stored_once(owner: User) -> None:
    first = ApiToken.objects.create(owner=owner, name="ci", prefix="slc_123456", digest="d", scopes=["read"])
    assert (first.pk[:4], str(first)) == ("tok_", "ci (slc_123456…)")
    with pytest.raises(IntegrityError), transaction.atomic():
        ApiToken.objects.create(owner=owner, name="ci", prefix="slc_123456", digest="d")


def test_a_key_is_kept_once_for_each_owner(owner: User, stranger: User) -> None:
    for person in (owner, stranger):
        IdempotentAnswer.objects.create(owner=person, key="k", request_hash="h")
    with pytest.raises(IntegrityError), transaction.atomic():
        IdempotentAnswer.objects.create(owner=owner, key="k", request_hash="other")


def test_a_name_belongs_to_one_account(owner: User, stranger: User) -> None:
    account = ServiceAccount.objects.create(user=owner, name="ci", created_by=stranger)
    assert (str(account), owner.service_account) == ("ci", account)
    with pytest.raises(IntegrityError), transaction.atomic():
        ServiceAccount.objects.create(user=stranger, name="ci", created_by=owner)


def test_an_event_names_actor_action_target_and_details(owner: User) -> None:
    audit(actor=owner, action="scenario.update", row=Scenario(pk="scn_1"), version=3)
    audit(actor=None, action="token.use", row=ApiToken(pk="tok_1"))
    reap, update = AuditEvent.objects.order_by("-pk")
    assert (update.actor, update.action, update.target, update.details) == (
        owner,
        "scenario.update",
        "scn_1",
        {"version": 3},
    )
    assert (reap.actor, reap.details) == (None, {})
