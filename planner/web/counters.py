"""Numbers that all web processes count together, in the broker's Redis: of one caller's requests, of all answers."""

import logging
from collections.abc import Iterator
from http import HTTPStatus

from django.core.cache import BaseCache, caches
from redis import RedisError

from planner.settings.connections import OF_THIS_PROCESS

AREAS, KEY = ("api", "pages", "admin"), "answers:{}:{}"

logger = logging.getLogger(__name__)


def counted(key: str, *, seconds: int | None, by: int = 1) -> int:
    """Add one, or ``by``, to what ``key`` holds and return it; forgotten after ``seconds``, None for never. Without
    Redis requests go through, each process counts for itself, and the log says so."""
    try:
        return _count(caches["default"], key, seconds, by)
    except RedisError as error:
        count = _count(caches[OF_THIS_PROCESS], key, seconds, by)
        if count == 1:
            logger.warning("requests are counted by each web process for itself: %s", error)
        return count


def answer_counted(path: str, status: int) -> None:
    """Count an answer by part of the product and status, and nothing about who asked."""
    first = path.split("/", 2)[1] if path.startswith("/") else ""
    counted(KEY.format(first if first in AREAS else "pages", status), seconds=None)


def requests_counted() -> Iterator[tuple[str, int, int]]:
    """Yield area, status and number of answers of all web processes; of this one alone where there is no Redis."""
    places = {KEY.format(area, status.value): (area, status.value) for area in AREAS for status in HTTPStatus}
    try:
        counts = caches["default"].get_many(places)
    except RedisError:
        counts = caches[OF_THIS_PROCESS].get_many(places)
    yield from ((*place, counts[key]) for key, place in places.items() if counts.get(key))


def _count(cache: BaseCache, key: str, seconds: int | None, by: int) -> int:
    try:
        count = cache.incr(key, by)
    except ValueError:  # nobody has counted yet, or the broker has lost its data
        count = by if cache.add(key, by, timeout=seconds) else cache.incr(key, by)
    if count == by:  # a key that ends while Django's Redis cache counts is made anew without an end
        cache.touch(key, seconds)
    return count
