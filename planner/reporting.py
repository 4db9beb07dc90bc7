"""The frozen content of a report: every number and sentence it shows, as plain data.

Pages and files are drawn from this payload alone (``frontend.reports``), so that a report stays as it was when
settings, rules or the program change.
"""

from dataclasses import asdict
from typing import Any

from django.utils import timezone
from pydantic_core import to_jsonable_python

from planner.models import PointResult, Run
from planner.results import summary_read
from simulations.analysis.metrics import METRICS
from simulations.analysis.summary import PointSummary
from simulations.experiment import with_overrides
from simulations.parameters import parameters_of
from simulations.scenario import ScenarioSpec, parse
from simulations.system import Queue, Server

PAYLOAD_VERSION = 1


def report_payload(*, run: Run, title: str) -> dict[str, Any]:
    """Return everything a report of ``run`` says."""
    spec = parse(run.spec)
    rows = list(run.points.order_by("index"))
    return {
        "payload": PAYLOAD_VERSION,
        "title": title,
        "made_at": timezone.now().isoformat(),
        "prepared_by": run.owner.get_username(),
        "question": {
            "scenario": spec.name,
            "note": run.version.note,
            "objectives": run.spec["objectives"],
            "sweep": run.spec["sweep"],
        },
        "platform": {"name": spec.platform, "title": spec.family.title, "vendor": spec.family.vendor},
        "settings": settings_table(spec),
        "workload": [_workload(queue) for queue in spec.queues],
        "points": [_point(spec, row) for row in rows],
        "metrics": _metrics_used([summary_read(row.summary) for row in rows]),
        "method": _method(spec, run),
        "reproduction": _reproduction(run),
    }


def settings_table(spec: ScenarioSpec) -> list[dict[str, Any]]:
    """Return every declared setting of every server and queue with its value, default, unit and source."""
    servers = [row for server in spec.servers for row in _declared("servers", server)]
    return servers + [row for queue in spec.queues for row in _declared("queues", queue)]


def _declared(part: str, entity: Server | Queue) -> list[dict[str, Any]]:
    values = entity.settings.model_dump(mode="json")
    return [
        {
            "path": f"{part}.{entity.name}.settings.{item.name}",
            "entity": entity.name,
            "title": item.title,
            "native": item.quantity.native,
            "meaning": item.meaning,
            "value": values[item.name],
            "default": to_jsonable_python(item.default),
            "changed": not item.required and values[item.name] != item.default,
            "unit": item.unit,
            "source": item.quantity.source,
            "trust": item.quantity.trust,
        }
        for item in parameters_of(type(entity.settings))
    ]


def _workload(queue: Queue) -> dict[str, Any]:
    body = queue.model_dump(mode="json")
    return {name: body[name] for name in ("name", "kind", "server", "producers", "message_size", "arrivals", "service")}


def _point(spec: ScenarioSpec, row: PointResult) -> dict[str, Any]:
    """One point with the formula answers and the explanation of the system it was computed for, if it is one."""
    summary = summary_read(row.summary)
    if summary.status == "invalid":
        return {"summary": row.summary, "derived": [], "claims": []}
    system = with_overrides(spec, row.overrides).system
    derivation = spec.family.derive(system)
    return {
        "summary": row.summary,
        "derived": [asdict(item) for item in derivation.values],
        "claims": [asdict(claim) for claim in spec.family.explain(system, summary)],
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
    }


def _reproduction(run: Run) -> dict[str, Any]:
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
        "command": "python manage.py simulate scenario.json --json",
    }
