"""Stored servers and queues. Bodies have the form of a scenario's ``servers`` and ``queues``, and its checks."""

from collections.abc import Mapping
from dataclasses import asdict
from datetime import datetime
from typing import Any, TypeVar

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from planner.models import Queue, Server
from planner.services.composition import queue_body, queue_stored, server_body, server_stored
from planner.services.rows import row_save
from simulations.declarations import system
from simulations.declarations.path_text import keys_in, path_of
from simulations.declarations.problems import InvalidInput, Problem
from simulations.scenario.spec import FORMAT_VERSION, ScenarioSpec, parse

Row = TypeVar("Row", Server, Queue)

_NEUTRAL_QUEUE = {"name": "queue", "arrivals": {"kind": "saturated"}, "service": {"kind": "constant", "mean": 1.0}}


def server_store(*, owner: User, platform: str, read: system.Server) -> Server:
    """Store a server. Raises Conflict when the name is taken."""
    return _server_saved(Server(owner=owner), platform, read, "server.create")


def server_update(*, server: Server, body: Mapping[str, Any]) -> Server:
    """Replace a server's values; its platform stays. Raises InvalidInput, Conflict."""
    return _server_saved(server, server.platform, server_read(server.platform, body), "server.update")


def server_archive(*, server: Server) -> None:
    """Take a server out of the lists, and its queues with it; scenarios hold copies and keep theirs."""
    _archived_set(server, timezone.now(), "server.archive")


def server_restore(*, server: Server) -> None:
    """Undo ``server_archive``. Raises Conflict when another server has taken the name."""
    _archived_set(server, None, "server.restore")


def queue_store(*, owner: User, server: Server, read: system.Queue) -> Queue:
    """Store a queue that ``server`` listens to. Raises Conflict."""
    return _queue_saved(Queue(owner=owner, server=server), read, "queue.create")


def queue_update(*, queue: Queue, body: Mapping[str, Any]) -> Queue:
    """Replace a queue's values; its server stays. Raises InvalidInput, Conflict."""
    return _queue_saved(queue, queue_read(queue.server, body), "queue.update")


def queue_archive(*, queue: Queue) -> None:
    """Take a queue out of the lists; scenarios hold copies and keep theirs."""
    _archived_set(queue, timezone.now(), "queue.archive")


def queue_restore(*, queue: Queue) -> None:
    """Undo ``queue_archive``. Raises Conflict when another queue of the server has taken the name."""
    _archived_set(queue, None, "queue.restore")


@transaction.atomic
def inventory_save(*, owner: User, spec: ScenarioSpec) -> tuple[Server, ...]:
    """Keep a scenario's servers and queues in the inventory, replacing what the owner has under the same names."""
    servers = []
    for part in spec.servers:
        stored = asdict(server_stored(spec.platform, part))
        server, _ = Server.objects.update_or_create(owner=owner, name=part.name, archived_at=None, defaults=stored)
        for queue in spec.system.queues_of(part):
            values = {**asdict(queue_stored(queue)), "owner": owner}
            Queue.objects.update_or_create(server=server, name=queue.name, archived_at=None, defaults=values)
        servers.append(server)
    return tuple(servers)


def server_read(platform: str, body: Mapping[str, Any]) -> system.Server:
    """Check a server by itself; problems point into ``body``."""
    name = body.get("name")
    queue = {**_NEUTRAL_QUEUE, "server": name}
    return _checked(platform, {**body}, queue, part="servers").servers[0]


def queue_read(server: Server, body: Mapping[str, Any]) -> system.Queue:
    """Check a queue together with the stored server that listens to it; problems point into ``body``."""
    queue = {**body, "server": server.name}
    return _checked(server.platform, server_body(server), queue, part="queues").queues[0]


def server_values(server: Server) -> dict[str, Any]:
    """Return the body that ``server_update`` takes."""
    return server_body(server)


def queue_values(queue: Queue) -> dict[str, Any]:
    """Return the body that ``queue_update`` takes."""
    return {key: value for key, value in queue_body(queue).items() if key != "server"}


def _server_saved(server: Server, platform: str, read: system.Server, action: str) -> Server:
    return row_save(server, asdict(server_stored(platform, read)), action)


def _queue_saved(queue: Queue, read: system.Queue, action: str) -> Queue:
    return row_save(queue, asdict(queue_stored(read)), action)


def _archived_set(row: Row, moment: datetime | None, action: str) -> None:
    row_save(row, {"archived_at": moment}, action)


def _checked(platform: str, server: dict[str, Any], queue: dict[str, Any], *, part: str) -> ScenarioSpec:
    body = {"sluice": FORMAT_VERSION, "name": "inventory", "platform": platform, "servers": [server], "queues": [queue]}
    try:
        return parse(body)
    except InvalidInput as error:
        raise InvalidInput([_at_root(item, part) for item in error.problems]) from error


def _at_root(problem: Problem, part: str) -> Problem:
    pointer = problem.pointer.removeprefix(f"/{part}/0")
    path = path_of(*keys_in(problem.path)[2:]) if pointer != problem.pointer else problem.path
    return Problem(pointer, path, problem.code, problem.message, problem.value, problem.allowed)
