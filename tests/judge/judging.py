"""Every sentence and every cure of a scenario against runs with other random numbers.

A claim holds when the value of a new run, with four times as many replications, lies within twice its interval; it is
contradicted when the new run's own interval does not reach there either. A cure holds when it changes what it promises
in the same direction and breaks no objective.
"""

import json
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from planner.answers.claims import point_claims
from planner.answers.cures import cure_trials
from planner.answers.objectives import objective_verdicts
from planner.answers.quick import quick_answer
from simulations.analysis.estimates.summary import Estimate, PointSummary
from simulations.experiment import with_overrides
from simulations.platforms.shared.family import Claim
from simulations.scenario.spec import ScenarioSpec, revised

Ruling = Literal["holds", "open", "contradicted"]
AGAIN = 4
"""Times as many replications in the run that judges."""
EVENTS = 500_000
"""Of the answer that is judged, and of its cures."""
BUDGET_ERROR = 1e-3
_LEAST = 1e-9


@dataclass(frozen=True)
class Case:
    """What was said of a scenario, and how it fared. ``kind``: claim, formula, counterfactual, cure or budget."""

    scenario: int
    platform: str
    kind: str
    name: str
    text: str
    ruling: Ruling
    seen: str


def judge(number: int, spec: ScenarioSpec) -> list[Case]:
    """Say everything about the scenario, and try it again."""
    quick = quick_answer(spec, events=EVENTS)
    trials = cure_trials(spec, quick.summary.findings, events=EVENTS)
    claims = point_claims(spec, quick.summary, trials)
    again = Again(spec, quick.summary)
    cases = [
        *(again.claim(claim, quick.summary) for claim in claims),
        *(again.objective(fix, trial.text) for fix, trial in trials.items() if trial.offered),
        *_budgets(quick.summary),
    ]
    return [Case(number, spec.platform, *case) for case in cases]


Said = tuple[str, str, str, Ruling, str]


class Again:
    """Runs of one scenario with other random numbers."""

    def __init__(self, spec: ScenarioSpec, first: PointSummary) -> None:
        self.spec = reseeded(spec, first)
        self._answers: dict[str, PointSummary] = {}

    def answer(self, overrides: Mapping[str, Any]) -> PointSummary:
        key = json.dumps(overrides, sort_keys=True, default=str)
        if key not in self._answers:
            count = AGAIN * 10
            spec = with_overrides(self.spec, overrides) if overrides else self.spec
            self._answers[key] = quick_answer(spec, events=AGAIN * EVENTS, replications=count).summary
        return self._answers[key]

    def claim(self, claim: Claim, first: PointSummary) -> Said:
        """Judge the claim's number, and the change that a causal one promises."""
        if claim.counterfactual is not None:
            return self._cause(claim)
        seen = value_of(claim, self.answer(claim.proof))
        said = claim.estimate
        kind = "formula" if said is not None and said.origin == "formula" else "claim"
        if seen is None or said is None:
            ruling: Ruling = "contradicted" if said is not None and math.isfinite(said.value) else "holds"
            return kind, claim.id, claim.sentence, ruling, "no such value"
        ruling = ruled(said, seen, _slack(said))
        if claim.id == "point.objective" or "the objective" in claim.sentence:
            ruling = self._verdict(claim, first, ruling)
        return kind, claim.id, claim.sentence, ruling, f"{seen.value:.5g} ({seen.low:.5g} to {seen.high:.5g})"

    def _verdict(self, claim: Claim, first: PointSummary, ruling: Ruling) -> Ruling:
        (asked, *_), answer = self.spec.objectives, self.answer({})
        was, now = (objective_verdicts((asked,), summary)[0] for summary in (first, answer))
        if was.met != now.met and not was.unresolved and not now.unresolved:
            return "contradicted"
        return ruling

    def _cause(self, claim: Claim) -> Said:
        cause = claim.counterfactual
        assert cause is not None
        before, after = self.answer({}), self.answer(cause.overrides)
        old, new = before.metrics.get(cause.metric), after.metrics.get(cause.metric)
        if old is None or new is None:
            return "counterfactual", claim.id, claim.sentence, "contradicted", "no such value"
        change = new - old
        same = (change.value > 0) == (cause.difference.value > 0)
        ruling: Ruling = "holds" if same else "open"
        if not same and (change.low > 0 or change.high < 0):
            ruling = "contradicted"
        seen = f"{change.value:.4g} ({change.low:.4g} to {change.high:.4g})"
        return "counterfactual", claim.id, claim.sentence, ruling, seen

    def objective(self, fix: str, text: str) -> Said:
        """Judge whether a cure that is offered breaks an objective, or lets messages pile up."""
        before, after = self.answer({}), self.answer(json.loads(fix))
        pairs = zip(*(objective_verdicts(self.spec.objectives, one) for one in (before, after)), strict=True)
        broken = [str(now.objective) for was, now in pairs if was.met and not now.met and not now.unresolved]
        if after.status == "unstable" and before.status != "unstable":
            broken.append("stability")
        return "cure", fix, text, "contradicted" if broken else "holds", "; ".join(broken)


def reseeded(spec: ScenarioSpec, first: PointSummary) -> ScenarioSpec:
    """Return the scenario with other random numbers, and with the warm-up that the ``first`` answer found.

    Counts per replication depend on how much of it is left out.
    """
    segments = first.warmup["segments"]
    kept = [(("run", "warmup"), first.warmup["seconds"] * (1 - 0.5 / segments))] if segments else []
    return revised(spec, [(("run", "seed"), spec.run.seed + 1_000_003), *kept])


def value_of(claim: Claim, summary: PointSummary) -> Estimate | None:
    """Return what a run says about the claim's object."""
    if "server" in claim.about:
        return summary.servers[claim.about["server"]].get(claim.metric)
    if "queue" in claim.about:
        return summary.queues[claim.about["queue"]].get(claim.metric)
    return summary.metrics.get(claim.metric)


def ruled(said: Estimate, seen: Estimate, slack: float) -> Ruling:
    """Say whether the new value lies within twice the interval, or at least its own interval reaches there."""
    low = said.value - 2 * (said.value - said.low) - slack
    high = said.value + 2 * (said.high - said.value) + slack
    if low <= seen.value <= high:
        return "holds"
    return "open" if seen.low <= high and seen.high >= low else "contradicted"


def _slack(said: Estimate) -> float:
    """What a number without an interval may be off by: half a percent of a formula's, rounding of any other."""
    return (0.005 if said.origin == "formula" else 0.0005) * max(abs(said.value), _LEAST)


def _budgets(summary: PointSummary) -> Iterator[Said]:
    places = {"": summary.metrics, **summary.queues}
    for name, metrics in places.items():
        if "latency.mean" in metrics:
            total = sum(item.value for part, item in metrics.items() if part.startswith("cause."))
            mean = metrics["latency.mean"].value
            good = abs(total - mean) <= BUDGET_ERROR * mean
            yield "budget", name, f"{total:.6g} of {mean:.6g} s", "holds" if good else "contradicted", ""
