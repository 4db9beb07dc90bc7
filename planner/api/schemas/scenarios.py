"""Scenarios and their versions; stored servers and queues, of which they can be made."""

from collections.abc import Sequence
from datetime import datetime
from typing import Annotated, Any, ClassVar

from pydantic import Field, StrictBool, StringConstraints

from planner.api.schemas.common import In, Named, Out, Stored, documented
from planner.models import Server
from planner.selectors import Difference
from planner.services.inventory import server_body

Tag = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]
Tags = Annotated[tuple[Tag, ...], Field(max_length=20)]
LEFT_AS_IT_IS: Any = Field(default_factory=lambda: None)
"""Of a field that a change leaves out; null itself is refused, as nothing here can be taken away."""


class ScenarioEnvelope(In):
    """A scenario's body with what is not part of it."""

    spec: dict[str, Any]
    """The scenario's body."""
    tags: Tags = ()
    note: Annotated[str, Field(max_length=500)] = ""
    """Why this version was made."""


class ComposedScenario(In):
    """A scenario made of stored queues and their servers."""

    name: Annotated[str, Field(min_length=1, max_length=200)]
    queue_ids: Annotated[tuple[str, ...], Field(min_length=1, max_length=100)]
    run: dict[str, Any] | None = None
    objectives: tuple[Any, ...] | None = None
    sweep: tuple[Any, ...] | None = None


class ScenarioChange(In):
    """The fields of a scenario that PATCH may change (JSON Merge Patch)."""

    spec: dict[str, Any] = LEFT_AS_IT_IS
    """Merged into the current body; a list replaces the list."""
    tags: Tags = LEFT_AS_IT_IS
    archived: StrictBool = LEFT_AS_IT_IS
    note: Annotated[str, Field(max_length=500)] = ""
    """Why the new version was made."""


class ScenarioCopy(In):
    """Name of the copy; empty: the old name with a hint."""

    name: Annotated[str, Field(max_length=200)] = ""


class ScenarioLine(Named):
    """A scenario in a list."""

    platform: str
    tags: list[str]
    preset: str
    revision: int
    """What ETag and If-Match compare."""
    version: int
    owner: str
    team: str | None
    """The team that it belongs to; null: its owner's alone."""
    sources: ClassVar = {
        "owner": "owner.username",
        "team": "team_id",
        "version": "version.number",
        "version_id": "version.pk",
        "content_hash": "version.content_hash",
        "spec": "version.spec",
    }


class ScenarioOut(ScenarioLine):
    """A scenario with its current version's body."""

    version_id: str
    content_hash: str
    created_at: datetime
    spec: dict[str, Any]


class VersionOut(Stored):
    """One immutable version."""

    number: int
    parent: str | None
    author: str
    note: str
    content_hash: str
    spec: dict[str, Any]
    sources: ClassVar = {"parent": "parent_id", "author": "author.username"}


@documented
class DifferenceOut(Difference):
    """A value that differs; null where a version has none."""


class DiffOut(Out):
    """Only what differs between two versions."""

    before: int
    after: int
    differences: list[DifferenceOut]


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
