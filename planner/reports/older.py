"""Payloads of every version as the newest one: what an older report did not record is empty, never invented."""

from collections.abc import Mapping, Sequence
from typing import Any

from planner.answers.choice import Choice, choice_of
from planner.selectors import StoredPoint
from simulations.scenario.spec import ScenarioSpec

_NEVER_RECORDED: Mapping[str, Any] = {
    "supersedes": None,
    "decision": {"decider": "", "by": ""},
    "servers": [],
    "rules": [],
    "calibration": None,
    "changes": {"baseline": None, "points": {}, "notes": []},
    "experiments": [],
    "scripts": [],
}


def payload_read(payload: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the payload with every part that the newest version has."""
    return {**_NEVER_RECORDED, **payload}


def choice_read(payload: Mapping[str, Any], spec: ScenarioSpec, points: Sequence[StoredPoint]) -> Choice:
    """Return the frozen choice; of a report that did not record one, the choice by its numbers."""
    stored = payload.get("choice")
    if stored is None:
        return choice_of(spec, points)
    by_index = {point.index: point for point in points}
    places = {name: by_index.get(stored[name]) for name in ("chosen", "present", "runner_up")}
    return Choice(metric=stored["metric"], word=stored["word"], **places)
