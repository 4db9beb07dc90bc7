"""`manage.py derive FILE`: formula answers and rule checks, without simulating."""

import json
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from planner.answers.text_tables import derivation_table
from planner.answers.values import derivation_body
from planner.management.command_line import add_scenario_arguments, exit_invalid, read_scenario
from planner.management.exits import FAILURES
from simulations.declarations.problems import InvalidInput


class Command(BaseCommand):
    """Prints what can be said without simulating."""

    help = (
        "Print the formula answers and rule checks of a scenario without simulating it. "
        f"Exit codes: 0 done, {FAILURES}."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        """Declare FILE, --set and --json."""
        add_scenario_arguments(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        """Read, derive, print."""
        try:
            spec = read_scenario(options["file"], options["overrides"])
        except InvalidInput as error:
            exit_invalid(error)
        derivation = spec.family.derive(spec.system)
        if options["json"]:
            body = {"scenario": spec.name, "platform": spec.platform, **derivation_body(derivation)}
            self.stdout.write(json.dumps(body, indent=2))
        else:
            self.stdout.write(derivation_table(derivation))
