"""The frozen content of a report: every number and sentence it shows, as plain data.

Pages and files are drawn from this payload alone (``frontend.reports.page``), so that a report stays as it was when
settings, rules or the program change.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import date
from typing import Any

from django.utils import timezone

from planner import selectors
from planner.answers.choice import Choice, choice_of
from planner.answers.summaries import StoredPoint
from planner.answers.values import turn_body, turn_known
from planner.models import Report, Run
from planner.reports import evidence
from planner.reports.system import changes_of, servers_table, settings_table, workload_table
from simulations.analysis.estimates.metrics import METRICS
from simulations.declarations.tables import table_beside
from simulations.experiment import with_overrides
from simulations.platforms.shared.claims import explained
from simulations.scenario.spec import ScenarioSpec

PAYLOAD_VERSION = 2
_NEVER_RECORDED: Mapping[str, Any] = table_beside(__file__, "never_recorded.yaml")
"""What an older report did not record is empty, never invented."""


def report_payload(
    *, run: Run, title: str, supersedes: Report | None = None, decider: str = "", decide_by: date | None = None
) -> dict[str, Any]:
    """Return everything a report of ``run`` says; ``scripts`` are still to be written for its choice."""
    spec = run.parsed
    points = selectors.run_points(run=run)
    stored = dict(run.points.values_list("index", "summary"))
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
        "workload": workload_table(spec, given),
        "calibration": evidence.calibration_evidence(run.version),
        "choice": _choice(choice, evidence.probability_evidence(run, spec, points, choice)),
        "changes": evidence.changes_evidence(run, spec, points, choice),
        "experiments": evidence.experiments_evidence(run),
        "scripts": [],
        "points": [_point(spec, point, stored[point.index]) for point in points],
        "turn": turn_body(spec, turn_known(run.headline, spec, [point.summary for point in points])),
        "metrics": _metrics_used(points),
        "method": _method(spec, run),
        "reproduction": {
            **evidence.provenance(run),
            "run": run.pk,
            "scenario": run.version.scenario_id,
            "version": run.version.number,
            "timings": run.timings,
            "started_at": evidence.instant_text(run.started_at),
            "worker": run.worker,
            "events": sum(point.summary.events for point in points),
            "command": "python manage.py simulate scenario.yaml --json",
        },
    }


def payload_read(payload: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a payload of any version with every part that the newest one has."""
    return {**_NEVER_RECORDED, **payload}


def choice_read(payload: Mapping[str, Any], spec: ScenarioSpec, points: Sequence[StoredPoint]) -> Choice:
    """Return the frozen choice; of a report that did not record one, the choice by its numbers."""
    stored = payload.get("choice")
    if stored is None:
        return choice_of(spec, points)
    by_index = {point.index: point for point in points}
    places = {name: by_index.get(stored[name]) for name in ("chosen", "present", "runner_up")}
    return Choice(metric=stored["metric"], word=stored["word"], **places)


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


def _point(spec: ScenarioSpec, point: StoredPoint, stored: dict[str, Any]) -> dict[str, Any]:
    """One point with the formula answers and the explanation of the system it was computed for, if it is one."""
    if point.summary.status == "invalid":
        return {"summary": stored, "derived": [], "claims": []}
    system = with_overrides(spec.unswept, point.overrides).system
    derivation = spec.family.derive(system)
    return {
        "summary": stored,
        "derived": [asdict(item) for item in derivation.values],
        "claims": [asdict(claim) for claim in explained(spec.family, system, point.summary)],
    }


def _metrics_used(points: Sequence[StoredPoint]) -> list[dict[str, Any]]:
    used = {name for point in points for name in point.summary.metrics}
    return [
        {name: getattr(metric, name) for name in ("name", "title", "unit", "meaning")}
        for metric in METRICS
        if metric.name in used
    ]


def _method(spec: ScenarioSpec, run: Run) -> dict[str, Any]:
    return {
        "kind": "transient" if spec.transient else "steady state",
        **{name: run.spec["run"][name] for name in ("horizon", "warmup", "replications", "precision")},
        "intervals": "95 %, over independent replications; differences paired by common random numbers",
        "warmup_rule": "none: the course over time is the answer" if spec.transient else "MSER-5 over all replications",
        "arrivals": "drawn per message from the arrival process of its queue, by inversion where that is cheap",
        "streams": "counter-based (splitmix64): each number is a hash of seed, replication, purpose, queue and message",
        "initial_state": "empty: no message inside, no thread busy, every gate open",
        "stopping_rule": "rounds of replications until the precision is reached, an answer stays unstable, or the most "
        "replications are used; what misses the precision is marked not converged",
    }
