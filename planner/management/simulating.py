"""Simulating a scenario for a command: in this process or on Spark, without the database and the broker."""

import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from secrets import token_hex
from typing import NoReturn

from django.conf import settings
from django.core.management.base import CommandError

from planner.jobs.spark_session import close_link, spark_link
from planner.management.exits import EXIT_DEFECT, EXIT_UNAVAILABLE
from simulations.analysis.estimates.summary import PointSummary
from simulations.experiment import Point
from simulations.experiment.questions import Question
from simulations.pipeline.experiments import run_question
from simulations.pipeline.rounds import Round, run_rounds
from simulations.pipeline.spark.executors import Cancelled, Executor, InlineExecutor, SparkExecutor
from simulations.pipeline.spark.session import SPARK_ERRORS, SparkUnavailable
from simulations.pipeline.work import PointFailed
from simulations.scenario.spec import ScenarioSpec


def simulated(spec: ScenarioSpec, points: Sequence[Point], *, spark: bool = False) -> list[PointSummary]:
    """Return the answers of ``points``, showing progress on a terminal; ends as ``answered`` does."""
    with _executing(spark=spark) as executor:
        return _collected(run_rounds(points, spec.run, executor, should_stop=lambda: False))


def answered(question: Question, spec: ScenarioSpec, *, spark: bool = False) -> list[PointSummary]:
    """Return the answers of the points that a complete question asks for, showing progress on a terminal.

    Ends the process with code 3 when Spark is requested but unavailable or its job stopped; defects raise CommandError.
    """
    with _executing(spark=spark) as executor:
        return _collected(run_question(question, spec, executor, should_stop=lambda: False))


@contextmanager
def _executing(*, spark: bool) -> Iterator[Executor]:
    try:
        with ExitStack() as after:
            after.callback(close_link)
            tag, cores = f"simulate-{token_hex(4)}", settings.ENVIRONMENT.spark_cores
            yield SparkExecutor(spark_link(), tag, slots=cores) if spark else InlineExecutor(os.cpu_count() or 1)
    except SparkUnavailable as error:
        _unavailable(f"Spark is not available: {error}")
    except Cancelled:
        _unavailable("Spark was told to stop computing this")
    except SPARK_ERRORS as error:
        _unavailable(f"Spark does not answer as it should: {error}")
    except PointFailed as error:
        raise CommandError(str(error), returncode=EXIT_DEFECT) from error


def _unavailable(message: str) -> NoReturn:
    sys.stderr.write(f"{message}\n")
    sys.exit(EXIT_UNAVAILABLE)


def _collected(rounds: Iterable[Round]) -> list[PointSummary]:
    answers: dict[int, PointSummary] = {}
    for step in rounds:
        answers.update({summary.index: summary for summary in step.summaries})
        if sys.stderr.isatty():
            sys.stderr.write(f"\r{step.progress.fraction:4.0%}, {len(answers)} points\r")
    return [answers[index] for index in sorted(answers)]
