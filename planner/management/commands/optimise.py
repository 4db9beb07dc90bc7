"""`manage.py optimise FILE --vary PATH=SPEC`: the cheapest settings that meet the objectives."""

from collections.abc import Mapping
from typing import Any, cast

from django.core.management.base import CommandParser

from planner.api.outcomes import recommendation_body
from planner.management.asking import QuestionCommand, axis
from planner.management.command_line import add_repeatable, together
from planner.management.exits import EXIT_OBJECTIVE_MISSED, EXIT_OPEN, FAILURES
from planner.selectors import Experiment
from simulations.analysis.estimates.summary import estimate_text, percent
from simulations.experiment.choice import Best, best_of, nearest_cheaper
from simulations.experiment.questions import INDIFFERENT, Optimize
from simulations.experiment.reading import points_planned
from simulations.experiment.words import infeasible_reason, settings_text, sure_text, why


class Command(QuestionCommand):
    help = (
        "Search settings for the cheapest that meets the objectives. "
        f"Exit codes: 0 found, 1 none meets them, 4 cannot be told yet, {FAILURES}."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        knob = "a setting and its values: a,b,c or lo:hi (whole numbers) or lo:hi:step; up to four times"
        saved = "what to save, most important first: a varied setting, threads, cpus, instances, and last a metric"
        add_repeatable(parser, "--vary", "PATH=SPEC", knob, required=True)
        add_repeatable(parser, "--minimise", "PATH|COST", saved)
        alike = "settings whose metric differs by less count as equally good (default %(default)s)"
        parser.add_argument("--indifference", type=float, default=INDIFFERENT, metavar="SHARE", help=alike)
        parser.add_argument(
            "--confidence", type=float, default=0.99, metavar="P", help="of the choice (default %(default)s)"
        )

    def asked(self, options: Mapping[str, Any]) -> dict[str, Any]:
        """Return the search."""
        knobs = together(*(lambda text=text: axis(text) for text in options["vary"]))
        limits = {key: options[key] for key in ("indifference", "confidence")}
        return {"type": "optimize", "knobs": knobs, "minimize": options["minimise"], **limits}

    def body(self, experiment: Experiment) -> dict[str, Any]:
        """Return the choice, the nearest cheaper settings with what they miss, and how much was searched."""
        question, best = _best(experiment)
        return {
            **recommendation_body(experiment, best, question),
            "status": _status(question, best),
            "grid": points_planned(question) - 1,
            "simulated": len(experiment.answers),
        }

    def text(self, experiment: Experiment) -> str:
        question, best = _best(experiment)
        spec = experiment.spec
        searched = _searched(len(experiment.answers), points_planned(question) - 1)
        if best.chosen is None:
            return f"{infeasible_reason(spec, best)}\n{searched}"
        value = estimate_text(best.chosen.summary.metrics.get(question.decider))
        lines = [
            f"{settings_text(spec, best.chosen.summary.overrides)}: {question.decider} {value}.",
            f"{sure_text(best.probability)} sure of it: nothing cheaper meets the objectives, and nothing at the "
            f"same cost is better by more than {percent(question.indifference)}.",
        ]
        cheaper = nearest_cheaper(best)
        if cheaper is not None:
            place = settings_text(spec, cheaper.summary.overrides)
            lines.append(f"Nearest cheaper: {place}. {why(question, spec, best, cheaper.index)}")
        return "\n".join([*lines, searched])

    def exit_code(self, body: Mapping[str, Any]) -> int:
        """Return 1 where no settings meet the objectives, 4 where that cannot be told yet."""
        return {"found": 0, "infeasible": EXIT_OBJECTIVE_MISSED, "open": EXIT_OPEN}[body["status"]]


def _best(experiment: Experiment) -> tuple[Optimize, Best]:
    question = cast("Optimize", experiment.question)
    return question, best_of(question, experiment.spec, experiment.answers)


def _status(question: Optimize, best: Best) -> str:
    if best.chosen is None:
        return best.status
    return "found" if best.probability >= question.confidence else "open"


def _searched(simulated: int, grid: int) -> str:
    if simulated >= grid:
        return f"All {grid:,} settings simulated."
    rest = "The others cost more, do not carry their load, or lie between settings that agree."
    return f"{simulated:,} of {grid:,} settings simulated. {rest}"
