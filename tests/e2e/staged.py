"""Runs in the states that a page shows, made by the services from the answers of a finished run: nothing is computed.

`python -m tests.e2e.staged RUN` in the environment of an installation prints the new runs' ids by state as JSON. No
worker takes them up: their leases and their sending lie a day ahead.
"""

import json
import os
import subprocess
import sys
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from simulations.pipeline.spark.server import PROJECT

if TYPE_CHECKING:
    from planner.models import Run
    from simulations.analysis.estimates.summary import PointSummary

PROGRESS = {
    "fraction": 0.4,
    "points_done": 0,
    "replications_done": 8,
    "precision_now": 0.031,
    "precision_target": 0.01,
    "eta_s": 40.0,
}
SEED = 900_000
"""Each run gets a seed of its own, or it would be answered with the finished one."""


def staged(folder: str, address: str, run_id: str) -> dict[str, str]:
    """Make the runs in the installation of that state folder and return their ids by state."""
    variables = {
        **os.environ,
        "STATE_DIR": folder,
        "PUBLIC_URL": address,
        "BROKER_URL": "redis://127.0.0.1:1/0",
        "DJANGO_SETTINGS_MODULE": "planner.settings.django",
    }
    command = [sys.executable, "-m", "tests.e2e.staged", run_id]
    made = subprocess.run(command, env=variables, cwd=PROJECT, stdout=subprocess.PIPE, text=True, check=True)
    ids: dict[str, str] = json.loads(made.stdout)
    return ids


def _made(done: "Run") -> dict[str, str]:
    from planner.selectors import run_points

    answers = [point.summary for point in run_points(run=done)]
    states = {
        "queued": _queued,
        "running": _running,
        "cancelling": _cancelling,
        "cancelled": _cancelled,
        "failed": _failed,
        "not converged": _not_converged,
        "unstable": _unstable,
        "pausing": _pausing,
        "paused": _paused,
    }
    ids = {}
    for place, (name, make) in enumerate(states.items()):
        run = _started(done, place)
        make(run, answers)
        ids[name] = run.pk
    return ids


def _started(done: "Run", place: int) -> "Run":
    from planner import services

    return services.run_start(version=done.version, owner=done.owner, seed=SEED + place).run


def _ahead(run: "Run", time: str) -> None:
    """Put what the watch over lost runs looks at a day ahead."""
    from django.utils import timezone

    from planner.models import Run

    Run.objects.filter(pk=run.pk).update(**{time: timezone.now() + timedelta(days=1)})


def _queued(run: "Run", answers: "list[PointSummary]") -> None:
    _ahead(run, "sent_at")


def _begun(run: "Run", answers: "list[PointSummary]", *, partial: bool) -> "Run":
    """Claim the run and store the answers; returns the run as its worker has it."""
    from planner.jobs.execute import run_points_save
    from tests.claims import taken

    claimed = taken(run, worker="staged")
    run_points_save(run=claimed, summaries=answers, partial=partial)
    return claimed


def _running(run: "Run", answers: "list[PointSummary]") -> None:
    from planner.jobs.leases import job_touch

    job_touch(_begun(run, answers, partial=True), progress=PROGRESS)
    _ahead(run, "heartbeat_at")


def _cancelling(run: "Run", answers: "list[PointSummary]") -> None:
    from planner import services

    _begun(run, answers, partial=True)
    services.job_cancel(run, actor=run.owner)
    _ahead(run, "heartbeat_at")


def _pausing(run: "Run", answers: "list[PointSummary]") -> None:
    from planner import services

    _begun(run, answers, partial=True)
    services.job_pause(run, actor=run.owner)
    _ahead(run, "heartbeat_at")


def _paused(run: "Run", answers: "list[PointSummary]") -> None:
    from planner import services
    from planner.jobs.leases import job_paused

    claimed = _begun(run, answers, partial=True)
    services.job_pause(run, actor=run.owner)
    job_paused(claimed)


def _cancelled(run: "Run", answers: "list[PointSummary]") -> None:
    from planner import services
    from planner.jobs.leases import job_end
    from planner.models import RunStatus

    claimed = _begun(run, answers, partial=True)
    services.job_cancel(run, actor=run.owner)
    job_end(claimed, to=RunStatus.CANCELLED)


def _failed(run: "Run", answers: "list[PointSummary]") -> None:
    from planner.jobs import execute

    def broken(run: "Run") -> Any:
        raise ZeroDivisionError("staged: there is no executor")

    execute.run_compute(run_id=run.pk, worker="staged", executor_of=broken)


def _finished(run: "Run", answers: "list[PointSummary]") -> None:
    from planner.jobs.execute import run_finish

    run_finish(run=_begun(run, answers, partial=False))


def _not_converged(run: "Run", answers: "list[PointSummary]") -> None:
    _finished(run, [replace(item, status="not_converged") for item in answers])


def _unstable(run: "Run", answers: "list[PointSummary]") -> None:
    _finished(run, [_grown(item) for item in answers])


def _grown(summary: "PointSummary") -> "PointSummary":
    """The answer of queues that grow: a rate of growth, and no latency."""
    metrics = {name: item for name, item in summary.metrics.items() if not name.startswith("latency.")}
    return replace(summary, status="unstable", metrics=metrics, growth=dict.fromkeys(summary.queues, 3.2))


if __name__ == "__main__":
    import django

    django.setup()

    from planner.celery import app
    from planner.models import Run

    app.conf["CELERY_BROKER_URL"] = "memory://"
    sys.stdout.write(json.dumps(_made(Run.objects.get(pk=sys.argv[1]))))
