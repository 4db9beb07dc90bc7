"""What commands share that ask more of a scenario than one run: objectives, values to try, the answer of a question."""

import math
import re
import sys
import time
from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from django.core.management.base import CommandParser
from django.utils import timezone

from planner.api.outcomes import outcome_body
from planner.management.command_line import ScenarioCommand, add_repeatable, answered, read_scenario, together, told
from planner.models import Run, RunStatus
from planner.selectors import Experiment
from simulations.declarations.problems import InvalidInput, Problem
from simulations.experiment.questions import asked_spec
from simulations.experiment.reading import read_question
from simulations.scenario.axes import MAX_POINTS
from simulations.scenario.file import read_yaml
from simulations.scenario.spec import ScenarioSpec

_OBJECTIVE = re.compile(r"([\w.]+)\s*(<=|>=|==?)\s*(\S.*)")


class QuestionCommand(ScenarioCommand):
    """Reads a scenario, asks one question about it and prints the answer."""

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        bound = "what must hold (<=, >= or =), for example latency.p95<=800ms; the scenario's own when left out"
        add_repeatable(parser, "--objective", "METRIC<=VALUE", bound)

    def handle(self, *args: Any, **options: Any) -> None:
        """Read, simulate, print; subclasses say what is asked and how the answer reads."""
        started = time.perf_counter()
        spec, asked, *objectives = together(
            partial(read_scenario, options["file"], options["overrides"]),
            partial(self.asked, options),
            *(partial(objective, text) for text in options["objective"]),
        )
        bounds = {"subject_to": objectives} if objectives else {}
        experiment = answered_experiment({**asked, **bounds}, spec, spark=options["spark"])
        body = self.body(experiment) | {"elapsed_s": round(time.perf_counter() - started, 3)}
        self.stdout.write(told(options, body, self.text(experiment), spec))
        if code := self.exit_code(body):
            sys.exit(code)

    def asked(self, options: Mapping[str, Any]) -> dict[str, Any]:
        """Return the question without its objectives; raises InvalidInput."""
        raise NotImplementedError

    def body(self, experiment: Experiment) -> dict[str, Any]:
        """Return the answer as JSON values."""
        return outcome_body(experiment)

    def text(self, experiment: Experiment) -> str:
        """Return the answer as people read it."""
        raise NotImplementedError

    def exit_code(self, body: Mapping[str, Any]) -> int:
        """Return how the process ends with this answer."""
        return 0


def answered_experiment(asked: Mapping[str, Any], spec: ScenarioSpec, *, spark: bool) -> Experiment:
    """Return the finished experiment, nothing of it stored; raises InvalidInput for a question that cannot be asked."""
    question = read_question(asked, spec)
    answers = {summary.index: summary for summary in answered(question, spec, spark=spark)}
    run = Run(status=RunStatus.SUCCEEDED, created_at=timezone.now())
    return Experiment(run, question, asked_spec(question, spec), answers, frozenset())


def objective(text: str) -> dict[str, str]:
    """Return the objective in ``METRIC<=VALUE``; raises InvalidInput."""
    parts = _OBJECTIVE.fullmatch(text.strip())
    if parts is None:
        raise _refused(
            "--objective", f"{text!r} is not understood; write METRIC<=VALUE, for example latency.p95<=800ms"
        )
    metric, operator, value = parts.groups()
    return {"kpi": metric, "op": "==" if operator == "=" else operator, "value": value}


def axis(text: str) -> dict[str, Any]:
    """Return a setting and its values from ``PATH=a,b,c`` or ``PATH=lo:hi`` or ``PATH=lo:hi:step``."""
    path, separator, values = text.partition("=")
    if not separator or not path.strip() or not values.strip():
        raise _refused("--vary", f"{text!r} is not understood; write PATH=a,b,c or PATH=lo:hi or PATH=lo:hi:step")
    named = path.strip()
    if ":" in values:
        return {"path": named, "values": list(_span(values, text))}
    return {"path": named, "values": [read_yaml(item, name=f"--vary {named}") for item in values.split(",")]}


def _span(values: str, text: str) -> Iterator[float]:
    """The numbers from the first to the last, both included; whole ones as such."""
    try:
        low, high, step = map(float, values.split(":") if values.count(":") == 2 else (*values.split(":"), "1"))
        count = math.floor((high - low) / step + 1e-9) + 1
    except (ValueError, ZeroDivisionError, OverflowError) as error:
        raise _refused("--vary", f"{text!r} has no numbers lo:hi or lo:hi:step") from error
    if step < 0 or count < 1 or count > MAX_POINTS:
        raise _refused("--vary", f"{text!r} has {max(count, 0):,} values; 1 to {MAX_POINTS:,} can be tried")
    whole = all(number.is_integer() for number in (low, high, step))
    if values.count(":") == 1 and not whole:
        raise _refused("--vary", f"{text!r} needs a step, lo:hi:step; only whole numbers have one of their own")
    for number in range(count):
        yield int(low + step * number) if whole else low + step * number


def _refused(option: str, message: str) -> InvalidInput:
    return InvalidInput([Problem("", option, "not_understood", message)])
