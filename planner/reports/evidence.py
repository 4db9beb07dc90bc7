"""What a report rests on beyond its own run: a calibration, experiments about the same version, paired differences."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import datetime
from typing import Any

from django.utils import timezone

from planner import selectors
from planner.answers.choice import Choice, probability_of
from planner.answers.summaries import estimate_plain
from planner.configuration.drift import drift_sent
from planner.configuration.reading_apart import Upload
from planner.models import Calibration, Run, RunKind, RunStatus, ScenarioVersion
from planner.models.report import file_digest
from planner.selectors import Comparison, StoredPoint, Subject
from simulations.experiment import with_overrides
from simulations.scenario.spec import ScenarioSpec

WORK = ("arrivals", "service", "producers", "message_size")
"""What a calibration determines about a queue."""
_FIT = ("name", "messages", "service", "families", "percentiles", "latency", "concurrency", "provenance", "assumed")
_CURVES = ("tail", "timeline", "threads", "instances")
MOST_CHANGES = 60
"""Most points whose differences are computed from their replications."""


def provenance(run: Run) -> dict[str, Any]:
    """Return what decides the numbers of a run, and the hashes by which they are recognized."""
    return {
        "spec": run.spec,
        "seed": run.seed,
        "engine": run.engine_version,
        "rules": run.rules_version,
        "content_hash": run.content_hash,
        "result_hash": run.result_hash,
        "finished_at": instant_text(run.finished_at),
    }


def instant_text(at: datetime | None) -> str:
    """Return an instant as ISO 8601; empty where there is none."""
    return at.isoformat() if at else ""


def calibration_evidence(version: ScenarioVersion) -> dict[str, Any] | None:
    """Return the newest calibration that the scenario was made of, without its curves; None where there is none.

    ``departed`` names what differs between the version and the calibration, ``moved`` what a later one of the same log
    shows that is another one now: ``changes`` is empty where nothing is.
    """
    rows = Calibration.objects.filter(scenario_id=version.scenario_id, status=RunStatus.SUCCEEDED)
    newest = rows.order_by("-finished_at", "-pk").first()
    if newest is None or not newest.result:
        return None
    result = newest.result
    return {
        "id": newest.pk,
        "name": newest.name,
        "location": newest.location,
        "at": instant_text(newest.finished_at),
        **{name: result[name] for name in ("layout", "span", "skipped", "assumed", "checks", "validated")},
        "verdict": result.get("verdict"),
        "rows": result["quarantine"]["sentence"],
        "put_aside": [{"meaning": item["meaning"], "count": item["count"]} for item in result["quarantine"]["aside"]],
        "queues": [{name: queue[name] for name in _FIT if name in queue} for queue in result["queues"]],
        "departed": _departed(result["scenario"], version.spec),
        "moved": _moved(newest),
    }


def drift_evidence(version: ScenarioVersion, uploads: Sequence[Upload], target: str) -> dict[str, Any] | None:
    """Return what files in use say differently from the version, and which files; None without files. Raises
    InvalidInput for what cannot be read."""
    if not uploads:
        return None
    files, drift = drift_sent(version.parsed, uploads, target)
    return {
        **drift.body(),
        "at": timezone.now().isoformat(),
        "target": target,
        "sentence": drift.sentence,
        "lines": [asdict(line) for line in drift.differences],
        "files": {name: file_digest(content) for name, content in files.items()},
    }


def experiments_evidence(run: Run) -> list[dict[str, Any]]:
    """Return the newest finished experiment of each kind about the run's version, with its question and its answers."""
    rows = Run.objects.filter(version_id=run.version_id, status=RunStatus.SUCCEEDED)
    newest = {row.kind: row for row in rows.exclude(kind=RunKind.RUN).order_by("created_at", "pk")}
    return [_experiment(newest[kind]) for kind in RunKind.values if kind in newest]


def changes_evidence(run: Run, spec: ScenarioSpec, points: Sequence[StoredPoint], choice: Choice) -> dict[str, Any]:
    """Return the paired differences of every point against the present settings, else against the first point.
    ``points``: index as text -> metric -> estimate, ``paired`` and ``verdict``. ``notes``: where plans do not match."""
    base = choice.present or next(iter(points), None)
    if base is None or len(points) < 2:
        return {"baseline": base.index if base else None, "points": {}, "notes": []}
    kept, answer = _compared(run, spec, points, base)
    notes = [f"Of the first {MOST_CHANGES} points only."] if len(points) > MOST_CHANGES + 1 else []
    differences = {
        str(point.index): {
            kpi.metric.name: {**estimate_plain(it.estimate), "paired": it.paired, "verdict": it.verdict}
            for kpi in answer.kpis
            if (it := kpi.changes[place])
        }
        for place, point in enumerate(kept, start=1)
    }
    return {"baseline": base.index, "points": differences, "notes": [*notes, *answer.notes]}


def probability_evidence(run: Run, spec: ScenarioSpec, points: Sequence[StoredPoint], choice: Choice) -> float:
    """Return the probability that the choice is right, from differences to it replication by replication."""
    changes = {}
    if choice.chosen is not None and len(points) > 1:
        kept, answer = _compared(run, spec, points, choice.chosen)
        deciding = [kpi for kpi in answer.kpis if kpi.metric.name == choice.metric]
        rivals = [(point.index, kpi.changes[place]) for kpi in deciding for place, point in enumerate(kept, start=1)]
        changes = {index: change.estimate for index, change in rivals if change and change.paired}
    return probability_of(spec, points, choice, changes)


def _compared(
    run: Run, spec: ScenarioSpec, points: Sequence[StoredPoint], base: StoredPoint
) -> tuple[list[StoredPoint], Comparison]:
    """The other points, at most ``MOST_CHANGES``, and their comparison with the base."""
    kept = [point for point in points if point.index != base.index][:MOST_CHANGES]
    subjects = [
        Subject(f"{run.pk}:{point.index}", run.version, run, point, with_overrides(spec.unswept, point.overrides))
        for point in (base, *kept)
    ]
    return kept, selectors.compared(subjects=subjects)


def _moved(calibration: Calibration) -> dict[str, Any] | None:
    latest = calibration.same_log.filter(created_at__gt=calibration.created_at).first()
    if latest is None:
        return None
    sentences = [f"{change.queue}: {change.sentence}" for change in latest.changes_since(calibration)]
    return {"id": latest.pk, "at": instant_text(latest.finished_at), "changes": sentences}


def _departed(fitted: Mapping[str, Any], spec: Mapping[str, Any]) -> list[str]:
    known = {queue["name"]: queue for queue in fitted["queues"]}
    departed = [
        f"{name} of {queue['name']}"
        for queue in spec["queues"]
        if queue["name"] in known
        for name in WORK
        if queue[name] != known[queue["name"]][name]
    ]
    return departed + [f"all of {queue['name']}" for queue in spec["queues"] if queue["name"] not in known]


def _experiment(run: Run) -> dict[str, Any]:
    bare: dict[str, Any] = {name: {} for name in _CURVES}
    return {
        **provenance(run),
        "id": run.pk,
        "kind": run.kind,
        "question": run.question,
        "points": [{**row.summary, **bare} for row in run.points.order_by("index")],
    }
