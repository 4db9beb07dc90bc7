"""What the log says of an error, kept for the staff: short, and without secrets."""

import pytest
from django.conf import settings

from planner import services
from planner.jobs.endings import FRAMES, excerpt, job_compute, without_secrets
from planner.jobs.leases import MAX_ATTEMPTS, Heartbeat
from planner.models import Run


def deep(level: int) -> None:
    if level == 0:
        raise ValueError("cannot reach postgresql://sluice:very-hidden@db:5432/x")
    deep(level - 1)


def test_the_last_calls_are_named_and_passwords_are_hidden() -> None:
    try:
        deep(2 * FRAMES)
    except ValueError as error:
        lines = excerpt(error)
    assert len(lines) == FRAMES + 1
    assert lines[0].startswith("tests/planner/jobs/test_endings.py:")
    assert lines[0].endswith(" in deep")
    assert lines[-1] == "ValueError: cannot reach postgresql://•••@db:5432/x"


def test_the_installations_own_secret_is_hidden() -> None:
    assert without_secrets(f"key {settings.SECRET_KEY} refused") == "key ••• refused"


@pytest.mark.django_db
def test_a_worker_that_is_told_to_end_gives_its_run_back_and_did_not_die(run: Run) -> None:
    def ended(job: Run, heartbeat: Heartbeat) -> None:
        raise SystemExit(-241)

    for _ in range(MAX_ATTEMPTS + 2):
        with pytest.raises(SystemExit):
            job_compute(Run, key=run.pk, worker="w1", task_id="", work=ended)
        run.refresh_from_db()
        assert (run.status, run.attempt, run.claim_token, run.worker) == ("queued", 0, "", "")


@pytest.mark.django_db
@pytest.mark.parametrize(("ask", "status"), [("job_cancel", "cancelled"), ("job_pause", "paused")])
def test_what_the_owner_asked_for_meanwhile_holds_when_the_worker_ends(run: Run, ask: str, status: str) -> None:
    def ended(job: Run, heartbeat: Heartbeat) -> None:
        getattr(services, ask)(job, actor=job.owner)
        raise SystemExit(-241)

    with pytest.raises(SystemExit):
        job_compute(Run, key=run.pk, worker="w1", task_id="", work=ended)
    run.refresh_from_db()
    assert run.status == status
