"""Answers to creating requests, kept for a day under the caller's key."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from planner.errors import IdempotencyMismatch
from planner.models import IdempotentAnswer
from planner.models.report import payload_digest

KEPT = timedelta(days=1)


@dataclass(frozen=True)
class Answer:
    """An answer as it goes over the wire."""

    status: int
    body: Any
    headers: dict[str, str]
    replayed: bool = field(default=False, compare=False)
    """Whether an earlier request got it."""


def answer_kept(*, owner: User, key: str, request: object) -> Answer | None:
    """Return the answer kept under ``key``, None where there is none. Raises IdempotencyMismatch as ``answer_once``."""
    row = IdempotentAnswer.objects.filter(owner=owner, key=key, created_at__gte=timezone.now() - KEPT).first()
    return None if row is None else _answer_of(row, payload_digest(request))


@transaction.atomic
def answer_once(*, owner: User, key: str, request: object, produce: Callable[[], Answer]) -> Answer:
    """Return the answer kept under ``key``, or produce it and keep it, in one transaction.

    ``produce`` only stores: what takes long comes before, as everybody else who writes to SQLite waits for its end.
    Two equal requests at the same moment wait for each other, and the second gets the first one's answer. When
    ``produce`` raises nothing is kept. Raises IdempotencyMismatch when the key belongs to another request.
    """
    digest = payload_digest(request)
    kept = IdempotentAnswer.objects.filter(owner=owner)
    kept.filter(created_at__lt=timezone.now() - KEPT).delete()
    row, new = kept.get_or_create(owner=owner, key=key, defaults={"request_hash": digest})
    if not new:
        return _answer_of(row, digest)
    answer = produce()
    row.status, row.body, row.headers = answer.status, answer.body, answer.headers
    row.save()
    return answer


def _answer_of(row: IdempotentAnswer, digest: str) -> Answer:
    if row.request_hash != digest:
        raise IdempotencyMismatch("this Idempotency-Key was used for another request; choose a new one")
    return Answer(row.status, row.body, row.headers, replayed=True)
