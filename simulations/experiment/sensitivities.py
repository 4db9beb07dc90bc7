"""What each input does to the KPI when it is off: one input at a time, compared message by message."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from simulations.analysis.estimates.summary import Estimate, PointSummary
from simulations.declarations.problems import InvalidInput, Problem, problem
from simulations.declarations.workload import Saturated
from simulations.experiment.names import settings_in
from simulations.experiment.points import ARRIVALS, Answers, Point, Steering, value_at, with_overrides
from simulations.experiment.questions import MOST_INPUTS, SensitivityQuestion
from simulations.scenario.spec import ScenarioSpec

Range = tuple[Any, Any]
"""The two values that an input is set to."""


@dataclass(frozen=True)
class End:
    """An input at one end of its range; ``difference`` to the scenario is None where there is none yet or never."""

    value: Any
    status: str
    difference: Estimate | None


@dataclass(frozen=True)
class Effect:
    """What one input does."""

    path: str
    low: End
    high: End

    @property
    def swing(self) -> float:
        """The larger difference without its sign; infinite where an end is unstable, 0 where nothing is known."""
        if "unstable" in (self.low.status, self.high.status):
            return float("inf")
        return max((abs(end.difference.value) for end in (self.low, self.high) if end.difference), default=0.0)

    @property
    def resolved(self) -> bool:
        """Whether at least one end differs from the scenario by more than the interval, or is unstable."""
        known = [end.difference for end in (self.low, self.high) if end.difference]
        return self.swing == float("inf") or any(not item.low <= 0 <= item.high for item in known)


class SensitivityPlan:
    """Point 0 is the scenario; points 1 + 2k and 2 + 2k set input k to its low and its high end."""

    def __init__(self, question: SensitivityQuestion, spec: ScenarioSpec) -> None:
        self.question, self.spec = question, spec

    def first(self) -> tuple[Point, ...]:
        """Return the whole plan."""
        ends: list[dict[str, Any]] = [{}]
        ends += [{path: value} for path, pair in self.question.inputs.items() for value in pair]
        return tuple(Point(index, change, with_overrides(self.spec, change)) for index, change in enumerate(ends))

    def steer(self, answers: Answers) -> Steering:
        """Settle the points whose difference is clear, or small compared with the value itself."""
        return Steering(frozenset(index for index in answers if index and self._clear(index, answers)))

    def _clear(self, index: int, answers: Answers) -> bool:
        base = answers[0].metrics.get(self.question.kpi) if 0 in answers else None
        difference = answers[index].differences.get(self.question.kpi)
        if base is None or difference is None:
            return False
        half = (difference.high - difference.low) / 2
        return half <= max(abs(difference.value) / 10, abs(base.value) * (self.question.effort.precision or 0.02) / 2)


def effects_of(question: SensitivityQuestion, answers: Answers) -> tuple[Effect, ...]:
    """Return the effects known so far, the largest first."""
    found = []
    for number, (path, pair) in enumerate(question.inputs.items()):
        ends = (_end(value, answers.get(1 + 2 * number + place), question.kpi) for place, value in enumerate(pair))
        found.append(Effect(path, *ends))
    return tuple(sorted(found, key=lambda effect: -effect.swing))


def _end(value: Any, answer: PointSummary | None, kpi: str) -> End:
    return End(value, answer.status, answer.differences.get(kpi)) if answer else End(value, "open", None)


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
