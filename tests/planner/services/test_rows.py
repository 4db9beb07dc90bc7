"""Names that are unique among those of their owner."""

from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from planner.errors import Conflict, IdempotencyMismatch
from planner.models import AuditEvent, IdempotentAnswer, SavedView
from planner.services.rows import KEPT, Answer, answer_kept, answer_once, row_save


def test_a_row_is_stored_with_new_values_and_a_note(owner: User) -> None:
    view = row_save(SavedView(owner=owner), {"name": "Mine", "query": "x=1"}, "view.create")
    assert SavedView.objects.get() == view
    event = AuditEvent.objects.get()
    assert (event.actor, event.action, event.target) == (owner, "view.create", view.pk)


def test_a_taken_name_changes_nothing(owner: User, stranger: User) -> None:
    row_save(SavedView(owner=owner), {"name": "Mine"}, "view.create")
    row_save(SavedView(owner=stranger), {"name": "Mine"}, "view.create")
    with pytest.raises(Conflict, match="the name 'Mine' is taken already"):
        row_save(SavedView(owner=owner), {"name": "Mine"}, "view.create")
    assert (SavedView.objects.count(), AuditEvent.objects.count()) == (2, 2)


FIRST = Answer(201, {"id": "a"}, {"Location": "/a"})


def produce() -> Answer:
    return FIRST


def never() -> Answer:
    raise AssertionError("the answer is known")


def test_an_answer_is_produced_once(owner: User) -> None:
    assert answer_kept(owner=owner, key="k", request=["POST", 1]) is None
    assert answer_once(owner=owner, key="k", request=["POST", 1], produce=produce) == FIRST
    assert answer_once(owner=owner, key="k", request=["POST", 1], produce=never) == FIRST
    assert answer_kept(owner=owner, key="k", request=["POST", 1]) == FIRST


def test_another_request_may_not_use_the_key(owner: User, stranger: User) -> None:
    answer_once(owner=owner, key="k", request=["POST", 1], produce=produce)
    with pytest.raises(IdempotencyMismatch, match="used for another request"):
        answer_kept(owner=owner, key="k", request=["POST", 2])
    with pytest.raises(IdempotencyMismatch, match="used for another request"):
        answer_once(owner=owner, key="k", request=["POST", 2], produce=never)
    assert answer_kept(owner=stranger, key="k", request=["POST", 2]) is None


def test_what_fails_is_not_kept(owner: User) -> None:
    def failing() -> Answer:
        raise ValueError

    with pytest.raises(ValueError):
        answer_once(owner=owner, key="k", request=[], produce=failing)
    assert not IdempotentAnswer.objects.exists()


def test_after_a_day_the_key_is_free(owner: User) -> None:
    answer_once(owner=owner, key="k", request=[1], produce=produce)
    IdempotentAnswer.objects.update(created_at=timezone.now() - KEPT - timedelta(seconds=1))
    assert answer_kept(owner=owner, key="k", request=[2]) is None
    assert answer_once(owner=owner, key="k", request=[2], produce=produce) == FIRST
    assert IdempotentAnswer.objects.count() == 1
