"""Answers as JSON values, the same from the command line and the API; numbers that do not exist become null."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

from pydantic_core import to_jsonable_python

from planner.answers.objectives import objective_verdicts
from simulations.analysis.estimates.summary import Derivation, Estimate, Finding, PointSummary, Source
from simulations.runsettings import Objective


def plain(value: object) -> Any:
    """Return dataclasses and numbers as JSON values, NaN and infinity as null."""
    return _finite(to_jsonable_python(value))


def estimate_body(estimate: Estimate) -> dict[str, Any]:
    """value, ci95 (low, high), unit and origin."""
    interval = [estimate.low, estimate.high]
    body = {"value": estimate.value, "ci95": interval, "unit": estimate.unit, "origin": estimate.origin}
    return {key: _finite(value) for key, value in body.items()}


def source_text(source: Source) -> str:
    """Document and place, and what is not certain."""
    text = ": ".join(part for part in (source.document, source.place) if part)
    return text if source.trust == "source" else f"{text} ({source.trust})"


def finding_body(finding: Finding) -> dict[str, Any]:
    """A rule's verdict with its cost and its cure."""
    return {
        "rule": finding.rule,
        "status": finding.status,
        "severity": finding.severity,
        "message": finding.message,
        "queue": finding.queue,
        "source": source_text(finding.source),
        "fix": plain(finding.fix),
        "details": plain(finding.details),
        "cost": {name: estimate_body(item) for name, item in finding.cost.items()},
    }


def point_body(summary: PointSummary, objectives: Sequence[Objective] = ()) -> dict[str, Any]:
    """One point's answer without its curves."""
    return {
        "index": summary.index,
        "overrides": plain(summary.overrides),
        "status": summary.status,
        "problems": list(summary.problems),
        "replications": summary.replications,
        "events": summary.events,
        "derived": plain(summary.derived),
        "metrics": _metrics(summary.metrics),
        "queues": {name: _metrics(metrics) for name, metrics in summary.queues.items()},
        "servers": {name: _metrics(metrics) for name, metrics in summary.servers.items()},
        "differences": _metrics(summary.differences),
        "growth": plain(summary.growth),
        "warmup": plain(summary.warmup),
        "objectives": [
            {**plain(item.objective.model_dump(exclude_none=True)), "met": item.met}
            for item in objective_verdicts(objectives, summary)
        ],
        "findings": [finding_body(finding) for finding in summary.findings],
        "checks": plain(summary.checks),
    }


def derivation_body(derivation: Derivation) -> dict[str, Any]:
    """Formula answers and rule verdicts."""
    return {
        "values": [
            {
                "name": item.name,
                "title": item.title,
                "entity": item.entity,
                "value": _finite(item.value),
                "unit": item.unit,
                "formula": item.formula,
                "source": source_text(item.source),
            }
            for item in derivation.values
        ],
        "findings": [finding_body(finding) for finding in derivation.findings],
    }


def _metrics(metrics: Mapping[str, Estimate]) -> dict[str, Any]:
    return {name: estimate_body(item) for name, item in metrics.items()}


def _finite(value: Any) -> Any:
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {key: _finite(item) for key, item in value.items()}
    return [_finite(item) for item in value] if isinstance(value, list) else value
