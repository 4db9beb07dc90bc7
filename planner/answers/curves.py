"""What one setting does to the metric that a scenario is about, over a range of values, and what it can gain.

All values are simulated with common random numbers. The value to take was the best of many by chance, too: what it
gains is therefore simulated again, with other random numbers, once all curves are drawn.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from planner.answers.choice import asked_metric
from planner.answers.cures import Trial, judged, judging_metrics
from planner.answers.quick import paired_answers
from simulations.analysis.estimates.metrics import BY_NAME
from simulations.analysis.estimates.summary import PointSummary
from simulations.declarations.parameters import Declaration
from simulations.declarations.problems import InvalidInput
from simulations.experiment import Point, with_overrides
from simulations.experiment.verdicts import least_lost, lost_more, objective_verdicts
from simulations.scenario.spec import ScenarioSpec, revised

EVENTS = 50_000
"""Of each value, in all replications together."""
REPLICATIONS = 5
"""Of each value: the time goes into preparing replications, not into their events."""
COURSE_EVENTS = 8 * EVENTS
"""The same where bursts or a profile come over time: a shorter course would miss them."""
CONFIRMED_WITH, COURSE_CONFIRMED_WITH = 4, 2
"""Times as many events for the value to take, and where bursts or a profile come over time."""
VALUES, WIDE = 9, 20
"""Values of a curve; a range whose ends differ by a larger factor than this is looked at in equal factors."""
KEPT = 256
"""Curves that a process remembers: whoever opens the same scenario sees them at once."""


@dataclass(frozen=True)
class Curve:
    """``points``: value and answer in the order of the values, with the present one, without forbidden ones;
    ``promising``: the value whose gain is worth a second look, and what it does here; None where none gains anything.
    """

    metric: str
    points: tuple[tuple[float, PointSummary], ...]
    promising: tuple[Any, Trial] | None


def values_around(declaration: Declaration, present: float) -> tuple[float, ...]:
    """Return about nine different values of the range that people try, which reaches as far as the ``present`` one."""
    ends = [end for end in (*(declaration.typical or ()), present) if end != declaration.quantity.unlimited]
    low, high = min(ends), max(ends)
    shares = [place / (VALUES - 1) for place in range(VALUES)]
    factors = low > 0 and high > WIDE * low
    values = [low * (high / low) ** share if factors else low + (high - low) * share for share in shares]
    return tuple(sorted({round(value) if declaration.kind == "integer" else float(f"{value:.3g}") for value in values}))


@lru_cache(maxsize=KEPT)
def curve_of(spec: ScenarioSpec, path: str, present: float, values: tuple[float, ...], near: float) -> Curve:
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
    place = min(best, key=lambda place: abs(points[place].overrides[path] - near), default=None)
    pairs = {present: before} if min(values) <= present <= max(values) else {}
    pairs |= zip((item.overrides[path] for item in points), answers, strict=True)
    promising = None if place is None else (points[place].overrides[path], best[place])
    return Curve(metric, tuple(sorted(pairs.items())), promising)


@lru_cache(maxsize=KEPT)
def gain_of(spec: ScenarioSpec, fix: str) -> Trial | None:
    """Return what a promising value (``cures.fix_key``) does with other random numbers; None where that is no gain."""
    now = revised(spec.unswept, [(("run", "seed"), (spec.run.seed + 1) % 2**63)])
    taken = json.loads(fix)
    before, after = _answers(spec, [Point(0, {}, now), Point(1, taken, with_overrides(now, taken))], again=True)
    trial = judged(spec, before, after, {asked_metric(spec)})
    return trial if trial.offered else None


def _answers(spec: ScenarioSpec, points: Sequence[Point], *, again: bool = False) -> list[PointSummary]:
    course, metric = spec.transient and spec.run.horizon.time is not None, asked_metric(spec)
    times = (COURSE_CONFIRMED_WITH if course else CONFIRMED_WITH) if again else 1
    events, count = times * (COURSE_EVENTS if course else EVENTS) * len(points), REPLICATIONS * (1 + again)
    only, brief = judging_metrics(spec) | {metric}, not BY_NAME[metric].when_unstable
    return paired_answers(points, events=events, replications=count, only=only, brief=brief)


def _best(spec: ScenarioSpec, metric: str, before: PointSummary, answers: Sequence[PointSummary]) -> dict[int, Trial]:
    """Return the places that help without harm: the most objectives met, not told from the best."""
    sign = 1 if BY_NAME[metric].better == "lower" else -1
    places = [place for place, answer in enumerate(answers) if metric in answer.metrics]
    trials = {place: judged(spec, before, answers[place], {metric}) for place in places}
    offered = [place for place, trial in trials.items() if trial.offered]
    allowed = least_lost(before, answers)
    helpful = [place for place in offered if not lost_more(spec.objectives, answers[place], allowed)]
    met = {place: sum(item.met for item in objective_verdicts(spec.objectives, answers[place])) for place in helpful}
    leading = [place for place in helpful if met[place] == max(met.values())]
    found = {place: answers[place].metrics[metric] for place in leading}
    best = min(found.values(), key=lambda item: sign * item.value, default=None)
    return {at: trials[at] for at, item in found.items() if best and item.low <= best.high and best.low <= item.high}
