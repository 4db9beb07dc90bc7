"""Django's database settings from one URL."""

from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured

SQLITE_OPTIONS = {
    # Writers queue at BEGIN instead of failing half-way, and readers are never blocked.
    "transaction_mode": "IMMEDIATE",
    "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;",
    "timeout": 20,
}


def database_settings(url: str, *, default: Path) -> dict[str, Any]:
    """The `DATABASES["default"]` of a URL; an empty one means SQLite at `default`.

    Raises ImproperlyConfigured when the scheme is not sqlite, postgres or postgresql, or the name is missing.
    """
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
        "OPTIONS": query,
    }


def _sqlite(file: Path) -> dict[str, Any]:
    return {"ENGINE": "django.db.backends.sqlite3", "NAME": file, "OPTIONS": SQLITE_OPTIONS}
