"""Django's cache settings: what all web processes share is counted in the broker's Redis."""

from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from redis.backoff import NoBackoff
from redis.retry import Retry

SECONDS = 0.25
"""No request waits longer than this for a Redis that is away."""
OF_THIS_PROCESS = "process"
"""Name of the cache that stands in where there is no Redis."""


def cache_settings(broker_url: str | None) -> dict[str, dict[str, Any]]:
    """Return the `CACHES` of a broker's URL; without one each process keeps its own."""
    own = {"BACKEND": "django.core.cache.backends.locmem.LocMemCache", "LOCATION": OF_THIS_PROCESS}
    if broker_url is None:
        return {"default": own, OF_THIS_PROCESS: own}
    shared = {
        "BACKEND": "django.core.cache.backends.redis.RedisCache",
        "LOCATION": redis_address(broker_url),
        "KEY_PREFIX": "sluice",
        "OPTIONS": {"socket_connect_timeout": SECONDS, "socket_timeout": SECONDS, "retry": Retry(NoBackoff(), 0)},
    }
    return {"default": shared, OF_THIS_PROCESS: own}


def redis_address(broker_url: str) -> str:
    """Return the address of Celery's broker as the Redis client spells it."""
    parts = urlsplit(broker_url)
    query = dict(parse_qsl(parts.query))
    if "ssl_cert_reqs" in query:
        query["ssl_cert_reqs"] = query["ssl_cert_reqs"].removeprefix("CERT_").lower()
    if parts.scheme != "redis+socket":
        return urlunsplit(parts._replace(query=urlencode(query)))
    query["db"] = query.pop("virtual_host", "0")
    # Not urlunsplit: it would drop the empty host of a scheme that it does not know.
    return f"unix://{parts.netloc}{parts.path}?{urlencode(query)}"
