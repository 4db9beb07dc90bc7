"""What an experiment found so far, as JSON values for the API and reports; the same for whole and partial answers."""

from typing import Any

from planner.answers.values import estimate_body, estimates_body, plain
from planner.selectors.experiments import Experiment
from simulations.analysis.estimates.summary import PointSummary
from simulations.experiment.arrivals import mean_rate, peak_rate
from simulations.experiment.choice import INDIFFERENT, Best, Candidate, best_of, decider, resources
from simulations.experiment.headrooms import headroom_of
from simulations.experiment.questions import HeadroomQuestion, Optimize, SensitivityQuestion, Sweep
from simulations.experiment.sensitivities import End, effects_of
from simulations.experiment.verdicts import verdict_of
from simulations.experiment.words import infeasible_reason, why


def outcome_body(found: Experiment) -> dict[str, Any]:
    """Return the outcome of the experiment; empty before its first answer."""
    if not found.answers:
        return {}
    match found.question:
        case Optimize() as question:
            return recommendation_body(found, best_of(question, found.spec, found.answers), question)
        case Sweep():
            return _sweep(found)
        case HeadroomQuestion() as headroom:
            return _headroom(found, headroom)
        case SensitivityQuestion() as sensitivity:
            return _sensitivity(found, sensitivity)


def recommendation_body(found: Experiment, best: Best, question: Optimize) -> dict[str, Any]:
    """Return the choice with its probability and runner-up, or why there is none."""
    body: dict[str, Any] = {
        "status": best.status,
        "final": found.run.final,
        "kpi": decider(question),
        "probability": best.probability,
        "indifferent": INDIFFERENT,
        "reason": infeasible_reason(found.spec, best) if best.chosen is None else "",
        "recommended": None,
        "runner_up": None,
    }
    if best.chosen is not None:
        body["recommended"] = _chosen(best.chosen, question)
        body["reason"] = why(question, found.spec, best, best.chosen.index)
    if best.runner_up is not None:
        body["runner_up"] = {
            **_chosen(best.runner_up, question),
            "why_not": why(question, found.spec, best, best.runner_up.index),
        }
    return body


def cell_body(found: Experiment, summary: PointSummary) -> dict[str, Any]:
    """Return one point: its settings, its verdict, its numbers."""
    return {
        "index": summary.index,
        "overrides": plain(summary.overrides),
        "status": summary.status,
        "verdict": verdict_of(found.spec.objectives, summary),
        "partial": summary.index in found.partial,
        "replications": summary.replications,
        "metrics": estimates_body(summary.metrics),
        "paired_vs_baseline": estimates_body(summary.differences),
    }


def _chosen(candidate: Candidate, question: Optimize) -> dict[str, Any]:
    value = candidate.summary.metrics.get(decider(question))
    return {
        "index": candidate.index,
        "overrides": plain(candidate.summary.overrides),
        "cost": dict(zip(resources(question), candidate.cost, strict=True)),
        "value": estimate_body(value) if value else None,
    }


def _sweep(found: Experiment) -> dict[str, Any]:
    base = found.answers.get(0)
    return {
        "kpi": found.question.kpi,
        "baseline": plain(base.overrides) if base else None,
        "paired_vs_baseline": [
            {"overrides": plain(summary.overrides), "differences": estimates_body(summary.differences)}
            for summary in found.answers.values()
            if summary.differences
        ],
    }


def _headroom(found: Experiment, question: HeadroomQuestion) -> dict[str, Any]:
    headroom = headroom_of(found.spec.objectives, found.answers)
    today = mean_rate(found.spec)
    factors = {
        "carried": headroom.carried,
        "low": headroom.low,
        "high": headroom.high,
        "missed": headroom.missed,
        "stable": headroom.stable,
        "unstable": headroom.unstable,
    }
    rates = {name: None if None in (factor, today) else factor * today for name, factor in factors.items()}  # type: ignore[operator]
    return {
        "factor": factors,
        "rate": rates,
        "today": today,
        "peak": question.peak if question.peak is not None else peak_rate(found.spec),
    }


def _sensitivity(found: Experiment, question: SensitivityQuestion) -> dict[str, Any]:
    return {
        "kpi": question.kpi,
        "effects": [
            {"input": effect.path, "low": _end(effect.low), "high": _end(effect.high), "resolved": effect.resolved}
            for effect in effects_of(question, found.answers)
        ],
    }


def _end(end: End) -> dict[str, Any]:
    difference = estimate_body(end.difference) if end.difference else None
    return {"value": plain(end.value), "status": end.status, "difference": difference}
