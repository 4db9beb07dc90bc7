"""Which point of a run to choose and how sure that is, and which answer lists show of it."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from planner.answers.summaries import StoredPoint, estimate_plain
from planner.answers.values import plain
from planner.models import Run, RunKind
from simulations.analysis.estimates.metrics import BY_NAME
from simulations.analysis.estimates.summary import Estimate, PointSummary
from simulations.experiment import changes_nothing
from simulations.experiment.headrooms import headroom_of
from simulations.experiment.questions import INDIFFERENT, stored_question
from simulations.experiment.verdicts import better_chance, chance_of, least_lost, lost_more, objective_verdicts
from simulations.scenario.runsettings import Objective
from simulations.scenario.spec import ScenarioSpec

SHOWN = ("latency.p95", "throughput")


def run_headline(run: Run, summaries: Sequence[PointSummary]) -> dict[str, Any]:
    """Return the headline of a finished run; of the experiments only those about headroom have one. That is by which
    factor all arrivals can grow, with the ends of its interval; ``missed`` None: no limit."""
    if run.kind == RunKind.HEADROOM:
        objectives = stored_question(run.question).subject_to or ()
        headroom = headroom_of(objectives, {summary.index: summary for summary in summaries})
        return {"headroom": {name: getattr(headroom, name) for name in ("carried", "low", "high", "missed")}}
    if run.kind != RunKind.RUN or not summaries:
        return {}
    return headline_body(headline_point(run.spec, summaries))


def headline_point(body: Mapping[str, Any], summaries: Sequence[PointSummary]) -> PointSummary:
    """Return the point at the settings of the scenario itself, else the one with the lowest p95, else the first.
    ``body`` is the scenario's; points that are no scenario do not count."""
    valid = [item for item in summaries if item.status != "invalid"]
    own = [item for item in valid if changes_nothing(body, item.overrides)]
    known = [item for item in summaries if SHOWN[0] in item.metrics]
    return next(iter([*own, *sorted(known, key=lambda item: item.metrics[SHOWN[0]].value), *valid]))


def headline_body(summary: PointSummary) -> dict[str, Any]:
    """Return the headline as JSON values: index, overrides and status of the point, and the estimates of ``SHOWN``."""
    known = [(name, summary.metrics[name]) for name in SHOWN if name in summary.metrics]
    metrics = {name: estimate_plain(it) for name, it in known if math.isfinite(it.value + it.low + it.high)}
    about = {"index": summary.index, "overrides": plain(summary.overrides), "status": summary.status}
    return {**about, "metrics": metrics}


def verdict_word(objectives: Sequence[Objective], summary: PointSummary) -> str:
    """Return met, missed, unresolved (nothing missed, a bound lies in an interval), or empty: nothing to judge."""
    words = {verdict.word for verdict in objective_verdicts(objectives, summary)}
    return next((word for word in ("missed", "unresolved", "met") if word in words), "")


Rated = tuple[StoredPoint, Estimate]


@dataclass(frozen=True)
class Choice:
    """What a run recommends.

    Attributes:
        metric: what decides between points that meet the objectives.
        chosen: None where no point has an answer.
        present: the point at the scenario's own settings; None where that was not simulated.
        runner_up: what would be chosen without the chosen point.
        word: met, missed, unresolved, or empty without objectives; of the chosen point.
    """

    metric: str
    chosen: StoredPoint | None
    present: StoredPoint | None
    runner_up: StoredPoint | None
    word: str


def deciding_metric(spec: ScenarioSpec) -> str:
    """Return the metric that decides between points that are equally able: what a run without objectives is about."""
    if spec.always_full:
        return "throughput"
    if spec.run.horizon.until is not None and not spec.objectives:
        return "drain_time"
    return "end_to_end.p95" if any(queue.sends for queue in spec.queues) else "latency.p95"


def asked_metric(spec: ScenarioSpec) -> str:
    """Return what the scenario's question is about: its first objective, else what decides between its points."""
    return spec.objectives[0].metric if spec.objectives else deciding_metric(spec)


def asked_queue(spec: ScenarioSpec) -> str:
    """Return the queue that the question is about where there are several; empty for the whole system."""
    named = spec.objectives[0].queue if spec.objectives else None
    return named if named and len(spec.queues) > 1 else ""


def good_points(spec: ScenarioSpec, points: Sequence[StoredPoint]) -> list[Rated]:
    """Return the points that nothing equally able beats by more than their interval, in the order of the sweep.

    Able are those that meet every objective; where none does, those that may meet them; else all. Where one of two
    is point 0, their paired difference decides, which is much sharper than their intervals.
    """
    rated = _ablest(spec, _rated(spec, points))
    sign = -1 if spec.always_full else 1
    best = min(rated, key=lambda item: item[1].value * sign, default=None)
    return [item for item in rated if best and _as_good(deciding_metric(spec), item, best, sign)]


def choice_of(spec: ScenarioSpec, points: Sequence[StoredPoint]) -> Choice:
    """Return the choice: the present settings where nothing is better, else the first of the good points."""
    present = present_point(spec, points)
    good = [point for point, _ in good_points(spec, points)]
    kept = [point for point in good if present and point.index == present.index]
    chosen = next(iter([*kept, *good, *([present] if present else []), *points]), None)
    others = _ablest(spec, [item for item in _rated(spec, points) if chosen and item[0].index != chosen.index])
    sign = -1 if spec.always_full else 1
    return Choice(
        metric=deciding_metric(spec),
        chosen=chosen,
        present=present,
        runner_up=min(others, key=lambda item: sign * item[1].value)[0] if others else None,
        word=verdict_word(spec.objectives, chosen.summary) if chosen else "",
    )


def probability_of(
    spec: ScenarioSpec, points: Sequence[StoredPoint], choice: Choice, changes: Mapping[int, Estimate]
) -> float:
    """Return a lower bound for the probability that the chosen point meets every objective and no other that does is
    better by more than 2 %, within the model.

    ``changes``: the deciding metric of other points minus that of the chosen one, paired where possible; of points
    that are not in it the two intervals are compared. What may be wrong with single points is added up, by the
    Bonferroni inequality, which holds however the points depend on each other.
    """
    if choice.chosen is None:
        return 0.0
    wrong = 1.0 - chance_of(spec.objectives, choice.chosen.summary)
    own = choice.chosen.summary.metrics.get(choice.metric)
    for point, rival in _rated(spec, points):
        if own is not None and point.index != choice.chosen.index:
            change = changes.get(point.index)
            better = _better(choice.metric, own, change or rival, point.summary.replications, paired=change is not None)
            wrong += min(chance_of(spec.objectives, point.summary), better)
    return max(0.0, 1.0 - wrong)


def _better(metric: str, own: Estimate, other: Estimate, replications: int, *, paired: bool) -> float:
    """The probability that a rival is better by more than 2 %. ``other``: its value, or ``paired`` its difference. A
    difference is added to the own value without its error."""
    value = own.value
    known = Estimate(value, value, value, own.unit) if paired else own
    rival = Estimate(value + other.value, value + other.low, value + other.high, own.unit) if paired else other
    if BY_NAME[metric].better == "higher":
        known, rival = -known, -rival
    return better_chance(rival, known, replications, INDIFFERENT)


def present_point(spec: ScenarioSpec, points: Sequence[StoredPoint]) -> StoredPoint | None:
    """Return the point at the scenario's own settings, or None where it is not among them."""
    body = spec.body()
    return next((item for item in points if changes_nothing(body, item.overrides)), None)


def _rated(spec: ScenarioSpec, points: Sequence[StoredPoint]) -> list[Rated]:
    """The points that have the deciding metric and lose no more messages than the present settings."""
    metric, now = deciding_metric(spec), present_point(spec, points)
    allowed = least_lost(now.summary if now else None, (item.summary for item in points))
    kept = [item for item in points if not lost_more(spec.objectives, item.summary, allowed)]
    return [(point, point.summary.metrics[metric]) for point in kept if metric in point.summary.metrics]


def _ablest(spec: ScenarioSpec, rated: list[Rated]) -> list[Rated]:
    for word in ("met", "unresolved"):
        able = [item for item in rated if verdict_word(spec.objectives, item[0].summary) == word]
        if able:
            return able
    return rated


def _as_good(metric: str, item: Rated, best: Rated, sign: int) -> bool:
    """Whether the best is not better than the item by more than the interval and half a percent."""
    (point, estimate), (leader, top) = item, best
    change = _from_first(metric, point, leader)
    worse = (estimate.value - top.value) * sign if change is None else change.value * sign
    return worse - (change or estimate).half_width <= 0.005 * abs(top.value)


def _from_first(metric: str, point: StoredPoint, other: StoredPoint) -> Estimate | None:
    """The paired difference of a point to another, where one of them is point 0."""
    if other.index == 0:
        return point.summary.differences.get(metric)
    change = other.summary.differences.get(metric) if point.index == 0 else None
    return -change if change else None
