"""The columns of a message log: what a row must say and what it may say."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Column:
    """One column. Instants are seconds (epoch or any common zero) or ISO 8601 timestamps in UTC.

    Of metric samples only: ``role`` is what the column means in the common schema (``layouts``), ``factor`` turns its
    unit into that of the role, ``interval`` says that a count begins anew with every row, ``shared`` that every
    instance reports the same number of a queue that they share.
    """

    name: str
    meaning: str
    required: bool = False
    role: str = ""
    factor: float = 1.0
    interval: bool = False
    shared: bool = False


COLUMNS = (
    Column("arrival", "instant at which the message reached the queue", required=True),
    Column("start", "instant at which its first delivery began", required=True),
    Column("end", "instant at which its last delivery ended", required=True),
    Column("queue", "name of the queue", required=True),
    Column("instance", "server instance that processed it; one instance when left out"),
    Column("outcome", "completed, failed or expired; completed when left out"),
    Column("deliveries", "number of deliveries, 1 or more; 1 when left out"),
    Column("message_id", "id that no other message of the queue has; no look for duplicates when left out"),
)
OUTCOMES = ("completed", "failed", "expired")

REASONS = {
    "encoding": "the row is not UTF-8 text",
    "unreadable": "an instant or the queue is missing or cannot be read",
    "clock_backwards": "the delivery begins before the message arrived",
    "negative_duration": "the delivery ends before it began",
    "unknown_outcome": f"the outcome is none of {', '.join(OUTCOMES)}",
    "bad_deliveries": "the number of deliveries is not a whole number of 1 or more",
    "duplicate": "the queue has an earlier message of the same id",
}
"""Why a row is put aside; the first reason that applies counts."""


class TelemetryRefused(ValueError):
    """The log as a whole cannot be used; the message says why."""
