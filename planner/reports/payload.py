"""The frozen content of a report: every number and sentence it shows, as plain data.

Pages and files are drawn from this payload alone (``frontend.reports.page``), so that a report stays as it was when
settings, rules or the program change.
"""

from dataclasses import asdict
from datetime import date
from typing import Any

from django.utils import timezone

from planner import selectors
from planner.answers.choice import Choice, choice_of
from planner.answers.summaries import summary_read
from planner.models import PointResult, Report, Run
from planner.reports.evidence import calibration_evidence, changes_evidence, experiments_evidence, probability_evidence
from planner.reports.system import changes_of, servers_table, settings_table, workload_table
from simulations.analysis.estimates.metrics import METRICS
from simulations.analysis.estimates.summary import PointSummary
from simulations.experiment import with_overrides
from simulations.platforms.shared.claims import explained
from simulations.scenario.spec import ScenarioSpec

PAYLOAD_VERSION = 2


def report_payload(
    *, run: Run, title: str, supersedes: Report | None = None, decider: str = "", decide_by: date | None = None
) -> dict[str, Any]:
    """Return everything a report of ``run`` says; ``scripts`` are still to be written for its choice."""
    spec = run.parsed
    rows = list(run.points.order_by("index"))
    points = selectors.run_points(run=run)
    choice = choice_of(spec, points)
    given = changes_of(run.version)
    return {
        "payload": PAYLOAD_VERSION,
        "title": title,
        "made_at": timezone.now().isoformat(),
        "prepared_by": run.owner.get_username(),
        "supersedes": _superseded(run, supersedes),
        "decision": {"decider": decider, "by": decide_by.isoformat() if decide_by else ""},
        "question": {
            "scenario": spec.name,
            "note": run.version.note,
            "objectives": run.spec["objectives"],
            "sweep": run.spec["sweep"],
        },
        "platform": {"name": spec.platform, "title": spec.family.title, "vendor": spec.family.vendor},
        "servers": servers_table(spec),
        "settings": settings_table(spec, given),
        "rules": [{"id": rule.id, "title": rule.title} for rule in spec.family.rules],
        "workload": workload_table(spec, given, selectors.placeholder_loads(version=run.version)),
        "calibration": calibration_evidence(run.version),
        "choice": _choice(choice, probability_evidence(run, spec, points, choice)),
        "changes": changes_evidence(run, spec, points, choice),
        "experiments": experiments_evidence(run),
        "scripts": [],
        "points": [_point(spec, row) for row in rows],
        "metrics": _metrics_used([summary_read(row.summary) for row in rows]),
        "method": _method(spec, run),
        "reproduction": _reproduction(run, rows),
    }


def _choice(choice: Choice, probability: float) -> dict[str, Any]:
    """The choice by the indexes of its points."""
    places = {"chosen": choice.chosen, "present": choice.present, "runner_up": choice.runner_up}
    indexes = {name: point.index if point else None for name, point in places.items()}
    return {**indexes, "metric": choice.metric, "word": choice.word, "probability": probability}


def _superseded(run: Run, report: Report | None) -> dict[str, Any] | None:
    """The signed report that this one replaces, bound by its hash, and the scenario's versions since."""
    if report is None:
        return None
    versions = run.version.scenario.versions.select_related("author").order_by("number")
    since = versions.filter(number__gt=report.run.version.number, number__lte=run.version.number)
    return {
        "report": report.pk,
        "payload_hash": report.payload_hash,
        "version": report.run.version.number,
        "versions_since": [
            {
                "number": item.number,
                "author": item.author.get_username(),
                "at": item.created_at.isoformat(),
                "note": item.note,
            }
            for item in since
        ],
    }


def _point(spec: ScenarioSpec, row: PointResult) -> dict[str, Any]:
    """One point with the formula answers and the explanation of the system it was computed for, if it is one."""
    summary = summary_read(row.summary)
    if summary.status == "invalid":
        return {"summary": row.summary, "derived": [], "claims": []}
    system = with_overrides(spec.unswept, row.overrides).system
    derivation = spec.family.derive(system)
    return {
        "summary": row.summary,
        "derived": [asdict(item) for item in derivation.values],
        "claims": [asdict(claim) for claim in explained(spec.family, system, summary)],
    }


def _metrics_used(summaries: list[PointSummary]) -> list[dict[str, Any]]:
    used = {name for summary in summaries for name in summary.metrics}
    return [
        {"name": metric.name, "title": metric.title, "unit": metric.unit, "meaning": metric.meaning}
        for metric in METRICS
        if metric.name in used
    ]


def _method(spec: ScenarioSpec, run: Run) -> dict[str, Any]:
    settings = run.spec["run"]
    return {
        "kind": "transient" if spec.transient else "steady state",
        "horizon": settings["horizon"],
        "warmup": settings["warmup"],
        "replications": settings["replications"],
        "precision": settings["precision"],
        "intervals": "95 %, over independent replications; differences paired by common random numbers",
        "warmup_rule": "none: the course over time is the answer" if spec.transient else "MSER-5 over all replications",
        "arrivals": "drawn per message from the arrival process of its queue, by inversion where that is cheap",
        "streams": "counter-based (splitmix64): each number is a hash of seed, replication, purpose, queue and message",
        "initial_state": "empty: no message inside, no thread busy, every gate open",
        "stopping_rule": "rounds of replications until the precision is reached, an answer stays unstable, or the most "
        "replications are used; what misses the precision is marked not converged",
    }


def _reproduction(run: Run, rows: list[PointResult]) -> dict[str, Any]:
    return {
        "run": run.pk,
        "scenario": run.version.scenario_id,
        "version": run.version.number,
        "seed": run.seed,
        "engine": run.engine_version,
        "rules": run.rules_version,
        "content_hash": run.content_hash,
        "result_hash": run.result_hash,
        "spec": run.spec,
        "timings": run.timings,
        "started_at": run.started_at.isoformat() if run.started_at else "",
        "finished_at": run.finished_at.isoformat() if run.finished_at else "",
        "worker": run.worker,
        "events": sum(row.summary["events"] for row in rows),
        "command": "python manage.py simulate scenario.yaml --json",
    }
