"""The ways of single messages beside the sampled paths: the same course, seen message by message."""

import numpy as np

from frontend.answers.throttle_closeup import MOST_FOLLOWED, MOST_STEPS, closeup
from planner.presets.files import presets
from simulations.engine.records.codes import Step
from simulations.scenario.spec import ScenarioSpec


def preset(key: str) -> ScenarioSpec:
    return next(item.spec for item in presets() if item.key == key)


def test_what_single_messages_do_adds_up_to_the_path() -> None:
    path = closeup(preset("limit-of-16"), trace=MOST_STEPS).throttle["orders"]
    steps, times = np.array(path["step"]), np.array(path["step_time"])
    assert set(steps) == {Step.ARRIVE, Step.PREPARE, Step.START, Step.COMPLETE}
    at = len(path["time"]) // 2
    instant = path["time"][at] or 0.0
    assert not np.isclose(times, instant).any()
    begun, done = (int(((steps == step) & (times < instant)).sum()) for step in (Step.START, Step.COMPLETE))
    assert begun - done == path["running"][at]


def test_of_many_messages_some_are_followed_from_end_to_end() -> None:
    path = closeup(preset("outage"), trace=MOST_STEPS).throttle["orders"]
    numbers = np.unique(np.array(path["message"]))
    assert MOST_FOLLOWED / 2 < len(numbers) <= MOST_FOLLOWED
    assert set(np.diff(numbers)) == {numbers[1] - numbers[0]}


def test_nobody_is_followed_unasked_or_in_too_long_a_course() -> None:
    assert "step" not in closeup(preset("surge")).throttle["orders"]
    assert "step" not in closeup(preset("surge"), trace=100).throttle["orders"]
