"""One caller's requests are counted once for all web processes."""

import pytest
from django.core.cache import caches
from django.test import override_settings
from redis import Redis
from rest_framework.test import APIClient

from planner.api.auth import ApiThrottle
from planner.settings.connections import cache_settings, redis_address

ADDRESS = "/api/v1/presets"


@pytest.fixture(autouse=True)
def _uncounted() -> None:
    caches["default"].clear()


@pytest.mark.redis
def test_requests_are_counted_in_redis(client: APIClient, redis_url: str) -> None:
    with override_settings(CACHES=cache_settings(redis_url)):
        left = [int(client.get(ADDRESS)["RateLimit-Remaining"]) for _ in range(2)]
    with Redis.from_url(redis_address(redis_url)) as other:
        counted = sum(int(other.get(key) or 0) for key in other.scan_iter("sluice:*asked:user-*"))
    assert counted == 2
    assert all(0 < number < ApiThrottle.most for number in left)


def test_a_redis_that_is_away_stops_nobody_and_is_said(client: APIClient, caplog: pytest.LogCaptureFixture) -> None:
    with override_settings(CACHES=cache_settings("redis://127.0.0.1:1/0")):
        caches["process"].clear()
        answers = [client.get(ADDRESS) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [200, 200]
    assert "counted by each web process" in caplog.text
    assert all(int(answer["RateLimit-Remaining"]) < ApiThrottle.most for answer in answers)


def test_beyond_the_limit_the_answer_says_when_to_come_back(client: APIClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ApiThrottle, "most", 0)
    refused = client.get(ADDRESS)
    assert (refused.status_code, refused["Content-Type"]) == (429, "application/problem+json")
    assert (refused["RateLimit-Limit"], refused["RateLimit-Remaining"]) == ("0", "0")
    assert 1 <= int(refused["Retry-After"]) <= 60
    assert 1 <= int(refused["RateLimit-Reset"]) <= 60
    said = f"more than 0 requests within a minute; ask again in {refused['Retry-After']} s"
    assert refused.json()["detail"] == said
