"""Answers as JSON values, the same from the command line and the API; numbers that do not exist become null."""

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, TypeAdapter
from pydantic_core import to_jsonable_python

from planner.answers.cures import Trial, fix_key
from simulations.analysis.estimates.summary import Derivation, Estimate, Finding, PointSummary, Source
from simulations.declarations.problems import InvalidInput, nearest
from simulations.experiment.turns import Turn, turn_of
from simulations.experiment.verdicts import objective_verdicts
from simulations.experiment.words import turn_sentence
from simulations.platforms import PLATFORMS
from simulations.platforms.shared.family import Claim, Platform
from simulations.scenario.runsettings import Objective
from simulations.scenario.spec import ScenarioSpec, parse

ALIASES = {"was-zos": "websphere-zos", "was": "websphere", "wls": "weblogic", "wls-flow": "weblogic", "imq": "openmq"}
"""Short spellings that short questions may use."""


def plain(value: object) -> Any:
    """Return dataclasses and numbers as JSON values, NaN and infinity as null."""
    return _finite(to_jsonable_python(value))


def _finite(value: Any) -> Any:
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {key: _finite(item) for key, item in value.items()}
    return [_finite(item) for item in value] if isinstance(value, list) else value


def source_text(source: Source) -> str:
    """Document and place, and what is not certain."""
    text = ": ".join(part for part in (source.document, source.place) if part)
    return text if source.trust == "source" else f"{text} ({source.trust})"


Number = Annotated[float | None, BeforeValidator(_finite)]
Plain = Annotated[dict[str, Any], BeforeValidator(plain)]


class Out(BaseModel):
    """A body that is answered, read from what has attributes of the same names."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True, from_attributes=True)


class PairedDifferenceOut(Out):
    """A paired difference with its 95 % interval."""

    value: Number
    ci95: tuple[Number, Number]


class EstimateOut(PairedDifferenceOut):
    """A number with its 95 % interval; null where there is none."""

    unit: str
    origin: str
    """formula, simulated, measured or assumed."""


class TrialOut(Out):
    """What a cure did in a simulation beside the scenario, with common random numbers."""

    verdict: str
    """improves, no_effect, harms, breaks_objective or untried."""
    before: dict[str, EstimateOut]
    """The metrics that change notably, without the cure."""
    after: dict[str, EstimateOut]
    """The same with it."""
    reason: str
    """Why the cure is not offered; empty for one that is."""


class FindingOut(Out):
    """The verdict of one rule."""

    rule: str
    status: str
    severity: str
    message: str
    queue: str
    source: Annotated[str, BeforeValidator(source_text)]
    fix: Plain
    """Scenario path -> value that cures it."""
    details: dict[str, Number]
    cost: dict[str, EstimateOut]
    trial: TrialOut | None = None
    """What the cure does; null where there is none or it was not simulated."""
    offered: bool = False
    """Whether the cure was simulated and improves the answer."""


class CounterfactualOut(Out):
    """The run that proves a causal sentence, paired with the point by common random numbers."""

    overrides: Plain
    """The settings changed."""
    metric: str
    difference: PairedDifferenceOut
    """With the settings changed minus without."""


class SentenceOut(EstimateOut):
    """A sentence about a point, and the claim that it is written from."""

    text: str
    about: dict[str, str]
    """``{"queue": name}`` or ``{"server": name}``; empty for the whole system."""
    metric: str
    condition: str | None
    """When the metric is taken, such as ``gate blocked``; null over the whole run."""
    counterfactual: CounterfactualOut | None


class PointOut(Out):
    """The answer for one point."""

    index: int
    overrides: Plain
    status: str
    """ok, unstable, not_converged or invalid."""
    problems: list[str]
    """Why the point is invalid: settings that do not fit together. It has no numbers then."""
    replications: int
    events: int
    derived: dict[str, Number]
    metrics: dict[str, EstimateOut]
    queues: dict[str, dict[str, EstimateOut]]
    servers: dict[str, dict[str, EstimateOut]]
    differences: dict[str, EstimateOut]
    """Paired differences to the first point."""
    growth: dict[str, Number]
    warmup: dict[str, Number]
    objectives: list[dict[str, Any]]
    findings: list[FindingOut]
    claims: list[SentenceOut] = []
    """Every sentence about the point; empty where none were asked for."""
    checks: list[Plain]


def turn_body(spec: ScenarioSpec, turn: Turn | None) -> dict[str, Any] | None:
    """Return the turn as JSON values with its sentence, None for none; ``turn_known`` reads it."""
    return {"text": turn_sentence(spec, turn), "found": turn.found, **plain(turn)} if turn else None


def turn_known(kept: Mapping[str, Any], spec: ScenarioSpec, summaries: Iterable[PointSummary]) -> Turn | None:
    """Return the turn that a headline or a report keeps under ``turn``; where it keeps none, what the sweep shows."""
    if "turn" not in kept:
        return turn_of(spec, summaries)
    return TypeAdapter(Turn).validate_python(kept["turn"]) if kept["turn"] else None


def point_out(
    summary: PointSummary,
    objectives: Sequence[Objective] = (),
    trials: Mapping[str, Trial] | None = None,
    claims: Iterable[Claim] = (),
) -> PointOut:
    """Return one point's answer without its curves, judged by the objectives; ``trials``: what the cures did."""
    judged = [
        {**plain(item.objective.model_dump(exclude_none=True)), "met": item.met}
        for item in objective_verdicts(objectives, summary)
    ]
    shown = {name: value for name, value in vars(summary).items() if name in PointOut.model_fields}
    findings = [finding_out(item, trials or {}) for item in summary.findings]
    return PointOut(**{**shown, "findings": findings}, objectives=judged, claims=[*map(sentence_out, claims)])


def sentence_out(claim: Claim) -> SentenceOut:
    """Return a claim as it leaves."""
    estimate = claim.estimate or Estimate(math.nan, math.nan, math.nan, "")
    return SentenceOut(
        text=claim.sentence,
        about=dict(claim.about),
        metric=claim.metric,
        condition=claim.condition or None,
        **vars(EstimateOut.model_validate(estimate)),
        counterfactual=CounterfactualOut.model_validate(claim.counterfactual) if claim.counterfactual else None,
    )


def finding_out(finding: Finding, trials: Mapping[str, Trial]) -> FindingOut:
    """Return a rule's verdict with its cost, its cure and what that did."""
    body = FindingOut.model_validate(finding)
    trial = trials.get(fix_key(finding.fix)) if finding.fix else None
    if trial is None:
        return body
    sides = {
        side: {change.metric: EstimateOut.model_validate(getattr(change, side)) for change in trial.changes}
        for side in ("before", "after")
    }
    tried = TrialOut(verdict=trial.effect, reason=trial.reason, **sides)
    return body.model_copy(update={"trial": tried, "offered": trial.offered})


def estimate_body(estimate: Estimate) -> dict[str, Any]:
    """value, ci95 (low, high), unit and origin."""
    return EstimateOut.model_validate(estimate).model_dump(mode="json")


def estimates_body(metrics: Mapping[str, Estimate]) -> dict[str, Any]:
    """Estimates by metric."""
    return {name: estimate_body(item) for name, item in metrics.items()}


def finding_body(finding: Finding) -> dict[str, Any]:
    """A rule's verdict with its cost and its cure."""
    return FindingOut.model_validate(finding).model_dump(mode="json")


def derivation_body(derivation: Derivation) -> dict[str, Any]:
    """Formula answers and rule verdicts."""
    return {
        "values": [
            {**vars(item), "value": _finite(item.value), "source": source_text(item.source)}
            for item in derivation.values
        ],
        "findings": [finding_body(finding) for finding in derivation.findings],
    }


def platform_wanted(name: str) -> Platform:
    """Return the family of this name or short spelling; raises InvalidInput with the nearest one."""
    family = PLATFORMS.get(ALIASES.get(name, name))
    if family is None:
        raise InvalidInput.at(("platform",), f"unknown platform; {nearest(name, [*PLATFORMS, *ALIASES])}", value=name)
    return family


def derive_answer(body: Mapping[str, Any]) -> dict[str, Any]:
    """Answer a scenario (it has ``queues``) or a short question such as CPUs, servants and profile. Raises InvalidInput
    with every wrong field."""
    if "queues" in body or "servers" in body or "sluice" in body:
        spec = parse(body)
        return {"platform": spec.platform, **derivation_body(spec.family.derive(spec.system))}
    family = platform_wanted(str(body.get("platform", "")))
    if family.quick is None:
        raise InvalidInput.at(("platform",), "has no short questions; give a scenario", value=family.name)
    return {key: _short(value) for key, value in family.quick(body).items()}


def _short(value: Any) -> Any:
    if isinstance(value, Finding):
        return finding_body(value)
    return [_short(item) for item in value] if isinstance(value, list | tuple) else plain(value)
