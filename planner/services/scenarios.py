"""Scenarios: every change of the body makes a new version, nothing is ever overwritten or lost."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from planner.errors import Stale
from planner.jobs.results import scenario_judge
from planner.models import Queue, Scenario, ScenarioVersion, audit
from planner.services.composition import spec_compose
from simulations.declarations.problems import InvalidInput, problem
from simulations.scenario.spec import ScenarioSpec, revised

COMPOSED = "composed of stored servers and queues"
"""The note of a scenario made of them."""
MAX_TAGS = 20
MAX_TAG_LENGTH = 40


def scenario_composed(*, name: str, queues: Sequence[Queue], extra: Mapping[str, Any] | None = None) -> ScenarioSpec:
    """Return a scenario made of copies of stored queues and their servers; ``extra``: run, objectives, sweep."""
    servers = {queue.server_id: queue.server for queue in queues}
    return spec_compose(name=name, servers=servers.values(), queues=queues, extra=extra)


@transaction.atomic
def scenario_replace(
    *, scenario: Scenario, author: User, spec: ScenarioSpec, revision: int | None = None, note: str = ""
) -> Scenario:
    """Make ``spec`` the current version; an equal one changes nothing.

    ``revision`` is the one the author has read: Stale is raised when it is no longer the present one.
    """
    locked = _locked(scenario, revision)
    parent = locked.version
    if parent.spec == spec.body():
        return locked
    _add_version(locked, spec, author=author, note=note, parent=parent)
    return locked


@transaction.atomic
def scenario_tag(*, scenario: Scenario, actor: User, tags: Sequence[str], revision: int | None = None) -> Scenario:
    """Replace the tags."""
    locked = _locked(scenario, revision)
    locked.tags = _clean_tags(tags)
    return _saved(locked, actor, "scenario.tag")


@transaction.atomic
def scenario_archive(*, scenario: Scenario, actor: User, revision: int | None = None) -> Scenario:
    """Take the scenario out of the lists; its versions, runs and reports stay."""
    locked = _locked(scenario, revision)
    locked.archived_at = locked.archived_at or timezone.now()
    return _saved(locked, actor, "scenario.archive")


@transaction.atomic
def scenario_restore(*, scenario: Scenario, actor: User, revision: int | None = None) -> Scenario:
    """Undo ``scenario_archive``."""
    locked = _locked(scenario, revision)
    locked.archived_at = None
    return _saved(locked, actor, "scenario.restore")


def scenario_copied(*, scenario: Scenario, name: str = "") -> ScenarioSpec:
    """Return the present version of ``scenario`` under another name."""
    return revised(scenario.version.parsed, [(("name",), name or f"{scenario.name} (copy)"[:200])])


@transaction.atomic
def scenario_store(
    *, owner: User, spec: ScenarioSpec, tags: Sequence[str] = (), note: str = "", preset: str = ""
) -> Scenario:
    """Store a scenario with its first version."""
    scenario = Scenario.objects.create(
        owner=owner, name=spec.name, platform=spec.platform, tags=_clean_tags(tags), preset=preset, revision=0
    )
    _add_version(scenario, spec, author=owner, note=note, parent=None)
    return scenario


def _add_version(
    scenario: Scenario, spec: ScenarioSpec, *, author: User, note: str, parent: ScenarioVersion | None
) -> None:
    version = ScenarioVersion.objects.create(
        scenario=scenario,
        number=parent.number + 1 if parent else 1,
        parent=parent,
        spec=spec.body(),
        content_hash=spec.content_hash(),
        author=author,
        note=note[:500],
    )
    scenario.current, scenario.name, scenario.platform = version, spec.name, spec.platform
    _saved(scenario, author, "scenario.update" if parent else "scenario.create", version=version.number)
    if parent:
        scenario_judge(scenario_id=scenario.pk)


def _locked(scenario: Scenario, revision: int | None) -> Scenario:
    """The row, locked until the end of the transaction, so that revisions and version numbers have no gaps."""
    locked = Scenario.objects.select_for_update().get(pk=scenario.pk)
    if revision is not None and revision != locked.revision:
        raise Stale(locked.revision)
    return locked


def _saved(scenario: Scenario, actor: User, action: str, **details: object) -> Scenario:
    scenario.revision += 1
    scenario.save()
    audit(actor=actor, action=action, target=scenario.pk, **details)
    return scenario


def _clean_tags(tags: Sequence[str]) -> list[str]:
    cleaned = sorted({tag.strip() for tag in tags if tag.strip()})
    if len(cleaned) > MAX_TAGS or any(len(tag) > MAX_TAG_LENGTH for tag in cleaned):
        message = f"at most {MAX_TAGS} tags of at most {MAX_TAG_LENGTH} characters each"
        raise InvalidInput([problem(("tags",), message)])
    return cleaned
