"""Databases and caches from their URLs; the cache is the broker's Redis, whatever way its address is written."""

from pathlib import Path

import pytest
from django.core.cache import caches
from django.core.exceptions import ImproperlyConfigured
from django.db import connection
from django.test import override_settings
from redis import Redis

from planner.settings.connections import (
    OF_THIS_PROCESS,
    POSTGRESQL_OPTIONS,
    cache_settings,
    database_settings,
    redis_address,
)

DEFAULT = Path("/state/sluice.sqlite3")


@pytest.mark.parametrize(
    ("broker", "address"),
    [
        ("redis://:secret@redis:6379/0", "redis://:secret@redis:6379/0"),
        ("redis+socket:///run/broker.sock?virtual_host=3", "unix:///run/broker.sock?db=3"),
        ("rediss://redis:6380/1?ssl_cert_reqs=CERT_REQUIRED", "rediss://redis:6380/1?ssl_cert_reqs=required"),
    ],
)
def test_celerys_address_is_said_in_the_clients_words(broker: str, address: str) -> None:
    assert redis_address(broker) == address


@pytest.mark.redis
def test_what_one_process_counts_the_others_see(redis_url: str) -> None:
    with override_settings(CACHES=cache_settings(redis_url)):
        caches["default"].add("asked", 0)
        assert caches["default"].incr("asked") == 1
    with Redis.from_url(redis_address(redis_url)) as other:
        (key,) = other.scan_iter("sluice:*asked")
        assert other.get(key) == b"1"


def test_without_a_broker_each_process_has_its_own() -> None:
    found = cache_settings(None)
    assert found["default"] == found[OF_THIS_PROCESS]


def test_no_url_means_sqlite_in_the_state_folder() -> None:
    assert database_settings("", default=DEFAULT)["NAME"] == DEFAULT


def test_sqlite_paths_are_absolute() -> None:
    assert database_settings("sqlite:////data/s.db", default=DEFAULT)["NAME"] == Path("/data/s.db")
    assert database_settings("sqlite:///s.db", default=DEFAULT)["NAME"] == Path("s.db").absolute()


def test_postgresql_with_everything() -> None:
    found = database_settings("postgresql://sluice:p%40ss@db:5433/plans?sslmode=require", default=DEFAULT)
    expected = {"NAME": "plans", "USER": "sluice", "PASSWORD": "p@ss", "HOST": "db", "PORT": "5433"}
    assert {name: found[name] for name in expected} == expected
    assert found["OPTIONS"] == {**POSTGRESQL_OPTIONS, "sslmode": "require"}


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
