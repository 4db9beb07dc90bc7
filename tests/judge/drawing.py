"""Scenarios of all families as people may have them, each made from a number alone."""

import copy
import random
from typing import Any

from simulations.declarations.parameters import parameters_of
from simulations.declarations.problems import InvalidInput
from simulations.platforms import PLATFORMS
from simulations.scenario.spec import ScenarioSpec, parse
from tests.simulations.platforms.drawn import settable_values
from tests.simulations.platforms.samples import BASES, scenario_body

MESSAGES = 10_000
SERVICES: list[dict[str, Any]] = [
    {"kind": "constant", "mean": 0.25},
    {"kind": "exponential", "mean": 0.2},
    {"kind": "exponential", "mean": 0.02, "cpu": 0.5},
    {"kind": "gamma", "mean": 0.05, "cv": 0.5, "cpu": 1.0},
    {"kind": "hyperexponential", "mean": 0.5, "cv": 2.0},
    {"kind": "lognormal", "mean": 0.1, "cv": 1.5, "cpu": 0.1},
]
LOADS = [0.05, 0.3, 0.6, 0.8, 0.9, 1.3, 3.0]
"""Of what the settings carry, or of sixteen threads where no formula says what that is."""


def scenario(number: int) -> ScenarioSpec:
    """Return the scenario of this number: platforms take turns, the rest is drawn."""
    draw = random.Random(number)
    platform = list(PLATFORMS)[number % len(PLATFORMS)]
    base = copy.deepcopy(draw.choice(BASES[platform]))
    body = scenario_body(platform, **{"instances": draw.choice([1, 1, 1, 3]), **base}, service=draw.choice(SERVICES))
    body["name"] = f"Judged {number}"
    body["servers"][0]["cpus"] = draw.choice([1, 2, 8])
    _change(draw, body, platform)
    if draw.random() < 0.25:
        second = {**copy.deepcopy(body["queues"][0]), "name": "bills", "service": draw.choice(SERVICES)}
        body = _allowed(body, {**body, "queues": [*body["queues"], second]})
    for queue in body["queues"]:
        queue["arrivals"] = _arrivals(draw, body, queue)
    drained = body["queues"][0]["arrivals"]["kind"] == "surge" and len(body["queues"]) == 1
    horizon: dict[str, Any] = {"until": "drained"} if drained else {"messages": MESSAGES}
    body["run"] = {"horizon": horizon, "replications": {"min": 10, "max": 10}, "seed": number}
    body["objectives"] = draw.choice(_objectives(body))
    return parse(body)


def _change(draw: random.Random, body: dict[str, Any], platform: str) -> None:
    family = PLATFORMS[platform]
    declared = {"servers": family.server_parameters, "queues": family.queue_parameters}
    for entity, model in declared.items():
        for item in draw.sample(parameters_of(model), k=3):
            values = settable_values(item)
            if values:
                settings = body[entity][0]["settings"]
                body[entity][0]["settings"] = {**settings, item.name: draw.choice(values)}
                if not _parses(body):
                    body[entity][0]["settings"] = settings
    if draw.random() < 0.2:
        resource = {"name": "database", "limit": draw.choice([2, 10]), "share": 0.5}
        _give(body, draw.choice([{"downstream": resource}, {"failure_rate": 0.05}]))


def _give(body: dict[str, Any], settings: dict[str, Any]) -> None:
    before = body["queues"][0]["settings"]
    body["queues"][0]["settings"] = {**before, **settings}
    if not _parses(body):
        body["queues"][0]["settings"] = before


def _allowed(before: dict[str, Any], after: dict[str, Any]) -> dict[str, Any]:
    return after if _parses(after) else before


def _parses(body: dict[str, Any]) -> bool:
    try:
        parse(body)
    except InvalidInput:
        return False
    return True


def _arrivals(draw: random.Random, body: dict[str, Any], queue: dict[str, Any]) -> dict[str, Any]:
    spec = parse(body)
    carried = spec.family.carried
    known = next(item for item in spec.system.queues if item.name == queue["name"])
    most = (carried(spec.system, known) if carried else None) or 16 / queue["service"]["mean"]
    rate = draw.choice(LOADS) * most / len(body["queues"])
    mean = queue["service"]["mean"]
    kinds: list[dict[str, Any]] = [
        {"kind": "poisson", "rate": rate},
        {"kind": "poisson", "rate": rate},
        {"kind": "constant", "rate": rate},
        {"kind": "on_off", "on_rate": 2 * rate, "off_rate": 0.0, "mean_on": 20 * mean, "mean_off": 20 * mean},
        {"kind": "saturated"},
        {"kind": "surge", "count": 1_000, "at": 0.0, "then": 0.0},
    ]
    return draw.choice(kinds)


def _objectives(body: dict[str, Any]) -> list[list[dict[str, Any]]]:
    mean = body["queues"][0]["service"]["mean"]
    return [
        [],
        [{"metric": "latency.p95", "at_most": 4 * mean}],
        [{"metric": "overtaken_fraction", "equals": 0}],
        [{"metric": "throughput", "at_least": 8 / mean}],
        [{"metric": "timeouts.share", "at_most": 0.01}, {"metric": "latency.p95", "at_most": 20 * mean}],
    ]
