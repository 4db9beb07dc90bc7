"""A question asked through the rounds: its plan decides which points join and which need no more replications."""

from collections.abc import Iterator
from typing import Any

from simulations.experiment import questions
from simulations.experiment.grids import GridPlan
from simulations.experiment.headrooms import HeadroomPlan
from simulations.experiment.points import Plan
from simulations.experiment.search import in_order
from simulations.experiment.sensitivities import SensitivityPlan
from simulations.pipeline.rounds import Guidance, Known, Round, run_rounds
from simulations.pipeline.spark.executors import Executor
from simulations.scenario.spec import ScenarioSpec


def run_question(
    question: questions.Question, spec: ScenarioSpec, executor: Executor, *, known: Known = lambda _: (), **more: Any
) -> Iterator[Round]:
    """Simulate the points of a complete question until its plan ends; ``more``, rounds and errors as ``run_rounds``.
    The points follow from the numbers alone, so a question that is resumed takes the same course."""
    plan = plan_of(question, spec)
    stage = questions.STAGE if isinstance(question, questions.Optimize) else 0
    guidance = Guidance(plan.steer, questions.metrics_kept(question, spec), stage, known)
    yield from run_rounds(plan.first(), plan.spec.run, executor, guidance=guidance, **more)


def plan_of(question: questions.Question, spec: ScenarioSpec) -> Plan:
    """Return a fresh plan of a complete question; it keeps the course of one computation."""
    asked = questions.asked_spec(question, spec)
    match question:
        case questions.Optimize():
            return in_order(question, asked) or GridPlan(question, asked)
        case questions.Sweep():
            return GridPlan(question, asked)
        case questions.HeadroomQuestion():
            return HeadroomPlan(question, asked)
        case questions.SensitivityQuestion():
            return SensitivityPlan(question, asked)
