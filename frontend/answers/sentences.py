"""The sentences that open a page: at most three, each number with its interval."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from frontend.wording.numbers import counted, lowered, metric_title
from frontend.wording.setting_names import place_text, swept_values
from planner.answers.choice import good_points, is_saturated
from planner.answers.claims import growth_sentence, verdict_claims
from planner.answers.headlines import verdict_word
from planner.answers.objectives import objective_verdicts
from planner.selectors import StoredPoint
from simulations.analysis.estimates.quantities import estimate_text, percent, quantity
from simulations.analysis.estimates.summary import Derivation, PointSummary
from simulations.experiment import with_overrides
from simulations.experiment.words import bound_text
from simulations.platforms.shared.family import Claim
from simulations.scenario.runsettings import Objective
from simulations.scenario.spec import ScenarioSpec

MOST = 3


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
    """Return the verdict on one point, then what explains it."""
    first = " ".join(claim.sentence for claim in verdict_claims(spec, summary))
    rest = [claim.sentence for claim in claims if not claim.id.endswith(".unstable")]
    return (first, *rest[: MOST - 1])


def run_sentences(
    spec: ScenarioSpec, points: Sequence[StoredPoint], claims: Sequence[Claim], setting: str
) -> tuple[str, ...]:
    """Return the answer of a run: which value is enough, what the others cost, and why.

    ``setting`` names the swept setting where there is one; of several each has the vendor's name.
    """
    if not points:
        return ()
    if len(points) == 1 or not spec.sweep:
        return point_sentences(spec, points[0].summary, claims)
    at = Naming(spec, setting)
    changes = _crossing(spec, points, at) or _difference(spec, points, at)
    answer = [_best(spec, points, at), _unstable(points, at), _invalid(points, at), changes]
    why = [claim.sentence for claim in claims]
    return tuple(sentence for sentence in (*answer, *why) if sentence)[:MOST]


def point_at(spec: ScenarioSpec, point: StoredPoint) -> ScenarioSpec:
    """Return the scenario with the point's overrides and no sweep."""
    return with_overrides(spec.unswept, point.overrides)


def _judged(objective: Objective, summary: PointSummary) -> str:
    """What the scenario asks, and whether it has it; the sentence before names the p95 latency."""
    verdict = objective_verdicts((objective,), summary)[0]
    bound = bound_text(objective)
    if verdict.estimate is None:
        return f"the objective {bound} cannot be judged"
    metric, wanted = objective.metric, f"the objective of {bound}"
    named = f"{lowered(metric_title(metric))}: {estimate_text(verdict.estimate)}, which"
    judged = (
        f"is too close to {wanted} to call"
        if verdict.unresolved
        else f"{'meets' if verdict.met else 'misses'} {wanted}"
    )
    return f"{'this' if metric == 'latency.p95' else named} {judged}"


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
            return swept_values(self.spec, point.overrides)
        return place_text(self.spec, point.overrides)


def _best(spec: ScenarioSpec, points: Sequence[StoredPoint], at: Naming) -> str:
    """The first of the points that nothing beats by more than its interval."""
    metric = "throughput" if is_saturated(spec) else "latency.p95"
    within = good_points(spec, points)
    if not within:
        return "" if any(point.summary.status == "unstable" for point in points) else "No point has an answer yet."
    point, estimate = within[0]
    what = "throughput is" if metric == "throughput" else "p95 is"
    judged = ""
    if spec.objectives and metric == "latency.p95":
        judged = f"; {_judged(spec.objectives[0], point.summary)}"
    place = at(point)
    if verdict_word(spec.objectives, point.summary) == "missed":
        nearest = f"No simulated point meets every objective; nearest is {place}"
        return f"{nearest}: {what} {estimate_text(estimate)}{judged}."
    others = "Other values" if len(spec.sweep) > 1 else "Larger values"
    more = f" {others} bring no measurable gain." if len(within) > 1 else ""
    return f"{place} is enough: {what} {estimate_text(estimate)}{judged}.{more}"


def _crossing(spec: ScenarioSpec, points: Sequence[StoredPoint], at: Naming) -> str:
    """Between which two values the first objective turns; empty where it does not, turns twice, or cannot be told."""
    if len(spec.sweep) != 1 or not spec.objectives or spec.objectives[0].metric == "latency.p95":
        return ""
    judged = [(point, objective_verdicts(spec.objectives[:1], point.summary)[0]) for point in points]
    turns = [(one, other) for one, other in pairwise(judged) if one[1].met != other[1].met]
    if len(turns) != 1 or any(verdict.estimate is None or verdict.unresolved for _, verdict in judged):
        return ""
    (last, before), (first, after) = turns[0]
    values = [estimate_text(verdict.estimate) for verdict in (before, after)]
    words = ("meets", "misses") if before.met else ("misses", "meets")
    title = metric_title(spec.objectives[0].metric)
    return (
        f"{title}: {values[0]} at {at.value(last)}, which {words[0]} the objective, and {values[1]} at "
        f"{at.value(first)}, which {words[1]} it."
    )


def _unstable(points: Sequence[StoredPoint], at: Naming) -> str:
    bad = [point for point in points if point.summary.status == "unstable"]
    if not bad:
        return ""
    sentence = growth_sentence(bad[0].summary)
    others = "".join(f", {at.value(point)}" for point in bad[1:])
    if len(at.spec.sweep) > 1 and len(bad) > 1:
        others = f" and {counted(len(bad) - 1, 'other setting')}"
    return f"At {at(bad[0])}{others}: {lowered(sentence)}"


def _invalid(points: Sequence[StoredPoint], at: Naming) -> str:
    """Why the first of the points that cannot be is none, and how many there are."""
    bad = [point for point in points if point.summary.status == "invalid"]
    if not bad:
        return ""
    left = len(bad) - 1
    more = f" So {'is' if left == 1 else 'are'} {left} more." if left else ""
    return f"{at.value(bad[0])} is invalid: {'; '.join(bad[0].summary.problems)}.{more}"


def _difference(spec: ScenarioSpec, points: Sequence[StoredPoint], at: Naming) -> str:
    """The largest paired difference to the first point."""
    metric = "throughput" if is_saturated(spec) else "latency.p95"
    first = next((point for point in points if point.summary.status != "invalid"), points[0])
    if first.summary.status == "unstable":
        return ""
    changes = [(point, point.summary.differences[metric]) for point in points if metric in point.summary.differences]
    if not changes:
        return ""
    point, change = max(changes, key=lambda item: abs(item[1].value))
    size = estimate_text(abs(change))
    if change.low <= 0 <= change.high:
        return f"No measurable difference between {at.value(first)} and {at.value(point)}: {size}."
    word = "higher" if change.value > 0 else "lower"
    base = first.summary.metrics.get(metric)
    share = f" ({percent(abs(change.value) / base.value)})" if base and base.value else ""
    name = "Throughput" if metric == "throughput" else "p95"
    here, there = at.value(point), at.value(first)
    return f"{name} at {here} is {size} {word} than at {there}{share}, compared message by message."
