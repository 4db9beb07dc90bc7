"""Numbers that all web processes count together, in the broker's Redis."""

import logging

from django.core.cache import BaseCache, caches
from redis import RedisError

from planner.settings.caches import OF_THIS_PROCESS

logger = logging.getLogger(__name__)


def counted(key: str, *, seconds: int | None) -> int:
    """Add one to what ``key`` holds and return it; forgotten after ``seconds``, None for never.

    Without Redis people go on, each process counts for itself, and the log says so.
    """
    try:
        return _count(caches["default"], key, seconds)
    except RedisError as error:
        found = _count(caches[OF_THIS_PROCESS], key, seconds)
        if found == 1:
            logger.warning("requests are counted by each web process for itself: %s", error)
        return found


def counts(keys: dict[str, object]) -> dict[str, int]:
    """Return what was counted under the keys; those of this process alone where there is no Redis."""
    try:
        found = caches["default"].get_many(keys)
    except RedisError:
        found = caches[OF_THIS_PROCESS].get_many(keys)
    return dict(found)


def _count(cache: BaseCache, key: str, seconds: int | None) -> int:
    cache.add(key, 0, timeout=seconds)
    return cache.incr(key)
