"""Choices against brute force: how often a search is wrong, and whether its probability means what it says.

`python -m benchmarks.choices [--problems 50] [--drawn 2000] [--write]` searches problems of all families with one to
four knobs and bounds that one setting nearly meets, simulates every cell at length with other random numbers, and
adds problems whose answers are drawn instead of simulated. ``--write`` writes docs/reliability.md.
"""

import argparse
import math
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise, product
from pathlib import Path
from random import Random
from typing import Any, cast

import numpy as np

from simulations.analysis.estimates.intervals import mean_estimate
from simulations.analysis.estimates.summary import PointSummary
from simulations.declarations.problems import InvalidInput
from simulations.experiment.choice import Best, Candidate, best_of
from simulations.experiment.grids import grid_of
from simulations.experiment.points import Answers, Point, with_overrides
from simulations.experiment.questions import STAGE, Optimize, asked_spec
from simulations.experiment.reading import read_question
from simulations.experiment.verdicts import better_chance
from simulations.pipeline.experiments import run_question
from simulations.pipeline.rounds import run_rounds
from simulations.pipeline.spark.executors import InlineExecutor
from simulations.scenario.runsettings import Replications
from simulations.scenario.spec import ScenarioSpec, parse

PAGE = Path(__file__).parent.parent / "docs" / "reliability.md"
SURELY = 0.99
"""Probability from which brute force contradicts a choice; below it the truth itself is not known."""
ABOUT = (
    "The claimed probability is a lower bound (ADR 107). A claim counts as wrong where the truth contradicts it by",
    "more than the indifference of 2 %; the truth of simulated problems has an error, so there surely (99 %).",
)
BINS = (0.0, 0.5, 0.8, 0.9, 0.95, 0.99, 1.0)
EFFORT = {"messages": 4000, "replications": {"min": 10, "max": 90}}
TRUTH = {"messages": 10_000, "replications": 20}
SERVER, QUEUE = "servers.server", "queues.work"
Knob = tuple[str, list[Any]]


@dataclass(frozen=True)
class Claim:
    """What a search said at some stage: with what probability, and whether it was wrong; ``final``: at its end."""

    probability: float
    wrong: bool
    final: bool


def problem(number: int) -> tuple[ScenarioSpec, dict[str, Any]]:
    """Return scenario and question number ``number``; families and numbers of knobs take turns."""
    random = Random(number)
    family = (_zos, _websphere, _weblogic, _openmq)[number % 4]
    load = random.uniform(0.5, 0.85)
    body, knobs, minimize = family(random, load)
    spec = parse(body)
    chosen = knobs[: 1 + number // 4 % 4]
    most = 7 if len(chosen) < 3 else 4
    axes = [{"path": path, "values": values[-most:]} for path, values in chosen]
    saved = [name for name in minimize if "." not in name or name in dict(chosen)][: random.randint(0, 2)]
    metric = random.choice(["latency.p95", "latency.mean"])
    asked = {"type": "optimize", "knobs": axes, "minimize": saved, "kpi": metric, "effort": EFFORT}
    return spec, {**asked, "subject_to": [{"metric": metric, "at_most": _near(spec, axes, metric, random)}]}


def _near(spec: ScenarioSpec, axes: Sequence[Mapping[str, Any]], metric: str, random: Random) -> float:
    """A bound within 5 % of what one of the settings gives."""
    for _ in range(20):
        overrides = {axis["path"]: random.choice(axis["values"]) for axis in axes}
        try:
            found = simulated(with_overrides(spec, overrides), [({}, 0)], seed=7, messages=4000, replications=10)[0]
        except InvalidInput:
            continue
        if metric in found.metrics:
            return found.metrics[metric].value * random.uniform(0.95, 1.05)
    return 1.0


def _body(platform: str, load: float, threads: int, random: Random, cpu: float = 0.0) -> dict[str, Any]:
    law: dict[str, Any] = random.choice(
        [{"kind": "exponential"}, {"kind": "lognormal", "cv": 1.5}, {"kind": "constant"}]
    )
    return {
        "sluice": 1,
        "name": "Problem",
        "platform": platform,
        "servers": [{"name": "server", "cpus": 4, "settings": {}}],
        "queues": [
            {
                "name": "work",
                "server": "server",
                "arrivals": {"kind": "poisson", "rate": load * threads / 0.1},
                "service": {**law, "mean": 0.1, "cpu": cpu},
                "settings": {},
            }
        ],
        "run": {"horizon": {"messages": 20_000}, "seed": random.randrange(10**6)},
    }


def _zos(random: Random, load: float) -> tuple[dict[str, Any], list[Knob], list[str]]:
    body = _body("websphere-zos", load, 9, random)
    body["servers"][0]["settings"] = {
        "min_servants": 1,
        "max_servants": 3,
        "workload_profile": "CUSTOM",
        "custom_threads": 3,
    }
    body["queues"][0]["settings"] = {"maximum_sessions": 18, "queue_agent_time": 0}
    knobs: list[Knob] = [
        (f"{QUEUE}.settings.maximum_sessions", [6, 9, 12, 15, 18, 24, 36]),
        (f"{SERVER}.settings.custom_threads", [2, 3, 4]),
        (f"{SERVER}.settings.min_servants", [3]),
        (f"{SERVER}.instances", [1, 2]),
    ]
    body["servers"][0]["settings"]["min_servants"] = 3
    return body, knobs, ["threads", knobs[0][0]]


def _websphere(random: Random, load: float) -> tuple[dict[str, Any], list[Knob], list[str]]:
    body = _body("websphere", load, 8, random, cpu=0.2)
    body["queues"][0]["settings"] = {"maximum_sessions": 8}
    knobs: list[Knob] = [
        (f"{QUEUE}.settings.maximum_sessions", [4, 6, 7, 8, 9, 10, 12]),
        (f"{SERVER}.cpus", [2, 3, 4]),
        (f"{SERVER}.settings.listener_pool_maximum", [8, 12]),
        (f"{SERVER}.instances", [1, 2]),
    ]
    return body, knobs, ["cpus", knobs[0][0]]


def _weblogic(random: Random, load: float) -> tuple[dict[str, Any], list[Knob], list[str]]:
    body = _body("weblogic", load, 8, random, cpu=0.1)
    body["servers"][0]["settings"] = {"work_managers": [{"name": "own", "max_threads": 10}]}
    body["queues"][0]["settings"] = {"work_manager": "own", "max_beans_in_free_pool": 8}
    knobs: list[Knob] = [
        (f"{QUEUE}.settings.max_beans_in_free_pool", [4, 6, 8, 9, 10, 12, 16]),
        (f"{SERVER}.settings.work_managers.own.max_threads", [8, 10, 16]),
        (f"{SERVER}.cpus", [2, 4]),
        (f"{SERVER}.instances", [1, 2]),
    ]
    return body, knobs, ["cpus", knobs[0][0]]


def _openmq(random: Random, load: float) -> tuple[dict[str, Any], list[Knob], list[str]]:
    body = _body("openmq", load, 8, random)
    body["servers"][0]["settings"] = {"max_pool_size": 8}
    body["queues"][0]["settings"] = {"consumer_flow_limit": 32, "round_trip": "1ms"}
    knobs: list[Knob] = [
        (f"{SERVER}.settings.max_pool_size", [4, 6, 7, 8, 9, 10, 12]),
        (f"{QUEUE}.settings.consumer_flow_limit", [12, 16, 32]),
        (f"{QUEUE}.settings.round_trip", ["1ms", "20ms"]),
        (f"{SERVER}.instances", [1, 2]),
    ]
    return body, knobs, ["threads", knobs[1][0]]


def simulated(
    spec: ScenarioSpec,
    cells: Sequence[tuple[Mapping[str, Any], int]],
    *,
    messages: int,
    replications: int,
    seed: int,
) -> Answers:
    """Return the answers of the cells (overrides and index), each from so many replications."""
    points = []
    for overrides, index in cells:
        own = {**overrides, "run.horizon": {"messages": messages}, "run.seed": seed}
        try:
            points.append(Point(index, overrides, with_overrides(spec.unswept, own)))
        except InvalidInput:
            continue
    run = spec.run.model_copy(update={"replications": Replications(min=replications, max=replications)})
    rounds = run_rounds(points, run, InlineExecutor(2), should_stop=lambda: False)
    return {summary.index: summary for step in rounds for summary in step.summaries}


def searched(number: int) -> tuple[list[Claim], int]:
    """Search problem ``number``, then every cell of it; return what was claimed at each stage, and the cells."""
    spec, asked = problem(number)
    question = cast("Optimize", read_question(asked, spec))
    plan = asked_spec(question, spec)
    answers: dict[int, PointSummary] = {}
    stages: dict[int, Best] = {}
    for step in run_question(question, spec, InlineExecutor(2), should_stop=lambda: False):
        answers |= {summary.index: summary for summary in step.summaries}
        stages[step.number] = best_of(question, plan, answers)
    grid = grid_of(question)
    cells = [(grid.overrides(cell), grid.number(cell)) for cell in product(*map(range, grid.lengths))]
    truth = best_of(question, plan, simulated(plan, cells, seed=4711, **TRUTH))
    known = {_settings(item): item for item in truth.candidates.values()}
    claims = []
    for stage, best in stages.items():
        wrong = is_wrong(question, known.values(), known.get(_settings(best.chosen)) if best.chosen else None)
        claims.append(Claim(best.probability, wrong, stage == max(stages)))
    return claims, len(cells)


def _settings(candidate: Candidate) -> str:
    return repr(sorted(candidate.summary.overrides.items()))


def is_wrong(question: Optimize, truth: Iterator[Candidate] | Any, chosen: Candidate | None) -> bool:
    """Whether the truth surely contradicts the choice, or that there is none, by more than the indifference."""
    able = [item for item in truth if item.clear_chance > SURELY]
    if chosen is None:
        return bool(able)
    rivals = [item for item in able if item.cost < chosen.cost or _better(question, item, chosen)]
    return chosen.chance < 1 - SURELY or bool(rivals)


def _better(question: Optimize, item: Candidate, chosen: Candidate) -> bool:
    if item.cost != chosen.cost or item.value is None or chosen.value is None:
        return False
    return better_chance(item.value, chosen.value, TRUTH["replications"], question.indifference) > SURELY


def drawn(number: int) -> list[Claim]:
    """Search a problem whose answers are drawn: near-ties, a shared part as of common random numbers, skewed noise."""
    random = np.random.default_rng(number)
    spec, knob = parse(_zos(Random(number), 0.7)[0]), f"{QUEUE}.settings.maximum_sessions"
    count = int(random.integers(2, 60))
    asked = {"type": "optimize", "knobs": [{"path": knob, "values": list(range(1, count + 1))}]}
    asked |= {"minimize": [knob] if random.random() < 0.5 else [], "kpi": "latency.mean"}
    asked |= {"subject_to": [{"metric": "latency.mean", "at_most": float(random.uniform(0.8, 1.2))}]}
    question = cast("Optimize", read_question({**asked, "effort": EFFORT}, spec))
    plan = asked_spec(question, spec)
    means = 1 + random.choice([0.02, 0.1, 0.5]) * (random.random(count) - 0.5)
    shared, own = random.gamma(4, 0.25, 90) - 1, random.gamma(4, 0.25, (count, 90)) - 1
    values = means[:, None] * (1 + 0.1 * shared + random.choice([0.005, 0.02, 0.1]) * own)
    exact = {index: _answer(index, knob, np.full(2, mean)) for index, mean in enumerate(means)}
    known = best_of(question, plan, exact).candidates
    claims, taken = [], 10
    while True:
        best = best_of(question, plan, {i: _answer(i, knob, row[:taken]) for i, row in enumerate(values)})
        final = best.probability >= question.confidence or taken == 90
        wrong = is_wrong(question, known.values(), known[best.chosen.index] if best.chosen else None)
        claims.append(Claim(best.probability, wrong, final))
        if final:
            return claims
        taken *= STAGE


def _answer(index: int, knob: str, values: Any) -> PointSummary:
    metrics = {"latency.mean": mean_estimate(values, "s")}
    return PointSummary(
        index, {knob: index + 1}, "ok", len(values), metrics=metrics, samples={"latency.mean": tuple(values.tolist())}
    )


def table(claims: Sequence[Claim]) -> list[str]:
    """Return the reliability table: what was claimed against how often it was right."""
    lines = ["| claimed probability | claims | right | 95 % interval |", "|---|---|---|---|"]
    for low, high in pairwise(BINS):
        inside = [claim for claim in claims if low <= claim.probability and (claim.probability < high or high == 1)]
        if inside:
            right = sum(not claim.wrong for claim in inside) / len(inside)
            ends = [f"{end:.1%}" for end in _wilson(right, len(inside))]
            lines.append(f"| {low:.0%} to {high:.0%} | {len(inside)} | {right:.1%} | {' to '.join(ends)} |")
    return lines


def _wilson(share: float, count: int) -> tuple[float, float]:
    z = 1.96
    center, half = share + z * z / (2 * count), z * math.sqrt(share * (1 - share) / count + (z / (2 * count)) ** 2)
    return max((center - half) / (1 + z * z / count), 0.0), min((center + half) / (1 + z * z / count), 1.0)


def report(
    simulated_claims: Sequence[Claim], problems: int, cells: int, drawn_claims: Sequence[Claim], many: int
) -> str:
    """Return the page."""
    lines = [
        "# Reliability of choices",
        "",
        "Written by `python -m benchmarks.choices --write`; do not edit.",
        "",
        *ABOUT,
        "",
    ]
    parts = (
        ("Simulated", simulated_claims, f"{problems} problems of all families, {cells:,} settings by brute force"),
        ("Drawn", drawn_claims, f"{many} problems whose answers are drawn"),
    )
    for title, claims, what in parts:
        last = [claim for claim in claims if claim.final]
        sure = [claim for claim in last if claim.probability >= 0.99]
        wrong = sum(claim.wrong for claim in sure)
        lines += [
            f"## {title}",
            "",
            f"{what}: {len(sure)} ended with at least 99 %, {wrong} of them wrong by more than",
            "the indifference of 2 %; the others stayed open. Every stage of a search is a claim:",
            "",
            *table(claims),
            "",
        ]
    return "\n".join(lines)


def main() -> None:
    """Search, count, print."""
    parser = argparse.ArgumentParser(description="Compare searches with brute force.")
    parser.add_argument("--problems", type=int, default=50)
    parser.add_argument("--drawn", type=int, default=2000)
    parser.add_argument("--write", action="store_true", help="write docs/reliability.md")
    options = parser.parse_args()
    claims: list[Claim] = []
    cells, begin = 0, time.perf_counter()
    for number in range(options.problems):
        found, size = searched(number)
        claims, cells = [*claims, *found], cells + size
        print(f"{number:3} {size:4} cells {found[-1]} {time.perf_counter() - begin:7.1f} s", flush=True)
    made_up = [claim for number in range(options.drawn) for claim in drawn(number)]
    text = report(claims, options.problems, cells, made_up, options.drawn)
    print(text)
    if options.write:
        PAGE.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
