"""The undo part of every written format: applied after the script it leaves everything as it was before."""

import shlex
from collections.abc import Callable
from typing import Any

import pytest
import yaml
from hypothesis import given

from simulations.platforms import PLATFORMS
from simulations.scenario.spec import parse
from tests.examples import examples
from tests.simulations.platforms.choosing import choices, written

State = dict[str, Any]


def commands(state: State, text: str) -> State:
    """What imqcmd and asadmin have set: each key of an object. A step expects what is set before."""
    state = dict(state)
    for line in text.splitlines():
        if line.startswith("    step "):
            _, _, entity, key, expected, value = shlex.split(line)
            assert state.get(f"{entity} {key}", expected) == expected
            state[f"{entity} {key}"] = value
    return state


def properties(state: State, text: str) -> State:
    """Broker properties by key."""
    pairs = [line.split("=", 1) for line in text.splitlines() if not line.startswith("#")]
    return {**state, **dict(pairs)}


def model(state: State, text: str) -> State:
    """A Deploy Tooling model laid over what is there: a name with an exclamation mark takes an object away."""
    return _laid(state, yaml.safe_load(text) or {})


def _laid(state: State, over: State) -> State:
    state = dict(state)
    for key, value in over.items():
        if key.startswith("!"):
            state.pop(key[1:], None)
        else:
            state[key] = _laid(state.get(key, {}), value) if isinstance(value, dict) else value
    return {key: value for key, value in state.items() if value not in ({}, "")}


def scenario(state: State, text: str) -> State:
    """A scenario file says everything."""
    return parse(yaml.safe_load(text)).system.model_dump()


TOOLS: dict[str, Callable[[State, str], State]] = {
    "imqcmd": commands,
    "asadmin": commands,
    "mqsc": commands,
    "properties": properties,
    "wdt": model,
    "yaml": scenario,
}
"""What each format does to what is installed; consoles in memory run WLST and wsadmin in ``test_scripts``."""


@pytest.mark.parametrize("platform", PLATFORMS)
def test_what_is_applied_is_taken_back(platform: str) -> None:
    @examples(30, nightly=1_000)
    @given(case=choices(platform))
    def check(case: tuple[dict[str, Any], dict[str, Any]]) -> None:
        for name, script in written(platform, *case).items():
            if name in ("wlst", "wsadmin"):
                continue
            before = TOOLS[name]({}, script.undo)
            after = TOOLS[name](before, script.apply)
            assert after != before, name
            assert TOOLS[name](after, script.undo) == before, name

    check()
