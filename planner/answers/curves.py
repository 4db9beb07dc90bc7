"""What one setting does to the metric that a scenario is about, over a range of values, and what it can gain.

All values are simulated with common random numbers. The value to take was the best of many by chance, too: what it
gains is therefore simulated again, with other random numbers.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from planner.answers.choice import asked_metric
from planner.answers.cures import Trial, judged, wanted
from planner.answers.quick import paired_answers
from simulations.analysis.estimates.metrics import BY_NAME
from simulations.analysis.estimates.summary import PointSummary
from simulations.declarations.problems import InvalidInput
from simulations.experiment import Point, with_overrides
from simulations.experiment.verdicts import objective_verdicts
from simulations.scenario.spec import ScenarioSpec, revised

EVENTS = 50_000
"""Of each value, in all replications together."""
REPLICATIONS = 5
"""Of each value: the time goes into preparing replications, not into their events."""
COURSE_EVENTS = 8 * EVENTS
"""The same where bursts or a profile come over time: a shorter course would miss them."""
CONFIRMED_WITH = 4
"""Times as many events for the value to take."""


@dataclass(frozen=True)
class Curve:
    """``points``: value and answer in the order of the values, with the present one, without forbidden ones.

    ``best``: the value to take with what it does, None where no value gains anything.
    """

    metric: str
    points: tuple[tuple[float, PointSummary], ...]
    best: tuple[Any, Trial] | None


def curve_of(spec: ScenarioSpec, path: str, present: float, values: Sequence[float], near: float) -> Curve:
    """Return the curve of a setting, ``present`` now, with the good value nearest to ``near``; raises InvalidInput."""
    spec, metric = spec.unswept, asked_metric(spec)
    points: list[Point] = []
    for value in values:
        try:
            points.append(Point(1 + len(points), {path: value}, with_overrides(spec, {path: value})))
        except InvalidInput:
            continue  # the other values are still worth their curve
    before, *answers = _answers(spec, [Point(0, {}, spec), *points])
    best = _best(spec, metric, before, answers)
    point = min(best, key=lambda place: abs(points[place].overrides[path] - near), default=None)
    taken = None if point is None else _confirmed(spec, metric, points[point])
    pairs = dict(zip((item.overrides[path] for item in points), answers, strict=True))
    if min(values) <= present <= max(values):
        pairs.setdefault(present, before)
    return Curve(metric, tuple(sorted(pairs.items(), key=lambda pair: pair[0])), taken)


def _answers(spec: ScenarioSpec, points: Sequence[Point], times: int = 1) -> list[PointSummary]:
    course = spec.transient and spec.run.horizon.time is not None
    events = times * (COURSE_EVENTS if course else EVENTS) * len(points)
    count = REPLICATIONS * (2 if times > 1 or spec.transient else 1)
    return paired_answers(points, events=events, replications=count, only=wanted(spec) | {asked_metric(spec)})[0]


def _best(spec: ScenarioSpec, metric: str, before: PointSummary, answers: Sequence[PointSummary]) -> list[int]:
    """Return the places that help without harm: the most objectives met, not told from the best."""
    sign = 1 if BY_NAME[metric].better == "lower" else -1
    places = [place for place, answer in enumerate(answers) if metric in answer.metrics]
    helpful = [place for place in places if judged(spec, before, answers[place], {metric}).offered]
    met = {place: sum(item.met for item in objective_verdicts(spec.objectives, answers[place])) for place in helpful}
    leading = [place for place in helpful if met[place] == max(met.values())]
    found = {place: answers[place].metrics[metric] for place in leading}
    best = min(found.values(), key=lambda item: sign * item.value, default=None)
    return [place for place, item in found.items() if best and item.low <= best.high and best.low <= item.high]


def _confirmed(spec: ScenarioSpec, metric: str, point: Point) -> tuple[Any, Trial] | None:
    """What the point does with random numbers that did not choose it; None where that is no gain."""
    other = [(("run", "seed"), (spec.run.seed + 1) % 2**63)]
    pair = [Point(0, {}, revised(spec, other)), Point(1, point.overrides, revised(point.spec, other))]
    before, after = _answers(spec, pair, CONFIRMED_WITH)
    trial = judged(spec, before, after, {metric})
    return (next(iter(point.overrides.values())), trial) if trial.offered else None
