"""Answers to creating requests, kept for a day under the caller's key."""

import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from planner.errors import IdempotencyMismatch
from planner.models import IdempotentAnswer

KEPT = timedelta(days=1)


@dataclass(frozen=True)
class Answer:
    """An answer as it goes over the wire."""

    status: int
    body: Any
    headers: dict[str, str]


@transaction.atomic
def answer_once(*, owner: User, key: str, request: object, produce: Callable[[], Answer]) -> Answer:
    """Return the answer kept under ``key``, or produce it and keep it, in one transaction.

    Two equal requests at the same moment wait for each other, and the second gets the first one's answer. When
    ``produce`` raises nothing is kept. Raises IdempotencyMismatch when the key belongs to another request.
    """
    digest = hashlib.sha256(json.dumps(request, sort_keys=True).encode()).hexdigest()
    kept = IdempotentAnswer.objects.filter(owner=owner)
    kept.filter(created_at__lt=timezone.now() - KEPT).delete()
    row, new = kept.get_or_create(owner=owner, key=key, defaults={"request_hash": digest})
    if row.request_hash != digest:
        raise IdempotencyMismatch("this Idempotency-Key was used for another request; choose a new one")
    if not new:
        return Answer(row.status, row.body, row.headers)
    answer = produce()
    row.status, row.body, row.headers = answer.status, answer.body, answer.headers
    row.save()
    return answer
