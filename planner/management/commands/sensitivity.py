"""`manage.py sensitivity FILE`: which input moves the answer most when it is off by a little."""

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, cast

from django.core.management.base import CommandParser

from planner.answers.text_tables import text_table
from planner.management.asking import QuestionCommand
from planner.management.command_line import add_repeatable, override, together
from planner.management.exits import FAILURES
from planner.selectors import Experiment
from simulations.analysis.estimates.summary import change_text
from simulations.experiment.sensitivities import End, effects_of
from simulations.experiment.words import unit_of, value_words

if TYPE_CHECKING:
    from simulations.experiment.questions import SensitivityQuestion


class Command(QuestionCommand):
    """Moves one input at a time to both ends of its range, with the same random numbers."""

    help = f"Print how much each input moves a metric, largest first. Exit codes: 0 done, {FAILURES}."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--metric", default="", help="metric that is watched; that of run.precision when left out")
        inputs = "an input and the share it may be off, or [low, high]; all numbers of the scenario when left out"
        add_repeatable(parser, "--input", "PATH=SHARE", inputs)
        draws = "how often all inputs are drawn at once from their ranges; tells what the metric may be (default 0)"
        parser.add_argument("--draws", type=int, default=0, metavar="N", help=draws)

    def asked(self, options: Mapping[str, Any]) -> dict[str, Any]:
        inputs = together(*(partial(override, text, "--input") for text in options["input"]))
        return {"type": "sensitivity", "kpi": options["metric"], "inputs": dict(inputs), "draws": options["draws"]}

    def text(self, experiment: Experiment) -> str:
        question = cast("SensitivityQuestion", experiment.question)
        rows = []
        for effect in effects_of(question, experiment.answers):
            ends = (_end(end, unit_of(experiment.spec, effect.path)) for end in (effect.low, effect.high))
            rows.append([effect.path, *ends, "" if effect.resolved else "cannot be told from none"])
        table = text_table(["input", f"{question.kpi}, low end", "high end", ""], rows)
        joint = self.body(experiment)["joint"]
        return "\n".join([table, "", *joint["sentences"]]) if joint else table


def _end(end: End, unit: str) -> str:
    change = end.status if end.difference is None else change_text(end.difference)
    return f"{change} at {value_words(end.value, unit)}"
