"""`manage.py derive FILE`: formula answers and rule checks, without simulating."""

from typing import Any

from planner.answers.text_tables import derivation_table
from planner.answers.values import derivation_body
from planner.management.command_line import ScenarioCommand, read_scenario, told
from planner.management.exits import FAILURES


class Command(ScenarioCommand):
    help = (
        "Print the formula answers and rule checks of a scenario without simulating it. "
        f"Exit codes: 0 done, {FAILURES}."
    )
    simulates = False

    def handle(self, *args: Any, **options: Any) -> None:
        spec = read_scenario(options["file"], options["overrides"])
        derivation = spec.family.derive(spec.system)
        body = {"scenario": spec.name, "platform": spec.platform, **derivation_body(derivation)}
        self.stdout.write(told(options, body, derivation_table(derivation), spec))
