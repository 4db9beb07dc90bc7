"""Cures tried before they are offered: each simulated beside the scenario, judged by what it does to the answer."""

import json
import math
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Literal

from planner.answers.quick import MOST_EVENTS, paired_answers
from planner.answers.text_tables import TROUBLES
from simulations.analysis.estimates.metrics import BY_NAME, HELD, LOST
from simulations.analysis.estimates.summary import Estimate, PointSummary, change_text, estimate_text, quantity
from simulations.declarations.paths import location_of, value_in
from simulations.declarations.problems import InvalidInput
from simulations.experiment import Point, with_overrides
from simulations.experiment.verdicts import lost_more, objective_verdicts
from simulations.experiment.words import objective_text
from simulations.scenario.spec import ScenarioSpec

Pair = tuple[PointSummary | None, PointSummary | str]
"""The answers without and with a cure, or None and the reason why there are none."""
Effect = Literal["improves", "breaks_objective", "harms", "no_effect", "untried"]
NOTABLE = 0.01
"""A smaller change, relative to the value without the cure, changes no decision."""
HEADLINES = ("end_to_end.p95", "latency.p95", "latency.mean", "latency.urgent", "throughput", "drain_time", HELD)
LOSSES = (*TROUBLES, "rollbacks")
PILE_UP = "messages would then pile up without end"
STEADY = "messages no longer pile up"
UNSETTLED = "the run is too short to come to rest: a longer one may say otherwise"
NOTHING = "it changes nothing that this simulation can tell"
TOO_RARE = "messages are lost too rarely for so short a simulation to tell"
ANOTHER = "another value of the same settings helps more, or as much with a smaller change"
KEPT = 256
"""Scenarios whose trials a process remembers: a page that is opened again costs nothing."""


@dataclass(frozen=True)
class Change:
    """A metric without and with the cure, the difference (paired where it can be), and whether it is for the better."""

    metric: str
    before: Estimate
    after: Estimate
    difference: Estimate
    better: bool

    @property
    def text(self) -> str:
        """The change as it is written, for example ``Throughput 49.1/s → 62.3/s (+13.2 ± 0.4/s)``."""
        ends = self.before, self.after
        most, half = max(abs(item.value) for item in ends), max(item.half_width for item in ends)
        before, after = (quantity(item.value, item.unit, half, most)._replace(half="") for item in ends)
        return f"{BY_NAME[self.metric].title} {before} → {after} ({change_text(self.difference)})"


@dataclass(frozen=True)
class Trial:
    """What a cure does.

    Attributes:
        effect: ``improves``: meets an objective that was missed, or improves what the rule promises and worsens no
            headline, or loses fewer messages. ``breaks_objective``: misses an objective that was met. ``harms``:
            worsens a headline, or loses more.
            ``no_effect``: no change above 1 % whose interval leaves zero out. ``untried``: it could not be simulated
            at once.
        changes: the metrics that change notably, the better ones first.
        reason: why the cure is not offered, or what it does beside the changes.
    """

    effect: Effect
    changes: tuple[Change, ...] = ()
    reason: str = ""

    @property
    def offered(self) -> bool:
        """Whether a page may offer it."""
        return self.effect == "improves"

    @property
    def text(self) -> str:
        """What was simulated, in one line; empty where nothing changes."""
        parts = [change.text for change in self.changes]
        return "; ".join([*parts, self.reason] if self.offered and self.reason else parts)


def fix_key(fix: Mapping[str, Any]) -> str:
    """Return the same text for equal fixes."""
    return json.dumps(fix, sort_keys=True)


def cure_trials(spec: ScenarioSpec, answer: PointSummary, *, events: int = MOST_EVENTS) -> Mapping[str, Trial]:
    """Return by ``fix_key`` what the cures of the broken rules in ``answer`` do to the scenario without its sweep.

    All are simulated with common random numbers, with about ``events`` events in all. That course is short: where it
    does not tell that messages pile up, though they do in the ``answer``, or is too short for all, each cure is
    simulated over a longer one. So is each that helps, and what it does there is what is told. Of several cures that
    help and change the same settings only the smallest stays offered.
    """
    promised = defaultdict[str, set[str]](set)
    for item in answer.findings:
        if item.fix and item.status in ("violated", "ignored"):
            promised[fix_key(item.fix)].update(name for name in item.cost if name in BY_NAME)
    base, only = spec.unswept, judging_metrics(spec).union(*promised.values())

    def alone(fix: str) -> Pair:
        return _simulated(base, (fix,), 2 * events, only)[fix]

    pairs = dict(_simulated(base, tuple(promised), events, only))
    baseline = next((before for before, _ in pairs.values() if before), None)
    if baseline is None:
        pairs = {fix: alone(fix) for fix in promised}
    elif _hides_overload(answer, baseline):
        pairs = {fix: (answer, alone(fix)[1]) for fix in promised}
    trials = {fix: _trial(base, answer, pair, promised[fix]) for fix, pair in pairs.items()}
    for fix in [fix for fix, trial in trials.items() if trial.offered]:
        longer = alone(fix)
        if not _hides_overload(answer, longer[0]):
            pairs[fix], trials[fix] = longer, _trial(base, answer, longer, promised[fix])
    offered = {fix: after for fix, (_, after) in pairs.items() if trials[fix].offered and not isinstance(after, str)}
    surpassed = _surpassed(base, offered)
    return trials | {fix: replace(trials[fix], effect="no_effect", reason=ANOTHER) for fix in surpassed}


def _hides_overload(answer: PointSummary, before: PointSummary | None) -> bool:
    """Whether the course of a trial is too short to show without the cure that messages pile up."""
    return before is not None and answer.status == "unstable" != before.status


def _trial(base: ScenarioSpec, answer: PointSummary, pair: Pair, promised: set[str]) -> Trial:
    """What a cure does to the metrics ``promised`` by its rule, or to any where that promises none. Where the short
    course hardly has the losses of the ``answer``, a cure without an effect is told to be tried too rarely."""
    before, after = pair
    if before is None or isinstance(after, str):
        return Trial("untried", reason=str(after))
    trial = judged(base, before, after, promised or {*headlines(base), *LOSSES})
    lost = [name for name in LOST if name in answer.metrics and answer.metrics[name].value > 0]
    seen = [before.metrics[name] for name in lost if name in before.metrics]
    rare = trial.reason == NOTHING and any(item.half_width >= item.value for item in seen)
    return replace(trial, reason=TOO_RARE) if rare else trial


@lru_cache(maxsize=KEPT)
def _simulated(base: ScenarioSpec, fixes: tuple[str, ...], events: int, only: frozenset[str]) -> Mapping[str, Pair]:
    """The answers by fix."""
    points: list[Point] = [Point(0, {}, base)]
    pairs: dict[str, Pair] = {}
    for fix in fixes:
        try:
            points.append(Point(len(points), json.loads(fix), with_overrides(base, json.loads(fix))))
        except InvalidInput as error:
            pairs[fix] = None, error.problems[0].message
    if len(points) == 1:
        return pairs
    try:
        before, *cured = paired_answers(points, events=events, only=only)
    except InvalidInput as error:
        return pairs | {fix_key(point.overrides): (None, error.problems[0].message) for point in points[1:]}
    return pairs | {fix_key(point.overrides): (before, item) for point, item in zip(points[1:], cured, strict=True)}


def judged(spec: ScenarioSpec, before: PointSummary, after: PointSummary, promised: Collection[str]) -> Trial:
    """Return what a change does: whether everything is still worked off, then the objectives, then the metrics."""
    changes = tuple(sorted(_changes(spec, before, after, promised), key=lambda change: not change.better))
    if after.status == "invalid" or (after.status == "unstable" and before.status != "unstable"):
        return Trial("harms", changes, PILE_UP)
    pairs = zip(objective_verdicts(spec.objectives, before), objective_verdicts(spec.objectives, after), strict=True)
    met = [(one.met, two.met, two) for one, two in pairs if not two.unresolved]
    broken = [verdict for was, now, verdict in met if was and not now]
    if broken:
        missed = f"{objective_text(broken[0].objective)}: {estimate_text(broken[0].estimate)}"
        return Trial("breaks_objective", changes, f"it misses the objective {missed}")
    if before.status == "unstable" and after.status != "unstable":
        return Trial("improves", changes, STEADY)
    better = {change.metric for change in changes if change.better}
    # Messages that are no longer lost are worth what their latencies add to the means.
    counted = LOSSES if better & set(LOST) else {*headlines(spec), *LOSSES}
    worse = [change for change in changes if not change.better and change.metric in counted]
    # Where a queue is never empty, a lower throughput is lost capacity, whatever the latencies say.
    newly = any(now and not was for was, now, _ in met) and not (worse and spec.always_full)
    if newly and not lost_more(spec.objectives, after, before):
        return Trial("improves", changes)
    if worse:
        return Trial("harms", changes, f"it makes this worse: {worse[0].text}")
    if better & {*promised, *LOST}:
        return Trial("improves", changes, UNSETTLED if after.warmup.get("at_limit") else "")
    if changes:
        return Trial("no_effect", changes, f"what the rule is about stays as it is; it only changes {changes[0].text}")
    return Trial("no_effect", reason=NOTHING)


def headlines(spec: ScenarioSpec) -> tuple[str, ...]:
    """What a scenario is about: where a queue is never empty, latencies say nothing."""
    return ("throughput",) if spec.always_full else HEADLINES


def judging_metrics(spec: ScenarioSpec) -> frozenset[str]:
    """Return the metrics by which a change of the scenario is judged."""
    asked = (objective.metric for objective in spec.objectives)
    return frozenset({*headlines(spec), *LOSSES, "arrival_rate", *asked})


def _changes(
    spec: ScenarioSpec, before: PointSummary, after: PointSummary, promised: Collection[str]
) -> Iterator[Change]:
    """Metrics that the cure changes by more than 1 % and more than the interval: paired where the two can be."""
    judging = judging_metrics(spec).union(promised)
    if _all_done(spec, before, after):
        judging -= {"throughput"}
    for name, metric in BY_NAME.items():
        old, new = before.metrics.get(name), after.metrics.get(name)
        if name not in judging or metric.better == "neither" or old is None or new is None:
            continue
        change = after.differences.get(name) or new - old
        sure = change.leaves_zero_out or (metric.is_extreme and change.value != 0)
        if sure and abs(change.value) > NOTABLE * abs(old.value):
            yield Change(name, old, new, change, (change.value < 0) == (metric.better == "lower"))


def _all_done(spec: ScenarioSpec, *answers: PointSummary) -> bool:
    """Whether both complete all that arrives, and as much arrives: what else they complete is the start's backlog."""
    rates = [(item.metrics.get("throughput"), item.metrics.get("arrival_rate")) for item in answers]
    known = [(done, come) for done, come in rates if done and come]
    if len(known) < len(rates) or any(queue.arrivals.kind == "saturated" for queue in spec.queues):
        return False
    is_same = max(come.low for _, come in known) <= min(come.high for _, come in known)
    return is_same and all(done.high >= come.low for done, come in known)


def _surpassed(base: ScenarioSpec, offered: Mapping[str, PointSummary]) -> set[str]:
    """The cures that another one of the same settings makes needless; kept is the smallest that no larger one
    surpasses. ``offered``: the answer with each cure."""
    kept: dict[frozenset[str], str] = {}
    for fix in sorted(offered, key=lambda fix: _size(base, json.loads(fix))):
        paths = frozenset(json.loads(fix))
        if paths not in kept or _surpasses(base, offered[kept[paths]], offered[fix]):
            kept[paths] = fix
    return set(offered) - set(kept.values())


def _surpasses(spec: ScenarioSpec, smaller: PointSummary, larger: PointSummary) -> bool:
    """Whether the larger change meets more objectives, or is better in a headline and worse in none."""
    more, fewer = (sum(item.met for item in objective_verdicts(spec.objectives, one)) for one in (larger, smaller))
    changes = list(_changes(spec, smaller, replace(larger, differences={}), ()))
    return more > fewer or (more == fewer and bool(changes) and all(change.better for change in changes))


def _size(base: ScenarioSpec, fix: Mapping[str, Any]) -> float:
    """How far a fix moves the numbers that it changes; infinite where it changes anything else."""
    body = base.body()
    pairs = [(value_in(body, location_of(body, path)), value) for path, value in fix.items()]
    if not all(isinstance(old, int | float) and isinstance(new, int | float) for old, new in pairs):
        return math.inf
    return float(sum(abs(new - old) for old, new in pairs))
