"""Django's databases and caches, each from one URL: what all web processes share is counted in the broker's Redis."""

from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, unquote, urlencode, urlsplit, urlunsplit

from django.core.exceptions import ImproperlyConfigured
from redis.backoff import NoBackoff
from redis.retry import Retry

from planner.settings.environment import Environment

SQLITE_OPTIONS = {
    # Writers queue at BEGIN instead of failing half-way, and readers are never blocked.
    "transaction_mode": "IMMEDIATE",
    "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;",
    "timeout": 20,
}
REDIS_SECONDS = 0.25
"""No request waits longer than this for a Redis that is away."""
BROKER_SECONDS = 2.0
"""No sender of a task waits longer than this for an answer of a broker that hangs."""
POSTGRESQL_OPTIONS = {
    "connect_timeout": "5",
    # Of a statement that waits for another one, and of one that computes; `manage.py install` has no such limit.
    "options": "-c lock_timeout=20s -c statement_timeout=60s",
}
OF_THIS_PROCESS = "process"
"""Name of the cache that stands in where there is no Redis."""


def database_settings(url: str, *, default: Path) -> dict[str, Any]:
    """The `DATABASES["default"]` of a URL; an empty one means SQLite at `default`. Raises ImproperlyConfigured when the
    scheme is not sqlite, postgres or postgresql, or the name is missing."""
    if not url:
        return _sqlite(default)
    parts = urlsplit(url)
    name = unquote(parts.path.removeprefix("/"))
    if parts.scheme == "sqlite" and name:
        return _sqlite(Path(name).absolute())
    if parts.scheme not in ("postgres", "postgresql") or not name:
        raise ImproperlyConfigured("DATABASE_URL: must be sqlite:///file or postgresql://user:password@host:port/name")
    query = dict(parse_qsl(parts.query))
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": name,
        "USER": unquote(parts.username or ""),
        "PASSWORD": unquote(parts.password or ""),
        "HOST": query.pop("host", None) or parts.hostname or "",
        "PORT": str(parts.port or ""),
        "OPTIONS": {**POSTGRESQL_OPTIONS, **query},
    }


def _sqlite(file: Path) -> dict[str, Any]:
    return {"ENGINE": "django.db.backends.sqlite3", "NAME": file, "OPTIONS": SQLITE_OPTIONS}


def provider_settings(given: Environment) -> list[dict[str, Any]]:
    """Return the provider of OpenID Connect as allauth knows it, with its host as its id; none without a secret."""
    issuer, secret_file = given.oidc_issuer, given.oidc_client_secret_file
    if secret_file is None:
        return []
    settings = {"server_url": issuer, "oauth_pkce_enabled": True}
    app = {"provider_id": urlsplit(issuer).hostname, "name": given.oidc_name, "client_id": given.oidc_client_id}
    return [{**app, "settings": settings, "secret": secret_file.read_text().strip()}]


def cache_settings(broker_url: str | None) -> dict[str, dict[str, Any]]:
    """Return the `CACHES` of a broker's URL; without one each process keeps its own."""
    own = {"BACKEND": "django.core.cache.backends.locmem.LocMemCache", "LOCATION": OF_THIS_PROCESS}
    if broker_url is None:
        return {"default": own, OF_THIS_PROCESS: own}
    limits = {"socket_connect_timeout": REDIS_SECONDS, "socket_timeout": REDIS_SECONDS}
    shared = {
        "BACKEND": "django.core.cache.backends.redis.RedisCache",
        "LOCATION": redis_address(broker_url),
        "KEY_PREFIX": "sluice",
        "OPTIONS": {**limits, "retry": Retry(NoBackoff(), 0)},
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
