"""Stored servers and queues. Bodies have the form of a scenario's ``servers`` and ``queues``, and its checks.

The columns ``servants_min``, ``servants_max`` and ``workload_profile`` are the truth for what they name: a body has
them among the family's settings, where the family declares such a setting; storing a body moves them out.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any
from uuid import uuid4

from django.contrib.auth.models import User
from django.db import transaction

from planner.errors import conflict_where_taken
from planner.models import Queue, Server
from planner.services.rows import row_save
from simulations.declarations import system
from simulations.declarations.problems import InvalidInput, Problem
from simulations.declarations.texts import keys_in, path_of
from simulations.platforms import platform_named
from simulations.scenario.spec import FORMAT_VERSION, ScenarioSpec, parse

SHARED_SETTINGS = {
    "servants_min": "min_servants",
    "servants_max": "max_servants",
    "workload_profile": "workload_profile",
}
"""Column of Server -> the families' name of that setting."""
QUEUE_COLUMNS = ("name", "kind", "producers", "message_size", "arrivals", "service", "sends", "settings", "identity")
_NEUTRAL_QUEUE = {"name": "queue", "arrivals": {"kind": "saturated"}, "service": {"kind": "constant", "mean": 1.0}}


def server_store(*, owner: User, platform: str, read: system.Server) -> Server:
    """Store a server. Raises Conflict when the name is taken."""
    return row_save(Server(owner=owner), _server_columns(platform, read), "server.create")


def server_update(*, server: Server, body: Mapping[str, Any], actor: User | None = None) -> Server:
    """Replace a server's values; its platform stays. Raises InvalidInput, Conflict."""
    read = server_read(server.platform, body)
    return row_save(server, _server_columns(server.platform, read), "server.update", actor)


def queue_store(*, owner: User, server: Server, read: system.Queue) -> Queue:
    """Store a queue that ``server`` listens to. Raises Conflict."""
    return row_save(Queue(owner=owner, server=server), _queue_columns(read), "queue.create")


def queue_update(*, queue: Queue, body: Mapping[str, Any], actor: User | None = None) -> Queue:
    """Replace a queue's values; its server stays. Raises InvalidInput, Conflict."""
    return row_save(queue, _queue_columns(queue_read(queue.server, body)), "queue.update", actor)


@transaction.atomic
def inventory_save(*, owner: User, spec: ScenarioSpec) -> tuple[Server, ...]:
    """Keep a scenario's servers and queues in the inventory, replacing what the owner has under the same names. Raises
    Conflict where a name belongs to a server of another platform: the queues of that one would lose their settings."""
    servers = []
    for part in spec.servers:
        stored = _server_columns(spec.platform, part)
        held: dict[str, Any] = {"owner": owner, "team": None, "archived_at": None, "platform": spec.platform}
        with conflict_where_taken(f"the stored server {part.name!r} belongs to another platform; rename one of them"):
            server, _ = Server.objects.update_or_create(**held, name=part.name, defaults=stored)
        for queue in spec.system.queues_of(part):
            values = {**_queue_columns(queue), "owner": owner}
            Queue.objects.update_or_create(server=server, name=queue.name, archived_at=None, defaults=values)
        servers.append(server)
    return tuple(servers)


def server_read(platform: str, body: Mapping[str, Any]) -> system.Server:
    """Check a server by itself; problems point into ``body``."""
    queue = {**_NEUTRAL_QUEUE, "server": body.get("name")}
    return _checked(platform, dict(body), queue, part="servers").servers[0]


def queue_read(server: Server, body: Mapping[str, Any]) -> system.Queue:
    """Check a queue together with the stored server that listens to it; problems point into ``body``. The rest of its
    chain need not be stored: other queues stand for those that it sends to, and for who sends to it."""
    queue = {**body, "server": server.name}
    other = {**_NEUTRAL_QUEUE, "server": server.name}
    before = {**other, "name": uuid4().hex, "sends": [{"name": body.get("name")}]}
    rows = body["sends"] if isinstance(body.get("sends"), list) else []
    behind = [{**other, "name": row.get("name")} for row in rows if isinstance(row, dict)]
    return _checked(server.platform, server_body(server), queue, before, *behind, part="queues").queues[0]


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


def queue_body(queue: Queue) -> dict[str, Any]:
    """Return the queue as an element of a scenario's ``queues``, without its server."""
    return {name: getattr(queue, name) for name in QUEUE_COLUMNS if name != "identity"} | _identity(queue)


def _identity(row: Server | Queue) -> dict[str, Any]:
    return {} if row.identity is None else {"identity": row.identity}


def scenario_composed(*, name: str, queues: Sequence[Queue], extra: Mapping[str, Any] | None = None) -> ScenarioSpec:
    """Return a scenario made of copies of stored queues and their servers; ``extra``: run, objectives, sweep. Raises
    InvalidInput."""
    servers = {queue.server_id: queue.server for queue in queues}.values()
    platforms = sorted({server.platform for server in servers})
    if len(platforms) > 1:
        message = f"a scenario has one platform, these servers have {' and '.join(platforms)}; choose queues of one"
        raise InvalidInput.at(("platform",), message)
    return parse(
        {
            "sluice": FORMAT_VERSION,
            "name": name,
            "platform": "".join(platforms),
            "servers": [server_body(server) for server in servers],
            "queues": [{**queue_body(queue), "server": queue.server.name} for queue in queues],
            **(extra or {}),
        }
    )


def _server_columns(platform: str, server: system.Server) -> dict[str, Any]:
    body = server.model_dump(mode="json")
    shared = {column: body["settings"].pop(name, None) for column, name in SHARED_SETTINGS.items()}
    return {
        "identity": None,
        **body,
        **shared,
        "platform": platform,
        "workload_profile": shared["workload_profile"] or "",
    }


def _queue_columns(queue: system.Queue) -> dict[str, Any]:
    return {"identity": None, **queue.model_dump(mode="json", include=set(QUEUE_COLUMNS))}


def _checked(platform: str, server: dict[str, Any], *queues: dict[str, Any], part: str) -> ScenarioSpec:
    body = {"sluice": FORMAT_VERSION, "name": "inventory", "platform": platform, "servers": [server]}
    try:
        return parse({**body, "queues": list(queues)})
    except InvalidInput as error:
        others = r"/queues/[1-9]" if part == "queues" else "/queues"  # stand for what is not stored with it
        own = [item for item in error.problems if not re.match(others, item.pointer)] or error.problems
        raise InvalidInput([_at_root(item, part) for item in own]) from error


def _at_root(item: Problem, part: str) -> Problem:
    pointer = item.pointer.removeprefix(f"/{part}/0")
    path = path_of(*keys_in(item.path)[2:]) if pointer != item.pointer else item.path
    return replace(item, pointer=pointer, path=path)
