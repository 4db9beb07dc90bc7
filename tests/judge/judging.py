"""Every sentence and every cure of a scenario against runs with other random numbers.

A claim holds when the value of a new run, with four times as many replications, lies within twice its interval; it is
contradicted when the new run's own interval does not reach there either. So are the changes that a cure promises, by
trying it once more over the same course. A cure holds when it breaks no objective.
"""

import json
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from planner.answers.claims import TOO_SHORT, point_claims
from planner.answers.cures import UNSETTLED, cure_trials, fix_key
from planner.answers.quick import paired_answers, quick_answer
from simulations.analysis.estimates.summary import Estimate, PointSummary
from simulations.experiment import Point, with_overrides
from simulations.experiment.verdicts import ObjectiveVerdict, objective_verdicts
from simulations.platforms.shared.family import Claim
from simulations.scenario.spec import ScenarioSpec, revised
from tests.judge.ruling import Ruling, Said, ruled, seen_text
from tests.judge.shown import shown

AGAIN = 4
"""Times as many replications in the run that judges."""
LONGER = 10
"""Times as many messages in the run that judges a formula."""
EVENTS = 500_000
"""Of the answer that is judged, and of its cures."""
BUDGET_ERROR = 1e-3


@dataclass(frozen=True)
class Case:
    """What was said of a scenario, and how it fared. ``kind``: a key of ``KINDS`` of the command."""

    scenario: int
    platform: str
    kind: str
    name: str
    text: str
    ruling: Ruling
    seen: str


def judge(number: int, spec: ScenarioSpec) -> list[Case]:
    """Say everything about the scenario, and try it again.

    Where the answer, or a cure, says itself that another run may say otherwise, or was ended early, nothing is
    contradicted.
    """
    quick = quick_answer(spec, events=EVENTS)
    trials = cure_trials(spec, quick.summary, events=EVENTS)
    claims = point_claims(spec, quick.summary, trials)
    again = Again(spec)
    said = (
        *(again.claim(claim, quick.summary) for claim in claims),
        *(again.objective(fix, trial.text) for fix, trial in trials.items() if trial.offered),
        *_budgets(quick.summary),
        *shown(spec, quick.summary, again.answer({})),
    )
    found = [Case(number, spec.platform, *case) for case in said]
    short = quick.summary.status == "invalid" or TOO_SHORT in claims or any("is rough" in it.sentence for it in claims)
    unsure = short or any(UNSETTLED in trial.reason for trial in trials.values())
    return [replace(case, ruling="open") if unsure and case.ruling == "contradicted" else case for case in found]


class Again:
    """Runs of one scenario, and of its cures, with other random numbers."""

    def __init__(self, spec: ScenarioSpec) -> None:
        self.spec = revised(spec, [(("run", "seed"), spec.run.seed + 1_000_003)])
        self._answers: dict[str, PointSummary] = {}
        self._pairs: dict[str, tuple[PointSummary, PointSummary]] = {}

    def _pair(self, fix: str) -> tuple[PointSummary, PointSummary]:
        """The answers without and with a cure over the course of its trial; the second has the differences."""
        if fix not in self._pairs:
            cured = Point(1, json.loads(fix), with_overrides(self.spec, json.loads(fix)))
            points, events = [Point(0, {}, self.spec), cured], 2 * AGAIN * EVENTS
            before, after = paired_answers(points, events=events, replications=AGAIN * 10)
            self._pairs[fix] = before, after
        return self._pairs[fix]

    def answer(self, overrides: Mapping[str, Any], *, longer: bool = False) -> PointSummary:
        """More replications, or ``longer`` ones: what formulas say is of a run without an end."""
        if longer and self.spec.run.horizon.messages:
            overrides = {**overrides, "run.horizon.messages": LONGER * self.spec.run.horizon.messages}
        key = json.dumps(overrides, sort_keys=True, default=str)
        if key not in self._answers:
            count = 10 if longer else AGAIN * 10
            spec = with_overrides(self.spec, overrides) if overrides else self.spec
            self._answers[key] = quick_answer(spec, events=AGAIN * EVENTS, replications=count).summary
        return self._answers[key]

    def claim(self, claim: Claim, first: PointSummary) -> Said:
        """Judge the claim's number, and the change that a causal one promises."""
        if claim.counterfactual is not None:
            return self._cause(claim)
        said = claim.estimate
        kind = "formula" if said is not None and said.origin == "formula" else "claim"
        seen = value_of(claim, self.answer(claim.proof, longer=kind == "formula"))
        if seen is None or said is None:
            ruling: Ruling = "contradicted" if said is not None and math.isfinite(said.value) else "holds"
            return kind, claim.id, claim.sentence, ruling, seen_text(None)
        ruling = ruled(said, seen, claim.metric)
        if claim.id == "point.objective" or "the objective" in claim.sentence:
            ruling = self._verdict(claim, first, ruling)
        return kind, claim.id, claim.sentence, ruling, seen_text(seen)

    def _verdict(self, claim: Claim, first: PointSummary, ruling: Ruling) -> Ruling:
        """An exact value is said to be that of so many replications: four times as many may see a rare event."""
        queue, answer = claim.about.get("queue"), self.answer({})
        asked = next(it for it in self.spec.objectives if (it.metric, it.queue) == (claim.metric, queue))
        was, now = (objective_verdicts((asked,), summary)[0] for summary in (first, answer))
        if asked.equals is None and was.met != now.met and not was.unresolved and not now.unresolved:
            return "contradicted"
        return ruling

    def _cause(self, claim: Claim) -> Said:
        cause = claim.counterfactual
        assert cause is not None
        before, after = self._pair(fix_key(cause.overrides))
        change = after.differences.get(cause.metric)
        if change is None:  # of extremes there is no paired difference
            old, new = before.metrics.get(cause.metric), after.metrics.get(cause.metric)
            change = new - old if old is not None and new is not None else None
        if change is None:
            return "counterfactual", claim.id, claim.sentence, "contradicted", seen_text(None)
        return "counterfactual", claim.id, claim.sentence, ruled(cause.difference, change), seen_text(change)

    def objective(self, fix: str, text: str) -> Said:
        """Judge whether a cure that is offered breaks an objective, or lets messages pile up."""
        before, after = self._pair(fix)
        pairs = zip(*(objective_verdicts(self.spec.objectives, one) for one in (before, after)), strict=True)
        broken = [str(now.objective) for was, now in pairs if was.met and not now.met and not _unsettled(now)]
        if after.status == "unstable" and before.status != "unstable":
            broken.append("stability")
        return "cure", fix, text, "contradicted" if broken else "holds", "; ".join(broken)


def _unsettled(verdict: ObjectiveVerdict) -> bool:
    """Whether it is too close to call, or an exact value that so few replications miss that ten may all have it."""
    exact, seen = verdict.objective.equals, verdict.estimate
    if exact is None or seen is None:
        return verdict.unresolved
    return ruled(Estimate(exact, exact, exact, seen.unit), seen) != "contradicted"


def value_of(claim: Claim, summary: PointSummary) -> Estimate | None:
    """Return what a run says about the claim's object."""
    if "server" in claim.about:
        return summary.servers[claim.about["server"]].get(claim.metric)
    if "queue" in claim.about:
        return summary.queues[claim.about["queue"]].get(claim.metric)
    return summary.metrics.get(claim.metric)


def _budgets(summary: PointSummary) -> Iterator[Said]:
    places = {"": summary.metrics, **summary.queues}
    for name, metrics in places.items():
        if "latency.mean" in metrics:
            total = sum(item.value for part, item in metrics.items() if part.startswith("cause."))
            mean = metrics["latency.mean"].value
            good = abs(total - mean) <= BUDGET_ERROR * mean
            yield "budget", name, f"{total:.6g} of {mean:.6g} s", "holds" if good else "contradicted", ""
