"""What operators scrape, computed from the database: states, durations, workers and failures."""

from datetime import timedelta

import pytest
from django.core.cache import caches
from django.utils import timezone
from prometheus_client.parser import text_string_to_metric_families

from planner.jobs.leases import job_touch
from planner.jobs.metrics import metrics_text
from planner.models import Run, RunStatus
from planner.web.counters import answer_counted
from simulations import ENGINE_VERSION
from tests.claims import taken


def samples() -> dict[str, float]:
    """Return the scraped numbers by name and labels."""
    families = text_string_to_metric_families(metrics_text().decode())
    return {
        " ".join([item.name, *(f"{name}={value}" for name, value in sorted(item.labels.items()))]): item.value
        for family in families
        for item in family.samples
    }


@pytest.mark.django_db
def test_without_jobs_every_state_is_there_with_zero() -> None:
    found = samples()
    assert found[f"sluice_build_info engine={ENGINE_VERSION}"] == 1
    states = [name for name in found if name.startswith("sluice_jobs ")]
    assert len(states) == 6 * len(RunStatus)
    assert {found[name] for name in states} == {0}
    assert (found["sluice_heartbeat_age_seconds"], found["sluice_oldest_queued_run_seconds"]) == (0, 0)
    assert not [name for name in found if name.startswith("sluice_failed_jobs")]


def test_a_worker_is_seen_by_its_oldest_heartbeat_its_attempts_and_its_session(run: Run) -> None:
    job_touch(taken(run), spark_session="s-1")
    Run.objects.update(attempt=3, heartbeat_at=timezone.now() - timedelta(hours=1))
    found = samples()
    assert 3600 <= found["sluice_heartbeat_age_seconds"] < 7200
    assert (found["sluice_job_attempts"], found["sluice_spark_sessions"]) == (3, 1)
    assert found["sluice_jobs kind=run status=running"] == 1


def test_durations_are_cumulative_histograms_of_what_succeeded(run: Run) -> None:
    began = timezone.now()
    Run.objects.update(created_at=began - timedelta(seconds=20), started_at=began)
    assert samples()["sluice_run_duration_seconds_count"] == 0
    ended = began + timedelta(seconds=4)
    Run.objects.update(status=RunStatus.SUCCEEDED, result_hash="0" * 64, finished_at=ended)
    found = samples()
    waits = [found[f"sluice_run_queue_wait_seconds_bucket le={end}"] for end in ("10.0", "30.0", "+Inf")]
    assert (waits, found["sluice_run_queue_wait_seconds_sum"]) == ([0, 1, 1], 20)
    assert (found["sluice_run_duration_seconds_bucket le=5.0"], found["sluice_run_duration_seconds_sum"]) == (1, 4)


def test_failures_are_counted_by_code_and_answers_by_area(run: Run) -> None:
    Run.objects.update(status=RunStatus.FAILED, error={"code": "internal", "message": "broken"})
    caches["default"].clear()
    for _ in range(2):
        answer_counted("/api/v1/runs", 200)
    found = samples()
    caches["default"].clear()
    assert found["sluice_failed_jobs code=internal"] == 1
    assert found["sluice_requests_total area=api status=200"] == 2
