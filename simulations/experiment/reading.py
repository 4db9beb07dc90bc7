"""From what was asked to a complete question: names resolved, the scenario's own values filled in, all checked."""

import math
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from simulations.analysis.estimates.metrics import BY_NAME
from simulations.declarations.problems import (
    InvalidInput,
    Location,
    Problem,
    boolean_problems,
    nearest,
    problem,
    validated,
)
from simulations.declarations.units import parse_in
from simulations.experiment import questions
from simulations.experiment.headrooms import MOST_POINTS
from simulations.experiment.names import UnknownName, metric_named, path_named, resource_named
from simulations.experiment.points import ARRIVALS, value_at, values_of, with_overrides
from simulations.experiment.sensitivities import SensitivityPlan, input_ranges
from simulations.scenario.axes import MAX_POINTS, AxisReader, size_problems
from simulations.scenario.runsettings import Axis
from simulations.scenario.spec import ScenarioSpec

_BOUNDS = {"<=": "at_most", ">=": "at_least", "==": "equals"}


def read_question(data: object, spec: ScenarioSpec, most: int = MAX_POINTS) -> questions.Question:
    """Return the complete question, of at most so many points; raises InvalidInput with every problem of its part."""
    if not isinstance(data, Mapping):
        raise InvalidInput.at((), "a question is a mapping with the key type")
    model = questions.MODELS.get(str(data.get("type")))
    if model is None:
        message = f"unknown type of experiment; {nearest(str(data.get('type')), list(questions.MODELS))}"
        raise InvalidInput.at(("type",), message, value=data.get("type"))
    problems: list[Problem] = []
    body = _named(dict(data), spec, problems)
    problems += boolean_problems(data, model)
    if problems:
        raise InvalidInput(problems)
    question: questions.Question = validated(model, _filled(body, spec))
    return _complete(_check(question, spec, most), spec)


def points_planned(question: questions.Question) -> int:
    """Return the most points that the plan of a complete question has."""
    match question:
        case questions.Sweep() | questions.Optimize():
            return 1 + math.prod(axis.length for axis in question.knobs)
        case questions.SensitivityQuestion():
            return 1 + 2 * len(question.inputs) + question.draws
        case questions.HeadroomQuestion():
            return MOST_POINTS


def _named(body: dict[str, Any], spec: ScenarioSpec, problems: list[Problem]) -> dict[str, Any]:
    """The body with full paths and metric names; what cannot be named is added to ``problems``."""

    def path(name: object, place: Location) -> str:
        return _resolved(lambda text: path_named(spec, text), name, place, problems)

    if body.get("kpi"):
        body["kpi"] = _resolved(metric_named, body["kpi"], ("kpi",), problems)
    if isinstance(body.get("kpis"), list | tuple):
        body["kpis"] = [_resolved(metric_named, item, ("kpis", at), problems) for at, item in enumerate(body["kpis"])]
        body["kpi"] = body.get("kpi") or next(iter(body["kpis"]), "")
    if isinstance(body.get("subject_to"), list):
        given = enumerate(body["subject_to"])
        body["subject_to"] = [_objective(item, ("subject_to", at), problems) for at, item in given]
    if "knobs" in body:
        body["knobs"] = [{**axis, "path": path(axis.get("path", ""), place)} for axis, place in _axes(body["knobs"])]
    for key in ("baseline", "inputs"):
        if isinstance(body.get(key), Mapping):
            body[key] = {path(name, (key, name)): value for name, value in body[key].items()}
    return body


def _axes(given: object) -> Iterable[tuple[dict[str, Any], Location]]:
    """The knobs with their places, from a list of axes or from a mapping of name to values or to an axis."""
    if isinstance(given, Mapping):
        for name, value in given.items():
            axis = dict(value) if isinstance(value, Mapping) else {"values": value}
            yield {"path": name, **axis}, ("knobs", name)
        return
    for index, axis in enumerate(given if isinstance(given, list | tuple) else ()):
        yield (dict(axis) if isinstance(axis, Mapping) else {"path": str(axis)}), ("knobs", index, "path")


def _resolved(named: Callable[[str], str], name: object, place: Location, problems: list[Problem]) -> str:
    try:
        return named(str(name))
    except UnknownName as error:
        problems.append(problem(place, str(error), code="unknown_name", value=name))
        return str(name)


def _objective(item: object, place: Location, problems: list[Problem]) -> object:
    """An objective of the scenario format, also where it was written as kpi, op and value."""
    if not isinstance(item, Mapping):
        return item
    body = dict(item)
    name = body.pop("kpi", None) or body.get("metric", "")
    body["metric"] = _resolved(metric_named, name, (*place, "kpi" if "kpi" in item else "metric"), problems)
    if "op" not in body:
        return body
    bound, value = _BOUNDS.get(str(body.pop("op"))), body.pop("value", None)
    if bound is None:
        problems.append(problem((*place, "op"), f"must be one of {', '.join(_BOUNDS)}", value=item["op"]))
        return body
    try:
        body[bound] = parse_in(value, BY_NAME[body["metric"]].unit if body["metric"] in BY_NAME else "1")
    except ValueError as error:
        problems.append(problem((*place, "value"), str(error), value=value))
    return body


def _filled(body: dict[str, Any], spec: ScenarioSpec) -> dict[str, Any]:
    """The body with the scenario's own metric, objectives and axes where none are given."""
    filled = dict(body)
    filled["kpi"] = body.get("kpi") or spec.run.precision.metric
    if body.get("subject_to") is None:
        filled["subject_to"] = [item.model_dump() for item in spec.objectives]
    if body["type"] in ("sweep", "optimize") and not body.get("knobs"):
        filled["knobs"] = [axis.model_dump(by_alias=True) for axis in spec.sweep]
    return filled


def _check(question: questions.Question, spec: ScenarioSpec, most: int) -> questions.Question:
    """Return the question with its knobs read; raises InvalidInput for what single fields cannot tell."""
    problems: list[Problem] = []
    if BY_NAME[question.kpi].is_extreme:
        problems.append(problem(("kpi",), "an extreme has no confidence interval; choose another metric"))
    if isinstance(question, questions.Sweep | questions.Optimize):
        knobs, wrong = _read_knobs(question.knobs, spec, most)
        question = question.model_copy(update={"knobs": knobs})
        problems += wrong or _knob_problems(knobs, spec.unswept)
    if isinstance(question, questions.HeadroomQuestion):
        with_overrides(spec, {ARRIVALS: 1.0})
    if problems:
        raise InvalidInput(problems)
    return question


def _read_knobs(knobs: tuple[Axis, ...], spec: ScenarioSpec, most: int) -> tuple[tuple[Axis, ...], list[Problem]]:
    """The knobs with values as the scenario holds them, and what is wrong with them."""
    if not knobs:
        return (), [problem(("knobs",), "name at least one setting and its values; the scenario sweeps none itself")]
    too_large = size_problems(knobs, most=most, place="knobs")
    if too_large:
        return knobs, too_large
    reader = AxisReader(spec.body(), type(spec))
    read = (axis if axis.path == ARRIVALS else reader.read(axis, ("knobs", at)) for at, axis in enumerate(knobs))
    return tuple(read), reader.problems


def _knob_problems(knobs: tuple[Axis, ...], spec: ScenarioSpec) -> list[Problem]:
    found: dict[tuple[str, str], Problem] = {}
    for axis in knobs:
        try:
            value_at(spec, axis.path)
        except KeyError as error:
            found[axis.path, ""] = problem(("knobs",), str(error.args[0]), value=axis.path)
        for value in values_of(axis):
            try:
                with_overrides(spec, {axis.path: value})
            except InvalidInput as error:
                found.update({(item.path, item.message): item for item in error.problems})
    return list(found.values())


def _complete(question: questions.Question, spec: ScenarioSpec) -> questions.Question:
    changes: dict[str, Any] = {}
    problems: list[Problem] = []
    if isinstance(question, questions.Optimize):
        paths = tuple(axis.path for axis in question.knobs)
        changes["minimize"] = [
            _resolved(lambda name: resource_named(name, paths, spec), name, ("minimize", index), problems)
            for index, name in enumerate(question.minimize)
        ]
    if isinstance(question, questions.SensitivityQuestion):
        changes["inputs"] = {path: list(ends) for path, ends in input_ranges(question, spec).items()}
    if problems:
        raise InvalidInput(problems)
    full = question.model_validate({**question.model_dump(by_alias=True), **changes})
    if isinstance(full, questions.SensitivityQuestion) and full.draws:
        SensitivityPlan(full, spec).first()  # each value is allowed, all of a draw together may not be
    effort = questions.affordable(full.effort, spec, points_planned(full), kind=full.type)
    return full.model_validate({**full.model_dump(by_alias=True), "effort": effort.model_dump()})
