"""The inputs of a sensitivity: what may be off, and by how much."""

from collections.abc import Iterator
from typing import Any

from simulations.declarations.problems import InvalidInput, Problem, problem
from simulations.declarations.workload import Saturated
from simulations.experiment.names import settings_in
from simulations.experiment.points import ARRIVALS, value_at, with_overrides
from simulations.experiment.questions import MOST_INPUTS, SensitivityQuestion
from simulations.scenario.spec import ScenarioSpec

Range = tuple[Any, Any]


def input_ranges(question: SensitivityQuestion, spec: ScenarioSpec) -> dict[str, Range]:
    """Return each input with the two values it is set to; raises InvalidInput where the scenario forbids one."""
    if not question.inputs:
        found = {path: _moved(spec, path, question.spread) for path in known_inputs(spec)}
        moved = {path: ends for path, ends in found.items() if ends is not None and not _problems(spec, path, ends)}
        allowed = {path: ends for path, ends in moved.items() if _acts(spec, path, ends)}
        return dict(list(allowed.items())[:MOST_INPUTS])
    ranges: dict[str, Range] = {}
    problems = []
    for path, given in question.inputs.items():
        try:
            ends = _range(spec, path, given)
        except (KeyError, ValueError) as error:
            problems.append(problem(("inputs", path), str(error.args[0]), value=given))
            continue
        problems += _problems(spec, path, ends)
        ranges[path] = ends
    if problems:
        raise InvalidInput(problems)
    return ranges


def known_inputs(spec: ScenarioSpec) -> Iterator[str]:
    """Yield what may be off in any scenario: all arrivals together, and every other number, the workload's first."""
    if not any(isinstance(queue.arrivals, Saturated) for queue in spec.queues):
        yield ARRIVALS
    numbers = [item.path for item in settings_in(spec) if item.declaration.is_number and ".arrivals." not in item.path]
    yield from sorted(numbers, key=lambda path: ".settings." in path)


def _range(spec: ScenarioSpec, path: str, given: Any) -> Range:
    if isinstance(given, list | tuple) and len(given) == 2:
        return given[0], given[1]
    share = float(given)
    if not 0 < share < 1:
        raise ValueError("a share lies between 0 and 1, or give the two ends")
    ends = _moved(spec, path, share)
    if ends is None:
        raise ValueError("has no number that could be moved by a share; give the two ends")
    return ends


def _moved(spec: ScenarioSpec, path: str, share: float) -> Range | None:
    """The value a share lower and higher; whole numbers move by one at least. None without a positive number."""
    value = value_at(spec, path)
    if isinstance(value, bool) or not isinstance(value, int | float) or value <= 0:
        return None
    if isinstance(value, float):
        return value * (1 - share), value * (1 + share)
    step = max(1, round(value * share))
    return value - step, value + step


def _acts(spec: ScenarioSpec, path: str, ends: Range) -> bool:
    """Whether the simulation sees either value: settings of another mode, or of rules only, have no influence."""
    now = spec.network()
    return any(with_overrides(spec, {path: value}).network() != now for value in ends)


def _problems(spec: ScenarioSpec, path: str, ends: Range) -> list[Problem]:
    found: list[Problem] = []
    for value in ends:
        try:
            with_overrides(spec, {path: value})
        except InvalidInput as error:
            found += error.problems
    return found
