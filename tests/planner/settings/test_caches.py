"""The cache is the broker's Redis, whatever way its address is written."""

import pytest
from django.core.cache import caches
from django.test import override_settings
from redis import Redis

from planner.settings.caches import OF_THIS_PROCESS, cache_settings, redis_address


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
