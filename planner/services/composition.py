"""From stored servers and queues to a ScenarioSpec and back.

The columns ``servants_min``, ``servants_max`` and ``workload_profile`` are the truth for what they name: composing
writes them into the family's settings, where the family declares such a setting; taking apart moves them out.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from planner.models import Queue, Server
from simulations.declarations import system
from simulations.declarations.problems import InvalidInput, problem
from simulations.platforms import platform_named
from simulations.scenario.spec import FORMAT_VERSION, ScenarioSpec, parse

SHARED_SETTINGS = {
    "servants_min": "min_servants",
    "servants_max": "max_servants",
    "workload_profile": "workload_profile",
}
"""Column of Server -> the families' name of that setting."""


@dataclass(frozen=True)
class StoredServer:
    """Column values of a Server row, without id and owner."""

    name: str
    platform: str
    cpus: int
    servants_min: int | None
    servants_max: int | None
    instances: int
    workload_profile: str
    settings: dict[str, Any]
    background: list[Any]
    identity: dict[str, Any] | None


@dataclass(frozen=True)
class StoredQueue:
    """Column values of a Queue row, without id, owner and server."""

    name: str
    kind: str
    producers: int
    message_size: float | dict[str, Any]
    arrivals: dict[str, Any]
    service: dict[str, Any]
    settings: dict[str, Any]
    identity: dict[str, Any] | None = None


def server_body(server: Server) -> dict[str, Any]:
    """Return the server as an element of a scenario's ``servers``."""
    known = platform_named(server.platform).server_parameters.model_fields
    columns = {name: getattr(server, column) for column, name in SHARED_SETTINGS.items() if name in known}
    shared = {name: value for name, value in columns.items() if value not in (None, "")}
    return {
        "name": server.name,
        "cpus": server.cpus,
        "instances": server.instances,
        "settings": {**server.settings, **shared},
        "background": server.background,
        **_identity(server),
    }


def queue_body(queue: Queue, *, name: str = "") -> dict[str, Any]:
    """Return the queue as an element of a scenario's ``queues``."""
    return {
        "name": name or queue.name,
        "kind": queue.kind,
        "server": queue.server.name,
        "producers": queue.producers,
        "message_size": queue.message_size,
        "arrivals": queue.arrivals,
        "service": queue.service,
        "settings": queue.settings,
        **_identity(queue),
    }


def _identity(row: Server | Queue) -> dict[str, Any]:
    return {} if row.identity is None else {"identity": row.identity}


def spec_compose(
    *, name: str, servers: Iterable[Server], queues: Iterable[Queue], extra: Mapping[str, Any] | None = None
) -> ScenarioSpec:
    """Compose a scenario; ``extra`` may hold run, objectives and sweep. Raises InvalidInput."""
    rows = list(servers)
    platforms = sorted({server.platform for server in rows})
    if len(platforms) > 1:
        message = f"a scenario has one platform, these servers have {' and '.join(platforms)}; choose queues of one"
        raise InvalidInput([problem(("platform",), message)])
    return parse(
        {
            "sluice": FORMAT_VERSION,
            "name": name,
            "platform": "".join(platforms),
            "servers": [server_body(server) for server in rows],
            "queues": [queue_body(queue) for queue in queues],
            **(extra or {}),
        }
    )


def server_stored(platform: str, server: system.Server) -> StoredServer:
    """Return the column values that keep ``server``."""
    body = server.model_dump(mode="json")
    settings = body["settings"]
    shared = {column: settings.pop(name, None) for column, name in SHARED_SETTINGS.items()}
    return StoredServer(
        name=server.name,
        platform=platform,
        cpus=server.cpus,
        servants_min=shared["servants_min"],
        servants_max=shared["servants_max"],
        instances=server.instances,
        workload_profile=shared["workload_profile"] or "",
        settings=settings,
        background=body["background"],
        identity=body.get("identity"),
    )


def queue_stored(queue: system.Queue) -> StoredQueue:
    """Return the column values that keep ``queue``."""
    body = queue.model_dump(mode="json")
    return StoredQueue(**{key: value for key, value in body.items() if key != "server"})
