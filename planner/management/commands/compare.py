"""`manage.py compare FILE OTHER`: two scenarios side by side, simulated with the same random numbers."""

import sys
from functools import partial
from typing import Any

from django.core.management.base import CommandParser

from planner.answers.text_tables import metrics_shown, objectives_met, text_table
from planner.answers.values import point_out
from planner.management.command_line import ScenarioCommand, input_file, read_scenario, simulated, together, told
from planner.management.exits import EXIT_OBJECTIVE_MISSED, FAILURES
from planner.selectors.comparison import verdict_of
from simulations.analysis.estimates.metrics import BY_NAME
from simulations.analysis.estimates.summary import Estimate, PointSummary, change_text, estimate_text
from simulations.experiment import Point
from simulations.scenario.spec import ScenarioSpec, revised

FIRST = ("latency.mean", "latency.p95", "latency.p99", "end_to_end.p95", "throughput", "backlog.mean", "drain_time")


class Command(ScenarioCommand):
    """Simulates two scenarios over the same course, with the run settings of the first."""

    help = (
        "Print two scenarios side by side with their paired differences. "
        f"Exit codes: 0 done, 1 the second misses an objective that the first meets, {FAILURES}."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("other", type=input_file, metavar="OTHER", help="the scenario to compare with")

    def handle(self, *args: Any, **options: Any) -> None:
        files = (options["file"], options["other"])
        first, other = together(*(partial(read_scenario, file, options["overrides"]) for file in files))
        second = revised(other.unswept, [(("run",), first.run.model_dump(mode="json"))])
        points = [Point(0, {}, first.unswept), Point(1, {}, second)]
        before, after = simulated(first, points, spark=options["spark"])
        one, two = (point_out(item, first.objectives).model_dump(mode="json") for item in (before, after))
        text = _text(first, second, before, after)
        self.stdout.write(told(options, {"first": one, "other": two}, text, first, other))
        if objectives_met(first, before) and not objectives_met(first, after):
            sys.exit(EXIT_OBJECTIVE_MISSED)


def _text(spec: ScenarioSpec, other: ScenarioSpec, before: PointSummary, after: PointSummary) -> str:
    rows = [
        [
            BY_NAME[name].title,
            estimate_text(before.metrics.get(name)),
            estimate_text(after.metrics.get(name)),
            *_change(name, after.differences.get(name)),
        ]
        for name in metrics_shown(FIRST, spec, (before, after))
    ]
    header = ["metric", spec.name, other.name if other.name != spec.name else "other", "difference", ""]
    return text_table(header, rows) + f"\n\n{before.status} and {after.status}; differences are paired, 95 % intervals."


def _change(name: str, change: Estimate | None) -> tuple[str, str]:
    if change is None:
        return "-", "cannot be paired"
    return change_text(change), verdict_of(BY_NAME[name], change)
