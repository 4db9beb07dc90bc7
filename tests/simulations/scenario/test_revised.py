"""A scenario with values set reads only what changes, and is to the bit what reading the whole of it again gives."""

import json
import random
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import pytest

from planner.presets.files import presets
from simulations.declarations.paths import value_in, with_value
from simulations.declarations.problems import InvalidInput, Location, Problem
from simulations.scenario.spec import ScenarioSpec, parse, revised
from tests.examples import NIGHTLY

SPECS = {preset.key: preset.spec for preset in presets()}
JUNK: tuple[Any, ...] = (
    None,
    True,
    False,
    -1,
    0,
    1,
    7,
    36.5,
    1e300,
    "",
    "36",
    "20ms",
    "60/s",
    "orders",
    "weblogic",
    "x\ny",
    [],
    {},
)
STRUCTURES: tuple[Any, ...] = (
    [1, "2"],
    {"kind": "saturated"},
    {"kind": "poisson", "rate": "81/s"},
    {"kind": "surge", "count": 300},
    {"kind": "nothing"},
    {"kind": "lognormal", "mean": "2kB", "cv": 1},
    {"until": "drained"},
    {"messages": 500, "time": 3},
)


def places(node: Any, here: Location = ()) -> Iterator[Location]:
    """Every place of a body."""
    items = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    for key, item in items:
        yield (*here, key)
        yield from places(item, (*here, key))


def outcome(make: Callable[[], ScenarioSpec]) -> ScenarioSpec | tuple[Problem, ...]:
    try:
        return make()
    except InvalidInput as error:
        return error.problems


@pytest.mark.parametrize("key", SPECS)
def test_any_change_anywhere_is_what_reading_the_whole_gives(key: str) -> None:
    """Thousands of changes by night, some hundred else: single values, whole branches, two at a time."""
    chance, spec = random.Random(key), SPECS[key]
    body = spec.body()
    known = [place for place in places(body) if place[0] != "sluice"]
    right = wrong = 0
    for _ in range(5000 if NIGHTLY else 300):
        changes = [(chance.choice(known), chance.choice(JUNK + STRUCTURES))]
        if chance.random() < 0.4:
            changes = [(place, _doubled(value_in(body, place))) for place in chance.sample(known, 2)]
        whole: Any = body
        try:
            for change in changes:
                whole = with_value(whole, *change)
        except TypeError:
            continue
        expected, found = outcome(partial(parse, whole)), outcome(partial(revised, spec, changes))
        assert found == expected, changes
        if isinstance(expected, ScenarioSpec) and isinstance(found, ScenarioSpec):
            right += 1
            assert json.dumps(found.body()) == json.dumps(expected.body()), changes
            assert found.network() == expected.network()
        else:
            wrong += 1
    assert right > 20
    assert wrong > 20


def _doubled(value: Any) -> Any:
    return value * 2 if isinstance(value, int | float) and not isinstance(value, bool) else value
