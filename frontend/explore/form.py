"""The small form of the Explore page: which settings are searched, over which values, and what is saved."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from frontend.answers.mechanism.lane import knobs_of
from frontend.site.json_text import json_or_text, values_read, values_text
from frontend.wording.numbers import is_number, swept_title
from planner.answers.curves import values_around
from simulations.experiment import expansion, values_of
from simulations.experiment.names import RESOURCES, setting_at, settings_in
from simulations.experiment.words import plain, setting_title
from simulations.scenario.runsettings import Axis
from simulations.scenario.spec import ScenarioSpec, revised

KNOBS, DRAWS = 2, 64
_RANGE = re.compile(r"\s*([-+.\deE]+)\s*(?:to|\.\.|–)\s*([-+.\deE]+)\s*(?:in|,)\s*(\d+)\s*(log)?\s*(?:steps)?\s*")


@dataclass(frozen=True)
class ExploreForm:
    """What the form shows; of each knob the path and its values as text, like ``18, 36`` or ``18 to 200 in 40``."""

    knobs: tuple[tuple[str, str], ...]
    settings: tuple[tuple[str, str], ...]
    savings: tuple[tuple[str, str], ...]
    minimize: str
    problems: tuple[str, ...] = ()


def explore_form(spec: ScenarioSpec, question: Mapping[str, Any], problems: tuple[str, ...] = ()) -> ExploreForm:
    """Return the form as the question was asked, or with the scenario's own sweep."""
    axes = question.get("knobs") or [axis.model_dump(by_alias=True) for axis in spec.sweep]
    knobs = [(axis["path"], _values_text(axis)) for axis in axes[:KNOBS]]
    known = searchable(spec)
    known |= {axis["path"]: setting_title(spec, axis["path"]) for axis in axes if axis["path"] not in known}
    savings = {path: known[path] for path, _ in knobs}
    resources = {name: name.upper() if name == "cpus" else name for name in RESOURCES}
    first = (question.get("minimize") or [""])[0]
    return ExploreForm(
        knobs=(*knobs, *[("", "")] * (KNOBS - len(knobs))),
        settings=tuple(known.items()),
        savings=(("", "nothing: the best latency"), *savings.items(), *resources.items()),
        minimize=first,
        problems=problems,
    )


def question_of(values: Mapping[str, str]) -> dict[str, Any]:
    """Return the question that the form asks; texts that are no values are kept, so that they are refused by name."""
    knobs = [
        {"path": path, **_axis(values.get(f"values{place}", ""))}
        for place in range(KNOBS)
        if (path := values.get(f"path{place}", ""))
    ]
    saved = values.get("minimize", "")
    return {"type": "optimize", "minimize": [saved] if saved else [], **({"knobs": knobs} if knobs else {})}


def uncertain(text: str) -> dict[str, Any]:
    """Return the inputs with their ranges, one a line: ``queues.orders.service.mean: 40ms to 60ms``, and the draws."""
    lines = [line.rpartition(":") for line in text.splitlines() if line.strip()]
    inputs = {path.strip(): [json_or_text(end.strip()) for end in ends.split(" to ")] for path, _, ends in lines}
    return {"inputs": inputs, "draws": DRAWS}


def default_question(spec: ScenarioSpec) -> dict[str, Any]:
    """Return what ``Find best`` asks: a sweep, the scenario's own if any; what costs is saved where objectives are."""
    axes = spec.sweep or _first_limit(spec)
    settings = [(axis, setting_at(spec, axis.path)) for axis in axes]
    costly = [axis for axis, item in settings if item and item.declaration.quantity.costs]
    saved = [axis.path for axis in costly if all(map(is_number, values_of(axis)))]
    knobs = [axis.model_dump(by_alias=True) for axis in axes]
    return {"type": "optimize", "minimize": saved if spec.objectives else [], "knobs": knobs}


def searchable(spec: ScenarioSpec) -> dict[str, str]:
    """Return path and title of everything that can be a knob."""
    return {item.path: swept_title(item) for item in settings_in(spec) if item.can_be_swept}


def _first_limit(spec: ScenarioSpec) -> tuple[Axis, ...]:
    """The first limit on the way of the messages, those with an objective first, over its curve's allowed values."""
    lanes = sorted(knobs_of(spec).items(), key=lambda lane: lane[0] not in {item.queue for item in spec.objectives})
    knobs = [knob for _, lane in lanes for kind in ("limit", "threads", "cpu") for knob in lane.get(kind, ())]
    for item in (setting_at(spec, knob.path) for knob in knobs):
        if item and item.can_be_swept and item.declaration.typical:
            values = sorted({*values_around(item.declaration, float(item.value)), item.value})
            cells = expansion(revised(spec, [(("sweep",), [{"path": item.path, "values": values}])])).points
            return (Axis(path=item.path, values=tuple(cell.overrides[item.path] for cell in cells)),)
    return ()


def _axis(text: str) -> dict[str, Any]:
    match = _RANGE.fullmatch(text)
    if match:
        start, stop, steps, log = match.groups()
        return {"from": start, "to": stop, "steps": int(steps), "scale": log or "linear"}
    return {"values": values_read(text)}


def _values_text(axis: Mapping[str, Any]) -> str:
    if axis.get("values") is not None:
        return values_text(axis["values"])
    log = " log" if axis.get("scale") == "log" else ""
    return f"{plain(axis['from'])} to {plain(axis['to'])} in {axis['steps']}{log}".replace(",", "")
