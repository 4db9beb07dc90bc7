"""The worker's sign of life: it renews the lease, hears a cancel and notices a lost claim."""

from datetime import timedelta

import pytest
from django.db import DatabaseError
from django.utils import timezone

from planner import services
from planner.jobs import claims, heartbeat
from planner.jobs.heartbeat import Heartbeat
from planner.models import Run
from tests.claims import silent, taken
from tests.waiting import PATIENCE, wait_until

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _fast(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(heartbeat, "BEAT_SECONDS", 0.02)


@pytest.fixture
def claimed(run: Run) -> Run:
    """A run that a worker holds."""
    return taken(run)


def beating(run: Run, claim: str) -> Heartbeat:
    return Heartbeat(run.pk, lambda: claims.run_heartbeat(run_id=run.pk, claim=claim))


def is_fresh(run: Run) -> bool:
    run.refresh_from_db()
    return run.heartbeat_at is not None and run.heartbeat_at > timezone.now() - timedelta(seconds=10)


def test_the_lease_is_renewed_while_the_block_lasts(claimed: Run) -> None:
    with beating(claimed, claimed.claim_token) as life:
        silent(claimed)
        wait_until(lambda: is_fresh(claimed), "the lease is renewed")
        assert not life.must_stop()
    silent(claimed)
    assert not is_fresh(claimed)


def test_a_cancel_is_heard(claimed: Run) -> None:
    with beating(claimed, claimed.claim_token) as life:
        services.run_cancel(run=claimed, actor=claimed.owner)
        assert life.wait(PATIENCE)


def test_a_lost_claim_stops_the_work(claimed: Run) -> None:
    with beating(claimed, "another worker's claim") as life:
        assert life.wait(PATIENCE)


def test_a_database_that_is_away_for_a_moment_stops_nothing(
    claimed: Run, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def away(**_: str) -> None:
        raise DatabaseError("away")

    with monkeypatch.context() as patch, beating(claimed, claimed.claim_token) as life:
        patch.setattr(claims, "run_heartbeat", away)
        wait_until(lambda: "no heartbeat" in caplog.text, "a beat fails")
        patch.undo()
        silent(claimed)
        wait_until(lambda: is_fresh(claimed), "the lease is renewed again")
        assert not life.must_stop()
