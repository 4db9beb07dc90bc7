"""Errors of a request beyond single fields (those are ``simulations.declarations.problems.InvalidInput``)."""

import re
from collections.abc import Iterator
from contextlib import contextmanager

from django.db import IntegrityError, transaction


class PlannerError(Exception):
    """An error that the caller can understand and fix; the text says how."""

    @property
    def code(self) -> str:
        """Name of the problem in answers: that of the class, for example ``not_found``."""
        return "_".join(re.findall("[A-Z][a-z]+", type(self).__name__)).lower()


class NotFound(PlannerError):
    """There is no such thing, or it belongs to another person: the caller cannot tell which."""

    def __init__(self, what: str, key: object) -> None:
        super().__init__(f"there is no {what} {str(key)[:60]!r} of yours")


class Conflict(PlannerError):
    """The thing's present state does not allow the request."""


class QuotaReached(Conflict):
    """The person has as much under way as one person may; later there is room again."""


class Throttled(PlannerError):
    """The caller asks more often than one may; ``wait`` seconds later there is room again."""

    def __init__(self, what: str, wait: float) -> None:
        self.wait = max(1, round(wait))
        super().__init__(f"{what}; ask again in {self.wait} s")


class Forbidden(PlannerError):
    """The caller may see the thing, but not do this with it."""


class Stale(PlannerError):
    """The thing was changed since the caller read it."""

    def __init__(self, present: object) -> None:
        super().__init__(f"it was changed since you read it and is now at revision {present}; read it again")


class Unavailable(PlannerError):
    """Something that this needs is not available now; the text says what would help."""


class ClaimLost(PlannerError):
    """The worker's claim on a run is no longer valid: another worker has it, or the run is over. Stop working."""


class IdempotencyMismatch(PlannerError):
    """The Idempotency-Key was used before for another request."""

    code = "idempotency_key_reused"


@contextmanager
def conflict_where_taken(text: str) -> Iterator[None]:
    """Store rows inside, all or none; raises Conflict with the text where what must be unique is there already."""
    try:
        with transaction.atomic():
            yield
    except IntegrityError:
        raise Conflict(text) from None
