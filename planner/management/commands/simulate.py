"""`manage.py simulate FILE`: runs a scenario without the web server, the database and the broker."""

import sys
import time
from typing import Any

from django.core.management.base import CommandParser

from planner.answers.claims import moved_text, point_claims
from planner.answers.cures import cure_trials
from planner.answers.summaries import result_hash
from planner.answers.text_tables import objectives_met, results_table
from planner.answers.values import point_out, turn_body
from planner.jobs.plans import plan_points
from planner.management.command_line import ScenarioCommand, add_repeatable, read_scenario, simulated, told
from planner.management.exits import EXIT_CODES, EXIT_OBJECTIVE_MISSED
from simulations import ENGINE_VERSION
from simulations.analysis.estimates.summary import PointSummary
from simulations.experiment import with_overrides
from simulations.experiment.turns import Turn, found_turn
from simulations.experiment.words import turn_sentence
from simulations.scenario.spec import ScenarioSpec


class Command(ScenarioCommand):
    help = f"Simulate a scenario and print a table, or JSON with --json. {EXIT_CODES}"

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--seed", type=int, metavar="N", help="seed of the random numbers, instead of run.seed")
        log = "replay a log as what a queue receives: a file of instants, or of instants and counts; may be repeated"
        add_repeatable(parser, "--arrivals", "QUEUE=LOG", log)

    def handle(self, *args: Any, **options: Any) -> None:
        seed = [] if options["seed"] is None else [f"run.seed={options['seed']}"]
        spec = read_scenario(options["file"], [*options["overrides"], *seed], options["arrivals"])
        plan = plan_points(spec)
        started = time.perf_counter()
        answers = simulated(spec, plan.points, spark=options["spark"])
        summaries = sorted([*answers, *plan.invalid], key=lambda summary: summary.index)
        turn = found_turn(spec, answers, lambda points: simulated(points[0].spec, points, spark=options["spark"]))
        elapsed = time.perf_counter() - started
        answer = (spec, summaries, turn, elapsed)
        body, text = (_body(*answer), "") if options["json"] else ({}, _text(*answer))
        self.stdout.write(told(options, body, text, spec))
        if not all(objectives_met(spec, summary) for summary in answers):
            sys.exit(EXIT_OBJECTIVE_MISSED)


def _body(spec: ScenarioSpec, summaries: list[PointSummary], turn: Turn | None, elapsed: float) -> dict[str, Any]:
    return {
        "scenario": spec.name,
        "engine": ENGINE_VERSION,
        "rules": {spec.platform: spec.family.rules_version},
        "seed": spec.run.seed,
        "content_hash": spec.content_hash(),
        "result_hash": result_hash(summaries),
        "elapsed_s": round(elapsed, 3),
        "events": sum(summary.events for summary in summaries),
        "turn": turn_body(spec, turn),
        "points": [_point(spec, summary) for summary in summaries],
    }


def _point(spec: ScenarioSpec, summary: PointSummary) -> dict[str, Any]:
    """The answer for a point with what the cures of its broken rules do, simulated beside it, and every sentence."""
    if summary.status == "invalid":
        return point_out(summary, spec.objectives).model_dump(mode="json")
    here = with_overrides(spec.unswept, summary.overrides)
    trials = cure_trials(here, summary)
    return point_out(summary, spec.objectives, trials, point_claims(here, summary, trials)).model_dump(mode="json")


def _text(spec: ScenarioSpec, summaries: list[PointSummary], turn: Turn | None, elapsed: float) -> str:
    events = sum(summary.events for summary in summaries)
    verdicts = {
        f"{finding.rule}: {finding.message}"
        for summary in summaries
        for finding in summary.findings
        if finding.status == "violated"
    }
    invalid = [f"point {summary.index}: {problem}" for summary in summaries for problem in summary.problems]
    last = f"{events:,} events in {elapsed:.2f} s, seed {spec.run.seed}, result {result_hash(summaries)[:12]}"
    told = [text for text in (turn_sentence(spec, turn) if turn else "", moved_text(spec, summaries)) if text]
    return "\n".join([f"{spec.name}\n", results_table(spec, summaries), "", *told, *invalid, *sorted(verdicts), last])
