"""A program for test_concurrency: processes that want the same rows at the same moment. Prints what they saw as JSON.

One process prepares the database and then forks, so that all children start at once and nothing is imported twice.
"""

import json
import logging
import multiprocessing
import sys
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import django

from simulations.scenario.spec import parse

PROCESSES = 4
RUNS = 12
TAGS = 10

django.setup()
logging.disable()

from django.contrib.auth.models import User  # noqa: E402 - models exist after setup
from django.core.management import call_command  # noqa: E402
from django.db import connections  # noqa: E402
from django.utils import timezone  # noqa: E402
from rest_framework.test import APIClient  # noqa: E402

from planner import services  # noqa: E402
from planner.jobs.leases import job_claim, jobs_reap  # noqa: E402
from planner.models import AuditEvent, Run, Scenario  # noqa: E402
from tests.planner.conftest import SURGE  # noqa: E402
from tests.waiting import PATIENCE  # noqa: E402


def claim_all(worker: int) -> int:
    """Try to claim every run; return how many were got."""
    ids = list(Run.objects.order_by("seed").values_list("pk", flat=True))
    return sum(job_claim(Run, key=run_id, worker=f"w{worker}") is not None for run_id in ids)


def reap_all(worker: int) -> int:
    """Take up what silent workers left."""
    return len(jobs_reap(Run))


def cancel_or_reap(worker: int) -> int:
    """Half of the processes cancel all runs, the others take up what silent workers left."""
    if worker % 2:
        return reap_all(worker)
    for run in Run.objects.order_by("seed"):
        services.job_cancel(run, actor=None)
    return RUNS


def tag(worker: int) -> int:
    """Change the one scenario again and again."""
    for number in range(TAGS):
        scenario, owner = Scenario.objects.get(), User.objects.get()
        services.scenario_tag(scenario=scenario, actor=owner, tags=[f"{worker}-{number}"])
    return TAGS


def start_same(worker: int) -> str:
    """Ask the same question as everybody else."""
    version, owner = Scenario.objects.get().version, User.objects.get()
    return services.run_start(version=version, owner=owner, seed=999).run.pk


def post_same(worker: int) -> str:
    """Send the same request under the same key as everybody else."""
    client = APIClient(SERVER_NAME="localhost")
    client.force_authenticate(User.objects.get())
    made = client.post("/api/v1/scenarios", {**SURGE, "name": "Once"}, format="json", HTTP_IDEMPOTENCY_KEY="k1")
    return str(made.json()["id"])


def at_once(work: Callable[[int], Any]) -> list[Any]:
    """Do the work in several processes at the same time."""
    connections.close_all()
    context = multiprocessing.get_context("fork")
    barrier, found = context.Barrier(PROCESSES), context.Queue()
    children = [context.Process(target=_child, args=(work, number, barrier, found)) for number in range(PROCESSES)]
    for child in children:
        child.start()
    answers = [found.get(timeout=PATIENCE) for _ in children]
    for child in children:
        child.join()
    return answers


def _child(work: Callable[[int], Any], number: int, barrier: Any, found: Any) -> None:
    barrier.wait()
    found.put(work(number))
    connections.close_all()


def main() -> None:
    """Prepare, let them fight, tell."""
    call_command("migrate", verbosity=0)
    owner = User.objects.create_user("ada")
    scenario = services.scenario_store(owner=owner, spec=parse(SURGE))
    for seed in range(RUNS):
        services.run_start(version=scenario.version, owner=owner, seed=seed)
    seen: dict[str, Any] = {"claimed": at_once(claim_all)}
    Run.objects.update(heartbeat_at=timezone.now() - timedelta(minutes=1))
    at_once(reap_all)
    seen["taken_up"] = AuditEvent.objects.filter(action="run.reap").count()
    seen["states"] = sorted(set(Run.objects.values_list("status", "attempt")))
    claim_all(0)
    Run.objects.update(heartbeat_at=timezone.now() - timedelta(minutes=1), spark_session="s")
    at_once(cancel_or_reap)
    seen["cancelled"] = sorted(set(Run.objects.values_list("status", flat=True)))
    at_once(tag)
    seen["revision"] = Scenario.objects.get().revision
    seen["started"] = at_once(start_same)
    seen["runs"] = Run.objects.count()
    seen["posted"] = at_once(post_same)
    seen["once"] = Scenario.objects.filter(name="Once").count()
    json.dump(seen, sys.stdout)


if __name__ == "__main__":
    main()
