"""A question asked through the rounds: its plan decides which points join and which need no more replications."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import pyarrow as pa

from simulations.experiment import Point
from simulations.experiment.plans import plan_of
from simulations.experiment.questions import STAGE, Optimize, Question, metrics_kept
from simulations.pipeline.rounds import Course, Round, run_rounds
from simulations.pipeline.spark.executors import Executor
from simulations.scenario.spec import ScenarioSpec

Known = Callable[[Sequence[Point]], Iterable[pa.RecordBatch]]
"""Yields rows of ``REPLICATION`` of points that were computed before, under the indexes of the points asked for."""


def run_question(
    question: Question, spec: ScenarioSpec, executor: Executor, *, known: Known = lambda _: (), **more: Any
) -> Iterator[Round]:
    """Simulate the points of a complete question until its plan ends; ``more``, rounds and errors as ``run_rounds``.

    The points follow from the numbers alone, so a question that is resumed takes the same course.
    """
    plan = plan_of(question, spec)
    stage = STAGE if isinstance(question, Optimize) else 0
    course = Course(plan.steer, metrics_kept(question, spec), stage, known)
    yield from run_rounds(plan.first(), plan.spec.run, executor, course=course, **more)
