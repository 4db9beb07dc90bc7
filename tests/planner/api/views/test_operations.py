"""Operators' metrics: right numbers in the right form, for those who watch over the installation and nobody else."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.core.cache import caches
from django.test import override_settings
from django.utils import timezone
from prometheus_client.parser import text_string_to_metric_families
from redis import Redis
from rest_framework.test import APIClient

from planner import services
from planner.jobs.leases import LEASE, job_touch
from planner.models import Run, RunStatus
from planner.settings.connections import cache_settings, redis_address
from planner.settings.environment import Environment
from simulations.pipeline.spark.server import ServerPlan
from tests.claims import taken
from tests.planner.api.conftest import TokenClient

ADDRESS = "/api/v1/metrics"
Found = dict[tuple[str, tuple[tuple[str, str], ...]], float]


def environment(**changes: Any) -> Any:
    values = {**settings.ENVIRONMENT.model_dump(), **changes}
    return override_settings(ENVIRONMENT=Environment.model_validate(values))


@pytest.fixture
def scraper(owner: User, token_client: TokenClient) -> APIClient:
    """An administrator's token."""
    owner.is_staff = True
    owner.save()
    return token_client(owner, "admin")


@pytest.fixture(autouse=True)
def _uncounted() -> Iterator[None]:
    caches["default"].clear()
    yield
    caches["default"].clear()


def read(client: APIClient) -> Found:
    """Read the text as Prometheus does."""
    answer = client.get(ADDRESS)
    assert answer.status_code == 200, answer.content
    assert answer["Content-Type"].startswith("text/plain")
    families = text_string_to_metric_families(answer.content.decode())
    return {
        (item.name, tuple(sorted(item.labels.items()))): item.value for family in families for item in family.samples
    }


def of(found: Found, name: str, **labels: str) -> float:
    return found[name, tuple(sorted(labels.items()))]


def test_runs_are_counted_by_state(scraper: APIClient, run: Run) -> None:
    found = read(scraper)
    assert of(found, "sluice_jobs", kind="run", status="queued") == 1
    assert of(found, "sluice_jobs", kind="calibration", status="paused") == 0
    Run.objects.update(created_at=timezone.now() - 4 * LEASE)
    assert 110 < of(read(scraper), "sluice_oldest_queued_run_seconds") < 200
    services.job_pause(run, actor=run.owner)
    found = read(scraper)
    assert of(found, "sluice_jobs", kind="run", status="paused") == 1
    assert of(found, "sluice_oldest_queued_run_seconds") == 0


def test_the_time_until_and_from_the_first_worker_are_histograms(scraper: APIClient, finished: Run) -> None:
    began = timezone.now()
    Run.objects.update(created_at=began - LEASE, started_at=began, finished_at=began + 0.1 * LEASE)
    found = read(scraper)
    wait, took = "sluice_run_queue_wait_seconds", "sluice_run_duration_seconds"
    assert [of(found, f"{wait}_bucket", le=end) for end in ("10.0", "30.0", "60.0", "+Inf")] == [0, 1, 1, 1]
    assert [of(found, f"{took}_bucket", le=end) for end in ("2.0", "5.0", "+Inf")] == [0, 1, 1]
    assert (of(found, f"{wait}_sum"), of(found, f"{took}_sum"), of(found, f"{took}_count")) == (30, 3, 1)


def test_a_silent_worker_is_seen(scraper: APIClient, run: Run) -> None:
    claimed = taken(run)
    job_touch(claimed, spark_session="s-1")
    assert of(read(scraper), "sluice_heartbeat_age_seconds") < 10
    Run.objects.update(heartbeat_at=timezone.now() - LEASE)
    found = read(scraper)
    assert 30 <= of(found, "sluice_heartbeat_age_seconds") < 60
    assert (of(found, "sluice_spark_sessions"), of(found, "sluice_job_attempts")) == (1, 1)


def test_failures_are_counted_by_their_error(scraper: APIClient, run: Run) -> None:
    Run.objects.update(status=RunStatus.FAILED, error={"code": "spark_unavailable", "message": "away"})
    assert of(read(scraper), "sluice_failed_jobs", code="spark_unavailable") == 1


def test_requests_are_counted_by_status(scraper: APIClient, nobody: APIClient) -> None:
    nobody.get("/api/v1/version")
    nobody.get("/api/v1/version")
    nobody.get("/api/v1/runs")
    nobody.get("/")
    found = read(scraper)
    counted = [
        of(found, "sluice_requests_total", area=area, status=status)
        for area, status in (("api", "200"), ("api", "401"), ("pages", "302"))
    ]
    assert counted == [2, 1, 1]


@pytest.mark.redis
def test_all_web_processes_count_together(scraper: APIClient, nobody: APIClient, redis_url: str) -> None:
    with override_settings(CACHES=cache_settings(redis_url)):
        with Redis.from_url(redis_address(redis_url)) as another_process:
            for kept in another_process.scan_iter("sluice:*answers:*"):
                another_process.delete(kept)
            nobody.get("/api/v1/version")
            (key,) = another_process.scan_iter("sluice:*answers:api:200")
            another_process.incrby(key, 41)
        assert of(read(scraper), "sluice_requests_total", area="api", status="200") == 42


def test_a_spark_server_that_is_away_is_seen(scraper: APIClient) -> None:
    with environment(spark_remote="sc://127.0.0.1:1"):
        assert of(read(scraper), "sluice_spark_up") == 0


@pytest.mark.spark
def test_a_spark_server_that_listens_is_seen(scraper: APIClient, spark_server: ServerPlan) -> None:
    with environment(spark_remote=spark_server.remote):
        assert of(read(scraper), "sluice_spark_up") == 1


def test_it_tells_nothing_about_persons(scraper: APIClient, finished: Run) -> None:
    text = scraper.get(ADDRESS).content.decode()
    assert not [word for word in (finished.pk, "ada", finished.spec["name"], "w1") if word in text]


def test_only_administrators_and_service_accounts_read_it(
    client: APIClient, nobody: APIClient, owner: User, token_client: TokenClient
) -> None:
    assert nobody.get(ADDRESS).status_code == 401
    assert client.get(ADDRESS).status_code == 403, "everybody can give themselves the scope"
    owner.is_staff = True
    owner.save()
    assert token_client(owner, "read").get(ADDRESS).status_code == 403
    assert client.get(ADDRESS).status_code == 200
    assert client.post(ADDRESS).status_code == 405


@pytest.mark.parametrize(("address", "status"), [("10.1.2.3", 200), ("10.2.2.3", 401), ("::1", 401), ("", 401)])
def test_a_network_may_be_allowed(nobody: APIClient, db: None, address: str, status: int) -> None:
    with environment(metrics_networks=("10.1.0.0/16",)):
        assert nobody.get(ADDRESS, REMOTE_ADDR=address).status_code == status
