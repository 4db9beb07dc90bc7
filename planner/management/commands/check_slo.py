"""`manage.py check_slo FILE --slo FILE`: the gate of a pipeline that changes a scenario."""

import sys
import time
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from planner.answers.claims import load_claims
from planner.answers.gate import Slo, cases, junit, read_slo, spec_under
from planner.jobs.plans import plan_points
from planner.management.command_line import ScenarioCommand, read_scenario, simulated, together
from planner.management.exits import EXIT_INVALID, EXIT_OBJECTIVE_MISSED, FAILURES
from simulations.declarations.problems import InvalidInput
from simulations.scenario.file import read_scenario_file


class Command(ScenarioCommand):
    help = (
        "Judge a scenario by the objectives of an SLO file, or by its own. "
        f"Exit codes: 0 all are met, 1 one is broken, {FAILURES}."
    )
    formats = False

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--slo", type=Path, metavar="FILE", help="objectives, and load: a factor on all arrivals")
        parser.add_argument("--junit", type=Path, metavar="FILE", help="write the verdicts as JUnit XML")

    def handle(self, *args: Any, **options: Any) -> None:
        spec, slo = together(
            partial(read_scenario, options["file"], options["overrides"]), partial(_slo_in, options["slo"])
        )
        spec = spec_under(spec, slo)
        points = plan_points(spec).points
        started = time.perf_counter()
        (summary,) = simulated(spec, points, spark=options["spark"])
        verdicts = cases(spec, summary)
        if options["junit"]:
            try:
                options["junit"].write_bytes(junit(spec.name, verdicts, time.perf_counter() - started))
            except OSError as error:
                message = f"{options['junit']} cannot be written: {error.strerror}"
                raise CommandError(message, returncode=EXIT_INVALID) from error
        for case in verdicts:
            self.stdout.write(f"{'met   ' if case.met else 'BROKEN'} {case.result}")
            for reason in case.reasons:
                self.stdout.write(f"       {reason}")
        for claim in load_claims(spec):
            self.stdout.write(claim.sentence)
        if not all(case.met for case in verdicts):
            sys.exit(EXIT_OBJECTIVE_MISSED)


def _slo_in(path: Path | None) -> Slo | None:
    """The SLO file's problems carry its name: a scenario has objectives too."""
    if path is None:
        return None
    try:
        return read_slo(read_scenario_file(path))
    except InvalidInput as error:
        named = (replace(item, path=": ".join(filter(None, (path.name, item.path)))) for item in error.problems)
        raise InvalidInput(named) from error
