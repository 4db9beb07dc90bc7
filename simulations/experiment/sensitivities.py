"""What inputs do to the KPI when they are off: each one alone, compared message by message, and all drawn at once.

The draws are a Latin hypercube (McKay, Beckman and Conover, Technometrics 21, 1979), even over each range. The share of
an input is its squared correlation with the KPI over the draws, with Fisher's interval: what of the variance would go
if the input were known, at the least (Saltelli and others, Sensitivity Analysis in Practice, 2004). ADR 163 says why.
"""

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy  # scipy.stats loads when it is first used: half a second of each start

from simulations.analysis.estimates.metrics import BY_NAME
from simulations.analysis.estimates.summary import Estimate, PointSummary
from simulations.declarations.problems import InvalidInput, Problem, problem
from simulations.declarations.units import parse_in
from simulations.declarations.workload import Saturated
from simulations.engine.network.model import NetworkSpec
from simulations.experiment.names import settings_in
from simulations.experiment.points import ARRIVALS, Answers, Point, Steering, value_at, with_overrides
from simulations.experiment.questions import MOST_INPUTS, SensitivityQuestion
from simulations.experiment.verdicts import Verdict, verdict_of
from simulations.scenario.runsettings import Objective
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
        return self.swing == float("inf") or any(item.leaves_zero_out for item in known)


class SensitivityPlan:
    """Point 0 is the scenario; points 1 + 2k and 2 + 2k set input k to its low and its high end; the draws follow."""

    def __init__(self, question: SensitivityQuestion, spec: ScenarioSpec) -> None:
        self.question, self.spec = question, spec

    def first(self) -> tuple[Point, ...]:
        """Return the whole plan."""
        ends = ({path: value} for path, pair in self.question.inputs.items() for value in pair)
        changes: list[dict[str, Any]] = [{}, *ends, *drawn(self.question, self.spec.run.seed)]
        return tuple(Point(index, change, with_overrides(self.spec, change)) for index, change in enumerate(changes))

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
        now = spec.network()
        allowed = {path: ends for path, ends in found.items() if ends is not None and acts(spec, now, path, *ends)}
        return dict(list(allowed.items())[:MOST_INPUTS])
    ranges: dict[str, Range] = {}
    problems: list[Problem] = []
    for path, given in question.inputs.items():
        try:
            low, high = _range(spec, path, given)
            ranges[path] = _held(spec, path, low), _held(spec, path, high)
        except InvalidInput as error:
            problems += error.problems
        except (KeyError, ValueError) as error:
            problems.append(problem(("inputs", path), str(error.args[0]), value=given))
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
    share = parse_in(given, "1")
    if not isinstance(share, int | float) or not 0 < share < 1:
        raise ValueError("a share lies between 0 and 1, or give the two ends, [low, high]")
    ends = _moved(spec, path, share)
    if ends is None:
        raise ValueError("has no number that could be moved by a share; give the two ends")
    return ends


def _held(spec: ScenarioSpec, path: str, value: Any) -> Any:
    """The value as the scenario holds it: 40ms is 0.04. Raises InvalidInput where it forbids the value."""
    changed = with_overrides(spec, {path: value})
    return float(value) if path == ARRIVALS else value_at(changed, path)


def _moved(spec: ScenarioSpec, path: str, share: float) -> Range | None:
    """The value a share lower and higher; whole numbers move by one at least. None without a positive number."""
    value = value_at(spec, path)
    if isinstance(value, bool) or not isinstance(value, int | float) or value <= 0:
        return None
    if isinstance(value, float):
        return value * (1 - share), value * (1 + share)
    step = max(1, round(value * share))
    return value - step, value + step


def acts(spec: ScenarioSpec, now: NetworkSpec, path: str, *values: Any) -> bool:
    """Return whether all are allowed and one changes the network ``now``: settings of other modes, or rules, do not."""
    try:
        changed = [with_overrides(spec, {path: value}) for value in values]
    except InvalidInput:
        return False
    return any(one.network() != now for one in changed)


@dataclass(frozen=True)
class Joint:
    """The answers of all draws that have one.

    Attributes:
        low, high: the metric at the draws between which 95 % of them lie, each with its simulation error; None where
            the backlog grows.
        verdicts: how many draws meet and miss the objectives, cannot be told or are unstable.
        shares: of the variance among draws that have the metric, by input, largest first.
    """

    draws: int
    low: Estimate | None
    high: Estimate | None
    verdicts: Mapping[Verdict, int]
    shares: Mapping[str, Estimate]


def drawn(question: SensitivityQuestion, seed: int) -> Iterator[dict[str, Any]]:
    """Yield the values of all inputs in each draw."""
    for places in scipy.stats.qmc.LatinHypercube(len(question.inputs), rng=seed).random(question.draws):
        yield {path: _inside(ends, place) for (path, ends), place in zip(question.inputs.items(), places, strict=True)}


def joint_of(question: SensitivityQuestion, objectives: Sequence[Objective], answers: Answers) -> Joint | None:
    """Return what the draws say so far; None without any."""
    draws = [summary for index, summary in answers.items() if index > 2 * len(question.inputs)]
    if not draws:
        return None
    worst = -math.inf if BY_NAME[question.kpi].better == "higher" else math.inf
    found = [summary.metrics.get(question.kpi) for summary in draws]
    ordered = sorted(found, key=lambda item: item.value if item else worst)
    last = len(ordered) - 1
    return Joint(
        draws=len(draws),
        low=ordered[math.floor(0.025 * last)],
        high=ordered[math.ceil(0.975 * last)],
        verdicts=Counter(verdict_of(objectives, summary) for summary in draws),
        shares=dict(sorted(_shares(question, draws), key=lambda item: -item[1].value)),
    )


def _inside(ends: Sequence[Any], place: float) -> Any:
    """The value at a place from 0 to 1 of the range; of values that are no numbers one of the two."""
    low, high = ends
    if any(isinstance(end, bool) or not isinstance(end, int | float) for end in ends):
        return ends[place >= 0.5]
    if isinstance(low, int) and isinstance(high, int):
        return min(low, high) + math.floor(place * (abs(high - low) + 1))
    return low + place * (high - low)


def _shares(question: SensitivityQuestion, draws: Sequence[PointSummary]) -> Iterator[tuple[str, Estimate]]:
    """Yield the share of each input that varies, with its interval."""
    known = [item for item in draws if question.kpi in item.metrics]
    values = [item.metrics[question.kpi].value for item in known]
    for path, ends in question.inputs.items():
        taken = [item.overrides[path] for item in known]
        places = [at if isinstance(at, int | float) else ends.index(at) for at in taken]
        if len(known) > 3 and np.ptp(values) > 0 and np.ptp(places) > 0:
            correlation = scipy.stats.pearsonr(places, values)
            low, high = map(float, correlation.confidence_interval())
            least = 0.0 if low < 0 < high else min(low**2, high**2)
            yield path, Estimate(float(correlation.statistic) ** 2, least, max(low**2, high**2), "1")
