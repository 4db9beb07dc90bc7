"""The sentences that open a page: at most three, each number with its interval."""

from collections.abc import Sequence
from dataclasses import dataclass

from frontend.answers.hero import objective_title
from frontend.wording import numbers
from planner.answers.choice import Choice, asked_metric, choice_of, deciding_metric, good_points, verdict_word
from planner.answers.claims import TOO_SHORT, ceiling_claims, growth_sentence, judged_text, moved_text, verdict_claims
from planner.selectors import StoredPoint
from simulations.analysis.estimates.metrics import BY_NAME
from simulations.analysis.estimates.summary import (
    Derivation,
    Estimate,
    PointSummary,
    Scale,
    estimate_text,
    percent,
    quantity,
)
from simulations.experiment import with_overrides
from simulations.experiment.turns import Turn
from simulations.experiment.verdicts import objective_verdicts, worst_verdict
from simulations.experiment.words import beside_bound, turn_text
from simulations.platforms.shared.family import Claim
from simulations.scenario.spec import ScenarioSpec

MOST = 3
LEAST = 0.0005
"""Relative gain that is worth a word."""


def formula_sentences(derivation: Derivation) -> tuple[str, ...]:
    """Return what the formulas know: broken rules first, otherwise the rate that each queue carries."""
    broken = [item for item in derivation.findings if item.status == "violated" and item.severity != "info"]
    ordered = sorted(broken, key=lambda item: item.severity != "error")
    if ordered:
        several = len({item.queue for item in derivation.findings if item.queue}) > 1
        return tuple(
            f"{item.queue}: {item.message}" if several and item.queue else item.message for item in ordered[: MOST - 1]
        )
    rates = [item for item in derivation.values if item.name == "carried_rate"]
    carried = [f"{item.entity} carries at most {quantity(item.value, item.unit)}" for item in rates]
    return (f"{'; '.join(carried) or 'No rule is broken'}: every rule that applies is met.",)


def point_sentences(spec: ScenarioSpec, summary: PointSummary, claims: Sequence[Claim]) -> tuple[str, ...]:
    """Return the verdict on one point, then what explains it, without the number that the verdict begins with."""
    first = verdict_claims(spec, summary)
    told = {(claim.metric, claim.about.get("queue")) for claim in first[:1]}
    others = [claim for claim in claims if claim.proof or (claim.metric, claim.about.get("queue")) not in told]
    rest = [claim.sentence for claim in others if not claim.id.endswith(".unstable")]
    return (" ".join(claim.sentence for claim in first or (TOO_SHORT,)), *rest[: MOST - 1])


def run_sentences(
    spec: ScenarioSpec,
    points: Sequence[StoredPoint],
    claims: Sequence[Claim],
    setting: str,
    turn: Turn | None = None,
    *,
    shown: StoredPoint | None = None,
) -> tuple[str, ...]:
    """Return the answer of a run: what to set, what that gains, what the other values cost, and why.

    ``claims``: those of the point ``shown``, which may be any. ``setting`` names the only swept setting; several go by
    the vendor's names. ``turn``: of the first objective, told where that is the one that the answer judges.
    """
    if not points:
        return ()
    if len(points) == 1 or not spec.sweep:
        return point_sentences(spec, points[0].summary, claims)
    at = Naming(spec, setting)
    choice = choice_of(spec, points)
    moved = moved_text(spec, [point.summary for point in points])
    answer = [_answer(spec, points, choice, at, turn), moved, _unstable(points, at), _invalid(points, at)]
    chosen = choice.chosen or points[0]
    ceilings = ceiling_claims(spec, chosen.summary) if chosen.summary.status != "unstable" else ()
    why = [
        *(f"{at(chosen)}: {claim.sentence}" for claim in ceilings),
        *(f"{at(shown)}: {claim.sentence}" if shown else claim.sentence for claim in claims),
    ]
    return tuple(sentence for sentence in (*answer, *why) if sentence)[:MOST]


def point_at(spec: ScenarioSpec, point: StoredPoint) -> ScenarioSpec:
    """Return the scenario with the point's overrides and no sweep."""
    return with_overrides(spec.unswept, point.overrides)


@dataclass(frozen=True)
class Naming:
    """How the points of a sweep are called."""

    spec: ScenarioSpec
    setting: str

    def __call__(self, point: StoredPoint) -> str:
        """The swept settings of a point by name and value."""
        return f"{self.setting} {self.value(point)}" if len(point.overrides) == 1 else self.value(point)

    def value(self, point: StoredPoint) -> str:
        """The values of a point; of several settings their names too."""
        if len(point.overrides) == 1:
            return numbers.swept_values(self.spec, point.overrides)
        return numbers.place_text(self.spec, point.overrides)

    def setting_of(self, point: StoredPoint, word: str) -> str:
        """Each swept setting with its value after ``word``, for example ``Maximum sessions to 36``."""
        if len(point.overrides) == 1:
            return f"{self.setting} {word} {self.value(point)}"
        names = numbers.place_names(self.spec, point.overrides)
        pairs = (
            f"{names[path]} {word} {numbers.value_text(self.spec, path, it)}" for path, it in point.overrides.items()
        )
        return " and ".join(pairs)


def _answer(spec: ScenarioSpec, points: Sequence[StoredPoint], choice: Choice, at: Naming, turn: Turn | None) -> str:
    """What to set, what the scenario's question gets by it, and where the objective turns."""
    good, chosen, present = good_points(spec, points), choice.chosen, choice.present
    if not good or chosen is None:
        growing = any(point.summary.status == "unstable" for point in points)
        return "No simulated point carries what arrives." if growing else "No point has an answer yet."
    advice = f"Keep {at.setting_of(chosen, 'at')}" if chosen is present else f"Set {at.setting_of(chosen, 'to')}"
    if choice.word == "missed":
        advice = f"No simulated point meets every objective; nearest is {at(chosen)}"
    worst = worst_verdict(spec.objectives, chosen.summary)
    if worst and worst.objective != spec.objectives[0]:
        # The sentence is about the one that is missed, the turn about the first.
        spec, turn = spec.model_copy(update={"objectives": (worst.objective, *spec.objectives)}), None
    title = objective_title(spec.objectives[0], spec) if spec.objectives else numbers.metric_title(asked_metric(spec))
    other = present if chosen is not present else next(iter(points))
    known = [asked_estimate(spec, point) for point in (chosen, other) if point]
    most: float | Scale = max((abs(item.value) for item in known if item), default=0.0)
    if spec.objectives:
        most = beside_bound(spec.objectives[0])
    parts = [f"{advice}: {numbers.lowered(title)} {estimate_text(known[0], most)}"]
    if spec.objectives:
        parts.append(f", which {judged_text(spec.objectives[0], chosen.summary)}")
    if other and chosen is not other and other.summary.status != "invalid":
        state = _state(spec, other, chosen, most)
        meets = other is present and verdict_word(spec.objectives, other.summary) == "met"
        state += ", which meets every objective too" if state and meets else ""
        parts.append(f" ({'now, ' if other is present else ''}at {at.value(other)}: {state})" if state else "")
    parts.append(_price(spec, points, chosen, at) if choice.word == "met" else "")
    if turn:
        parts.append(f"; it is {turn_text(spec, turn)}")
    return f"{''.join(parts)}.{_others(good, chosen, at) if choice.word != 'missed' else ''}"


def asked_estimate(spec: ScenarioSpec, point: StoredPoint) -> Estimate | None:
    """Return what a point answers to the scenario's question."""
    for verdict in objective_verdicts(spec.objectives[:1], point.summary):
        return verdict.estimate
    return point.summary.metrics.get(asked_metric(spec))


def _state(spec: ScenarioSpec, other: StoredPoint, chosen: StoredPoint, most: float | Scale) -> str:
    """What another point answers to the question, in the unit of ``most``; where it is the first of its sweep compared
    in pairs, and empty where the two cannot be told apart."""
    if other.summary.status == "unstable":
        return "the backlog grows without end"
    value, change = estimate_text(asked_estimate(spec, other), most), chosen.summary.differences.get(asked_metric(spec))
    if other.index or change is None or len(spec.queues) > 1:
        return value
    if not change.leaves_zero_out:
        return ""
    return f"{value}, {numbers.size_text(change)} {'less' if change.value > 0 else 'more'}, compared in pairs"


def _price(spec: ScenarioSpec, points: Sequence[StoredPoint], chosen: StoredPoint, at: Naming) -> str:
    """What the point with the lowest p95 latency would save that misses the objective; empty where that is nothing."""
    metric = deciding_metric(spec)
    if not spec.objectives or spec.objectives[0].metric == metric or BY_NAME[metric].better == "higher":
        return ""
    known = [(point.summary.metrics[metric], point) for point in points if metric in point.summary.metrics]
    (best, point), own = min(known, key=lambda item: item[0].value), chosen.summary.metrics[metric]
    if best.high >= own.low:
        return ""
    title = numbers.lowered(numbers.metric_title(metric))
    less = f"{estimate_text(best, own.value)} at {at.value(point)}"
    return f" and costs {title}: {estimate_text(own)} instead of {less}"


def _others(good: Sequence[tuple[StoredPoint, Estimate]], chosen: StoredPoint, at: Naming) -> str:
    """Which other points are as good, and what the best of them gains by the values of those that pairs cannot deny."""
    if len(good) == 1:
        return ""
    if chosen is not good[0][0]:
        return f" {at(good[0][0])} would be enough, too."
    metric, own = deciding_metric(at.spec), good[0][1].value
    pairs = {point.index: point.summary.differences.get(metric) for point, _ in good if chosen.index == 0}
    told = [item for item in good if not (change := pairs.get(item[0].index)) or change.leaves_zero_out]
    gain = max((value.value - own) * (1 if BY_NAME[metric].better == "higher" else -1) for _, value in told)
    if gain <= LEAST * abs(own):
        return " Other values bring no measurable gain."
    return f" Other values gain about {percent(float(format(gain / abs(own), '.2g')))} at most."


def _unstable(points: Sequence[StoredPoint], at: Naming) -> str:
    """How fast the backlog grows, once for all points where it is that of the same queues."""
    bad = [point for point in points if point.summary.status == "unstable"]
    if not bad:
        return ""
    alike = [point for point in bad if point.summary.growth.keys() == bad[0].summary.growth.keys()]
    sentence = growth_sentence(bad[0].summary)
    others = "".join(f", {at.value(point)}" for point in alike[1:])
    if len(at.spec.sweep) > 1 and len(alike) > 1:
        others = f" and {numbers.counted(len(alike) - 1, 'other setting')}"
    rest = _unstable([point for point in bad if point not in alike], at)
    return f"Messages pile up at {at(bad[0])}{others}: {sentence.removeprefix('Unstable: ')} {rest}".rstrip()


def _invalid(points: Sequence[StoredPoint], at: Naming) -> str:
    """Why the first of the points that cannot be is none, and how many there are."""
    bad = [point for point in points if point.summary.status == "invalid"]
    if not bad:
        return ""
    left = len(bad) - 1
    more = f" So {'is' if left == 1 else 'are'} {left} more." if left else ""
    return f"{at.value(bad[0])} is invalid: {'; '.join(bad[0].summary.problems)}.{more}"
