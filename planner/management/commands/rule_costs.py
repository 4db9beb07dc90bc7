"""`manage.py rule_costs FILE`: what each broken rule costs, measured by a paired run with its cure."""

import json
from functools import partial
from typing import Any

from django.core.management.base import CommandParser

from planner.answers.text_tables import text_table
from planner.answers.values import finding_body
from planner.management.command_line import ScenarioCommand, add_repeatable, override, read_scenario, together
from planner.management.exits import FAILURES
from planner.management.simulating import simulated
from simulations.analysis.estimates.quantities import estimate_text
from simulations.analysis.estimates.summary import Finding, PointSummary
from simulations.declarations.path_text import last_key
from simulations.experiment.cures import costly, cures_of

METRICS = ("latency.mean", "latency.p95", "throughput")
Costs = tuple[tuple[Finding, PointSummary | None], ...]


class Command(ScenarioCommand):
    """Simulates a scenario as it is and with each rule cured, with the same random numbers."""

    help = (
        "Print what breaking each rule costs: paired differences to the scenario with the rule's cure. "
        f"Exit codes: 0 done, {FAILURES}."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        cure = "what to compare with where a rule has no cure of its own; may be repeated"
        add_repeatable(parser, "--rule", "ID", "only this rule; may be repeated")
        add_repeatable(parser, "--cure", "PATH=VALUE", cure)

    def handle(self, *args: Any, **options: Any) -> None:
        spec, *chosen = together(
            partial(read_scenario, options["file"], options["overrides"]),
            *(partial(override, text, "--cure") for text in options["cure"]),
        )
        base, cures = cures_of(spec, options["rule"], dict(chosen))
        points = [base, *(cure.point for cure in cures if cure.point is not None)]
        measured = costly(cures, simulated(base.spec, points) if len(points) > 1 else [])
        body = [{**finding_body(item), "cured": cured.status if cured else None} for item, cured in measured]
        self.stdout.write(json.dumps(body, indent=2) if options["json"] else _text(measured))


def _text(measured: Costs) -> str:
    if not measured:
        return "No rule is broken."
    header = ["rule", "of", *METRICS, "cure"]
    rows = [
        [
            finding.rule,
            finding.queue or "server",
            *(estimate_text(finding.cost.get(name)) for name in METRICS),
            _cure(finding, cured),
        ]
        for finding, cured in measured
    ]
    return text_table(header, rows) + "\n\nMore of each metric than with the cure, paired by message; 95 % intervals."


def _cure(finding: Finding, cured: PointSummary | None) -> str:
    if cured is None:
        return "none to compare with"
    changes = ", ".join(f"{last_key(path)}={value}" for path, value in finding.fix.items())
    return changes if cured.status == "ok" else f"{changes} ({cured.status})"
