"""Stored servers and queues."""

from collections.abc import Sequence
from typing import Any, ClassVar

from planner.api.schemas.common import Named
from planner.models import Server
from planner.services.inventory import server_body


class ServerOut(Named):
    """A stored server; name, cpus, instances, settings, background and identity as in a scenario's ``servers``."""

    platform: str
    cpus: int
    instances: int
    settings: dict[str, Any]
    background: list[Any]
    identity: dict[str, Any] | None
    team: str | None
    """The team that it belongs to; null: its owner's alone."""
    sources: ClassVar = {"team": "team_id"}

    @classmethod
    def further(cls, rows: Sequence[Server]) -> list[dict[str, Any]]:
        """Return the servers' values, whose shared settings lie in columns of their own."""
        return [server_body(row) for row in rows]


class QueueOut(Named):
    """A stored queue; its values as in a scenario's ``queues``."""

    server_id: str
    kind: str
    server: str
    producers: int
    message_size: float | dict[str, Any]
    arrivals: dict[str, Any]
    service: dict[str, Any]
    sends: list[dict[str, Any]]
    settings: dict[str, Any]
    identity: dict[str, Any] | None
    sources: ClassVar = {"server": "server.name"}
