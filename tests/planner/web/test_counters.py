"""What is counted together, by caller and by answer; without Redis each process goes on for itself."""

from collections.abc import Iterator

import pytest
from django.core.cache import caches
from django.core.cache.backends.locmem import LocMemCache
from django.test import override_settings
from redis import Redis

from planner.settings.connections import OF_THIS_PROCESS, cache_settings, redis_address
from planner.web.counters import answer_counted, counted, requests_counted


@pytest.fixture(autouse=True)
def _uncounted() -> Iterator[None]:
    for name in ("default", OF_THIS_PROCESS):
        caches[name].clear()
    yield
    for name in ("default", OF_THIS_PROCESS):
        caches[name].clear()


def test_each_key_has_its_own_count() -> None:
    assert [counted("a", seconds=60), counted("a", seconds=60), counted("b", seconds=None)] == [1, 2, 1]


@pytest.mark.parametrize(
    ("path", "area"),
    [
        ("/api/v1/runs", "api"),
        ("/admin/", "admin"),
        ("/", "pages"),
        ("/runs/", "pages"),
        ("/apis", "pages"),
        ("*", "pages"),
    ],
)
def test_an_answer_counts_for_the_part_of_the_product_that_its_address_names(path: str, area: str) -> None:
    answer_counted(path, 200)
    answer_counted(path, 404)
    answer_counted(path, 404)
    assert sorted(requests_counted()) == [(area, 200, 1), (area, 404, 2)]


def test_without_redis_each_process_counts_for_itself_and_says_so_once(caplog: pytest.LogCaptureFixture) -> None:
    with override_settings(CACHES=cache_settings("redis://127.0.0.1:1/0")):
        caches[OF_THIS_PROCESS].clear()
        for _ in range(2):
            answer_counted("/", 200)
        assert list(requests_counted()) == [("pages", 200, 2)]
    assert caplog.text.count("by each web process for itself") == 1


class Forgetful(LocMemCache):
    """Loses its data between the two steps of a count, as a broker does that is told to."""

    def add(self, key: str, value: object, timeout: float | None = None, version: int | None = None) -> bool:
        self.clear()
        return True


def test_a_count_that_is_lost_in_between_begins_again() -> None:
    place = {
        "default": {"BACKEND": "tests.planner.web.test_counters.Forgetful"},
        OF_THIS_PROCESS: cache_settings(None)[OF_THIS_PROCESS],
    }
    with override_settings(CACHES=place):
        assert counted("a", seconds=60) == 1


@pytest.mark.redis
@pytest.mark.parametrize("by", [0, 1])
def test_a_count_that_runs_out_while_it_is_made_runs_out_again(
    redis_url: str, by: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Django asks Redis whether the key is there and then adds to it; a key that ends in between must not stay."""
    there = Redis.exists

    def last_moment(client: Redis, key: str) -> int:
        found = there(client, key)
        client.delete(key)
        return int(found)

    with override_settings(CACHES=cache_settings(redis_url)):
        caches["default"].clear()
        counted("a", seconds=60)
        monkeypatch.setattr(Redis, "exists", last_moment)
        assert counted("a", seconds=60, by=by) == by
        key = caches["default"].make_key("a")
        assert 0 < Redis.from_url(redis_address(redis_url)).ttl(key) <= 60
        caches["default"].clear()
