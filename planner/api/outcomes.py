"""What an experiment found so far, as JSON values for the API and reports; the same for whole and partial answers."""

from typing import Any

from planner.answers.values import estimate_body, estimates_body, plain
from planner.selectors.runs import Experiment
from simulations.experiment.arrivals import mean_rate, peak_rate
from simulations.experiment.choice import Best, Candidate, best_of, nearest_cheaper, resources
from simulations.experiment.headrooms import headroom_of, reached
from simulations.experiment.questions import HeadroomQuestion, Optimize, SensitivityQuestion, Sweep
from simulations.experiment.sensitivities import End, effects_of, joint_of
from simulations.experiment.words import binding, infeasible_reason, joint_sentences, reached_text, why


def outcome_body(experiment: Experiment) -> dict[str, Any]:
    """Return the outcome of the experiment; empty before its first answer."""
    if not experiment.answers:
        return {}
    match experiment.question:
        case Optimize() as question:
            return recommendation_body(experiment, best_of(question, experiment.spec, experiment.answers), question)
        case Sweep():
            return _sweep(experiment)
        case HeadroomQuestion() as headroom:
            return _headroom(experiment, headroom)
        case SensitivityQuestion() as sensitivity:
            return _sensitivity(experiment, sensitivity)


def recommendation_body(experiment: Experiment, best: Best, question: Optimize) -> dict[str, Any]:
    """Return the choice with its probability and runner-up, or why there is none."""
    spec, chosen = experiment.spec, best.chosen
    others = {"runner_up": best.runner_up, "nearest_cheaper": nearest_cheaper(best)}
    return {
        "status": best.status,
        "final": experiment.run.final,
        "kpi": question.decider,
        "probability": best.probability,
        "indifferent": question.indifference,
        "reason": why(question, spec, best, chosen.index) if chosen else infeasible_reason(spec, best),
        "recommended": _chosen(chosen, question) if chosen else None,
        **{
            name: {**_chosen(item, question), "why_not": why(question, spec, best, item.index)} if item else None
            for name, item in others.items()
        },
        "binding": binding(spec, best),
    }


def _chosen(candidate: Candidate, question: Optimize) -> dict[str, Any]:
    value = candidate.summary.metrics.get(question.decider)
    return {
        "index": candidate.index,
        "overrides": plain(candidate.summary.overrides),
        "cost": dict(zip(resources(question), candidate.cost, strict=True)),
        "value": estimate_body(value) if value else None,
        "metrics": estimates_body(candidate.summary.metrics),
        "meets_objectives": candidate.chance,
    }


def _sweep(experiment: Experiment) -> dict[str, Any]:
    base = experiment.answers.get(0)
    return {
        "kpi": experiment.question.kpi,
        "baseline": plain(base.overrides) if base else None,
        "paired_vs_baseline": [
            {"overrides": plain(summary.overrides), "differences": estimates_body(summary.differences)}
            for summary in experiment.answers.values()
            if summary.differences
        ],
    }


def _headroom(experiment: Experiment, question: HeadroomQuestion) -> dict[str, Any]:
    headroom = headroom_of(experiment.spec.objectives, experiment.answers)
    today, growth, since = mean_rate(experiment.spec), question.growth, experiment.run.created_at.date()
    names = ("carried", "low", "high", "missed", "stable", "unstable", "losing")
    factors: dict[str, float | None] = {name: getattr(headroom, name) for name in names}
    rates = {name: None if None in (factor, today) else factor * today for name, factor in factors.items()}  # type: ignore[operator]
    return {
        "factor": factors,
        "rate": rates,
        "today": today,
        "peak": question.peak if question.peak is not None else peak_rate(experiment.spec),
        "reached": growth
        and {**plain(reached(headroom, growth, since)), "sentence": reached_text(headroom, growth, since)},
    }


def _sensitivity(experiment: Experiment, question: SensitivityQuestion) -> dict[str, Any]:
    joint = joint_of(question, experiment.spec.objectives, experiment.answers)
    return {
        "kpi": question.kpi,
        "joint": joint and {**plain(joint), "sentences": [*joint_sentences(experiment.spec, question.kpi, joint)]},
        "effects": [
            {"input": effect.path, "low": _end(effect.low), "high": _end(effect.high), "resolved": effect.resolved}
            for effect in effects_of(question, experiment.answers)
        ],
    }


def _end(end: End) -> dict[str, Any]:
    difference = estimate_body(end.difference) if end.difference else None
    return {"value": plain(end.value), "status": end.status, "difference": difference}
