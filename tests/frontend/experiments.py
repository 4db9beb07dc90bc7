"""Experiments about the scenario of the page tests: asked, and computed in this process."""

from typing import Any

from planner import services
from planner.jobs import execute
from planner.models import Run, Scenario
from simulations.pipeline.spark.executors import InlineExecutor

SERVICE = "queues.orders.service.mean"


def computed(run: Run) -> Run:
    execute.run_compute(run_id=run.pk, worker="test", executor_of=lambda run: InlineExecutor(2))
    run.refresh_from_db()
    assert run.status == "succeeded", run.error
    return run


def asked(scenario: Scenario, **question: Any) -> Run:
    return services.experiment_prepare(version=scenario.version, owner=scenario.owner, question=question)().run
