"""`manage.py robust FILE … --vary PATH=SPEC`: the setting that does well under several workloads."""

import math
import sys
import time
from collections.abc import Mapping, Sequence
from functools import partial
from itertools import product
from operator import attrgetter
from typing import TYPE_CHECKING, Any, cast

from django.core.management.base import CommandParser

from planner.answers.text_tables import text_table
from planner.answers.values import estimate_body, plain
from planner.management.asking import answered_experiment, axis
from planner.management.command_line import ScenarioCommand, add_repeatable, input_file, read_scenario, together, told
from planner.management.exits import EXIT_OBJECTIVE_MISSED, FAILURES
from simulations.analysis.estimates.summary import estimate_text, percent
from simulations.declarations.problems import InvalidInput, Problem
from simulations.experiment.grids import COARSE, cells_of, grid_of
from simulations.experiment.robustness import Robust, Workload, able, robust_of
from simulations.experiment.words import settings_text
from simulations.scenario.spec import ScenarioSpec

if TYPE_CHECKING:
    from simulations.experiment.questions import Sweep

CHOICES = {"least_worst": "worst", "least_regret": "regret", "least_weighted": "weighted"}


class Command(ScenarioCommand):
    """Simulates the same settings under several scenarios, one for each workload, with the same random numbers."""

    help = (
        "Print which setting has the least worst case, the least regret and the best weighted mean over several "
        f"scenarios. Exit codes: 0 done, 1 none meets the objectives of all, {FAILURES}."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("others", type=input_file, nargs="+", metavar="OTHER", help="scenarios of other workloads")
        add_repeatable(parser, "--vary", "PATH=SPEC", "a setting and its values: a,b or lo:hi", required=True)
        parser.add_argument("--weight", action="append", type=float, default=[], help="of each file in turn; 1 each")
        parser.add_argument("--metric", default="", help="what is compared; run.precision of the first when left out")

    def handle(self, *args: Any, **options: Any) -> None:
        """Read, simulate each workload, print."""
        started = time.perf_counter()
        files = [options["file"], *options["others"]]
        specs = together(*(partial(read_scenario, file, options["overrides"]) for file in files))
        knobs = together(*(partial(axis, text) for text in options["vary"]))
        weights = options["weight"] or [1.0] * len(files)
        if len(weights) != len(files) or min(weights) <= 0:
            message = f"give one weight above 0 for each of the {len(files)} files (got {', '.join(map(str, weights))})"
            raise InvalidInput([Problem("", "--weight", "invalid", message)])
        metric = options["metric"] or specs[0].run.precision.metric
        asked = {"type": "sweep", "knobs": knobs, "kpi": metric}
        names = [f"{place + 1} {spec.name}" for place, spec in enumerate(specs)]
        workloads = [
            _workload(name, weight, spec, asked, spark=options["spark"])
            for name, weight, spec in zip(names, weights, specs, strict=True)
        ]
        settings = robust_of(workloads, metric)
        good = able(settings)
        chosen = {name: min(good, key=attrgetter(by)) for name, by in CHOICES.items()} if good else {}
        body = _body(settings, chosen, metric) | {"elapsed_s": round(time.perf_counter() - started, 3)}
        self.stdout.write(told(options, body, _text(settings, chosen, specs[0], names), *specs))
        if body["status"] != "found":
            sys.exit(EXIT_OBJECTIVE_MISSED)


def _workload(name: str, weight: float, spec: ScenarioSpec, asked: Mapping[str, Any], *, spark: bool) -> Workload:
    """One scenario with the answers of all settings."""
    size = math.prod(len(knob["values"]) for knob in asked["knobs"])
    if size > COARSE:
        message = f"these are {size:,} settings for each workload; at most {COARSE} can be compared"
        raise InvalidInput([Problem("", "--vary", "too_many", message)])
    experiment = answered_experiment(asked, spec, spark=spark)
    grid = grid_of(cast("Sweep", experiment.question))
    found = cells_of(grid, experiment.answers)
    cells = product(*map(range, grid.lengths))
    if len(found) < size:
        raise InvalidInput([Problem("", "--vary", "invalid", f"some of these settings do not fit together in {name}")])
    return Workload(name, weight, tuple(experiment.spec.objectives), tuple(found[cell] for cell in cells))


def _body(settings: Sequence[Robust], chosen: Mapping[str, Robust], metric: str) -> dict[str, Any]:
    return {
        "status": "found" if chosen else "infeasible",
        "metric": metric,
        **{name: plain(chosen[name].overrides) if chosen else None for name in CHOICES},
        "settings": [
            {
                "overrides": plain(item.overrides),
                "values": {name: value and estimate_body(value) for name, value in item.values.items()},
                "regrets": {name: value and estimate_body(value) for name, value in item.regrets.items()},
                "meets_objectives": item.chance,
            }
            for item in settings
        ],
    }


def _text(settings: Sequence[Robust], chosen: Mapping[str, Robust], spec: ScenarioSpec, names: Sequence[str]) -> str:
    rows = [
        [
            settings_text(spec, item.overrides),
            *(estimate_text(value) for value in item.values.values()),
            estimate_text(item.largest_regret) if item.largest_regret else "overloaded",
            percent(round(item.chance, 2)),
        ]
        for item in settings
    ]
    table = text_table(["setting", *names, "largest regret", "meets objectives"], rows)
    if not chosen:
        return f"{table}\n\nNo setting meets the objectives of all workloads."
    words = {"least_worst": "Least worst case", "least_regret": "Least regret", "least_weighted": "Best weighted mean"}
    lines = [f"{words[name]}: {settings_text(spec, item.overrides)}." for name, item in chosen.items()]
    return "\n".join([table, "", *lines])
