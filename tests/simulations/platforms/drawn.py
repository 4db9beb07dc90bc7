"""Scenarios of any family, drawn at random: modes, settings, loads and clusters that people may well have."""

import copy
from collections.abc import Sequence
from typing import Any

from hypothesis import strategies as st

from simulations.declarations.parameters import Declaration, parameters_of
from simulations.declarations.problems import InvalidInput
from simulations.platforms import PLATFORMS
from simulations.scenario.spec import ScenarioSpec, parse
from tests.simulations.platforms.samples import BASES, scenario_body

_NUMBERS: dict[str, list[float]] = {"s": [0.01, 0.5, 3.0, 60.0], "1": [0.05, 0.5], "%": [0.0, 10.0, 75.0, 100.0]}
_KEPT = ("threshold_high", "threshold_low", "flow_minimum", "flow_maximum")
"""Settings that are refused without their counterpart."""
SERVICES: list[dict[str, Any]] = [
    {"kind": "constant", "mean": 0.25},
    {"kind": "exponential", "mean": 0.2},
    {"kind": "exponential", "mean": 0.003, "cpu": 0.5},
    {"kind": "gamma", "mean": 0.05, "cv": 0.5},
    {"kind": "hyperexponential", "mean": 1.5, "cv": 2.0},
    {"kind": "empirical", "source": [0.1, 0.2, 0.7]},
]


@st.composite
def scenarios(draw: st.DrawFn, platform: str) -> ScenarioSpec:
    """A scenario that the platform allows: one of its modes with up to five other settings."""
    family, base = PLATFORMS[platform], copy.deepcopy(draw(st.sampled_from(BASES[platform])))
    service = draw(st.sampled_from(SERVICES))
    body = scenario_body(
        platform,
        **{"kind": draw(st.sampled_from(["queue", "topic"])), "instances": draw(st.sampled_from([1, 1, 3])), **base},
        service=service,
        arrivals=draw(_arrivals(service.get("mean", 1 / 3))),
    )
    body["servers"][0]["cpus"] = draw(st.sampled_from([1, 2, 8]))
    for entity, declared in (("servers", family.server_parameters), ("queues", family.queue_parameters)):
        for name, value in draw(_changes(parameters_of(declared))).items():
            _set(body, entity, name, value)
    return parse(body)


@st.composite
def _arrivals(draw: st.DrawFn, mean: float) -> dict[str, Any]:
    rate = draw(st.sampled_from([0.01, 0.5, 3.0, 14.0, 40.0])) / mean
    kinds: list[dict[str, Any]] = [
        {"kind": "poisson", "rate": rate},
        {"kind": "constant", "rate": rate},
        {"kind": "periodic_burst", "count": 20, "every": 20 / rate},
        {"kind": "on_off", "on_rate": rate, "off_rate": 0.0, "mean_on": 5 * mean, "mean_off": 5 * mean},
        {"kind": "saturated"},
    ]
    return draw(st.sampled_from(kinds))


@st.composite
def _changes(draw: st.DrawFn, declared: Sequence[Declaration]) -> dict[str, Any]:
    chosen = draw(st.lists(st.sampled_from(declared), max_size=5, unique_by=lambda item: item.name))
    values = {item.name: settable_values(item) for item in chosen if not item.name.endswith(_KEPT)}
    return {name: draw(st.sampled_from(found)) for name, found in values.items() if found}


def settable_values(item: Declaration) -> list[Any]:
    """Values that a setting may well have; none of those that only make sense with others."""
    match item.kind:
        case "boolean":
            return [False, True]
        case "choice":
            return list(item.choices)
        case "integer":
            return [value for value in (1, 2, 5, 20, 100) if value <= (item.maximum or 100)]
        case "number":
            return _NUMBERS.get(item.unit, [])
        case _:
            return []


def _set(body: dict[str, Any], entity: str, name: str, value: Any) -> None:
    """Give the setting the value, unless the others forbid it."""
    settings = body[entity][0]["settings"]
    before = dict(settings)
    settings[name] = value
    try:
        parse(body)
    except InvalidInput:
        body[entity][0]["settings"] = before
