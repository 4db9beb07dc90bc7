"""Database URLs."""

from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.db import connection

from planner.settings.databases import database_settings

DEFAULT = Path("/state/sluice.sqlite3")


def test_no_url_means_sqlite_in_the_state_folder() -> None:
    assert database_settings("", default=DEFAULT)["NAME"] == DEFAULT


def test_sqlite_paths_are_absolute() -> None:
    assert database_settings("sqlite:////data/s.db", default=DEFAULT)["NAME"] == Path("/data/s.db")
    assert database_settings("sqlite:///s.db", default=DEFAULT)["NAME"] == Path("s.db").absolute()


def test_postgresql_with_everything() -> None:
    found = database_settings("postgresql://sluice:p%40ss@db:5433/plans?sslmode=require", default=DEFAULT)
    expected = {"NAME": "plans", "USER": "sluice", "PASSWORD": "p@ss", "HOST": "db", "PORT": "5433"}
    assert {name: found[name] for name in expected} == expected
    assert found["OPTIONS"] == {"sslmode": "require"}


def test_postgresql_on_a_socket() -> None:
    assert database_settings("postgresql://postgres:@/postgres?host=/run/pg", default=DEFAULT)["HOST"] == "/run/pg"


@pytest.mark.parametrize("url", ["mysql://h/d", "postgresql://h", "sqlite://", "nonsense"])
def test_other_urls_are_refused(url: str) -> None:
    with pytest.raises(ImproperlyConfigured, match="DATABASE_URL"):
        database_settings(url, default=DEFAULT)


@pytest.mark.django_db
def test_sqlite_writers_queue_at_begin() -> None:
    if connection.vendor == "sqlite":
        assert connection.settings_dict["OPTIONS"]["transaction_mode"] == "IMMEDIATE"
        with connection.cursor() as cursor:
            assert cursor.execute("PRAGMA synchronous").fetchone() == (1,)
