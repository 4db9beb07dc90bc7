"""The system of a report: servers, every setting with its origin, and the work that arrives."""

from collections.abc import Mapping
from typing import Any

from pydantic_core import to_jsonable_python

from planner.models import ScenarioVersion
from simulations.declarations.parameters import parameters_of
from simulations.declarations.system import Queue, Server
from simulations.declarations.texts import keys_in, leaves, path_of
from simulations.platforms.shared.laws import law_of, quantile_of
from simulations.scenario.spec import ScenarioSpec

SHARES = {"p50": 0.50, "p95": 0.95, "p99": 0.99}


def servers_table(spec: ScenarioSpec) -> list[dict[str, Any]]:
    """Return every server with CPUs, instances, most threads of each (None without a queue) and other work on them."""
    pools = spec.network().pools  # those of the servers first, in their order
    return [
        {
            "name": server.name,
            "cpus": server.cpus,
            "instances": server.instances,
            "threads": pool.threads if spec.system.queues_of(server) else None,
            "background": [item.model_dump(mode="json") for item in server.background],
            "queues": [queue.name for queue in spec.system.queues_of(server)],
        }
        for server, pool in zip(spec.servers, pools, strict=False)
    ]


def settings_table(spec: ScenarioSpec, changes: Mapping[str, Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return every declared setting of every server and queue: value, default, unit, source and who changed it."""
    rows = [row for server in spec.servers for row in _declared(server)]
    rows += [row for queue in spec.queues for row in _declared(queue)]
    return [{**row, "changed_by": changes.get(row["path"]) if row["changed"] else None} for row in rows]


def changes_of(version: ScenarioVersion) -> dict[str, dict[str, Any]]:
    """Return who changed last, in which version and when, what lies at or below each scenario path of a version."""
    givers: dict[str, dict[str, Any]] = {}
    before: dict[str, Any] = {}
    earlier = version.scenario.versions.filter(number__lte=version.number).select_related("author").order_by("number")
    for item in earlier:
        now = dict(leaves(item.spec))
        by = {"version": item.number, "author": item.author.get_username(), "at": item.created_at.isoformat()}
        touched = [keys_in(path) for path in before | now if before.get(path, ...) != now.get(path, ...)]
        givers |= {path_of(*keys[:end]): by for keys in touched for end in range(1, len(keys) + 1)}
        before = now
    return givers


def workload_table(spec: ScenarioSpec, changes: Mapping[str, Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return the work of each queue, with the percentiles (s) of its time inside ``onMessage``."""
    return [{**_workload(queue, changes), "placeholder": queue.name in spec.placeholders} for queue in spec.queues]


def _workload(queue: Queue, changes: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    body = queue.model_dump(mode="json")
    kept = ("name", "kind", "server", "producers", "message_size", "arrivals", "service")
    law, given = law_of(queue.service), (changes.get(f"{queue.path}.{part}") for part in ("arrivals", "service"))
    return {
        **{name: body[name] for name in kept},
        "service_percentiles": {name: quantile_of(law, share) for name, share in SHARES.items()},
        "given_by": max(filter(None, given), key=lambda by: int(by["version"]), default=None),
    }


def _declared(entity: Server | Queue) -> list[dict[str, Any]]:
    values = entity.settings.model_dump(mode="json")
    return [
        {
            "path": f"{entity.path}.settings.{item.name}",
            "entity": entity.name,
            **{name: getattr(item, name) for name in ("title", "meaning", "unit")},
            **{name: getattr(item.quantity, name) for name in ("native", "unlimited", "source", "trust")},
            "value": values[item.name],
            "default": to_jsonable_python(item.default),
            "changed": not item.required and values[item.name] != to_jsonable_python(item.default),
        }
        for item in parameters_of(type(entity.settings))
    ]
