"""Rows with names unique among their owner's, rows with a secret, and answers kept a day under a caller's key."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any, Generic, TypeVar

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Model
from django.utils import timezone

from planner.errors import IdempotencyMismatch, conflict_where_taken
from planner.models import IdempotentAnswer, Queue, SavedView, Server, audit
from planner.models.report import payload_digest

Row = TypeVar("Row", bound=Server | Queue | SavedView)
Shown = TypeVar("Shown", bound=Model)
WORDS: Mapping[type, str] = {Server: "server", Queue: "queue", SavedView: "view"}
"""What the audit trail calls them."""
KEPT = timedelta(days=1)


@dataclass(frozen=True)
class Issued(Generic[Shown]):
    """A new token, webhook or link; ``secret`` is the only time that it can be read."""

    row: Shown
    secret: str


def row_save(row: Row, values: Mapping[str, Any], action: str, actor: User | None = None) -> Row:
    """Store the row with new values and note who did it: ``actor``, or its owner. Raises Conflict for a taken name."""
    for name, value in values.items():
        setattr(row, name, value)
    with conflict_where_taken(f"the name {row.name!r} is taken already; choose another"):
        row.save()
        audit(actor=actor or row.owner, action=action, row=row)
    return row


def row_archive(*, row: Row, actor: User | None = None, archived: bool = True) -> Row:
    """Take the row out of the lists, a server with its queues, or put it back. Scenarios hold copies and keep theirs.
    Raises Conflict when another row has taken the name meanwhile."""
    at = (row.archived_at or timezone.now()) if archived else None
    return row_save(row, {"archived_at": at}, f"{WORDS[type(row)]}.{'archive' if archived else 'restore'}", actor)


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
