"""Scenarios: every change of the body makes a new version, nothing is lost; baselines; saved views; presets."""

from collections.abc import Sequence
from contextlib import suppress

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from planner.errors import Conflict, Stale, conflict_where_taken
from planner.jobs.execute import scenario_judge
from planner.models import Baseline, SavedView, Scenario, ScenarioVersion, audit
from planner.models.team import beside
from planner.presets.files import presets
from planner.services.inventory import inventory_save
from planner.services.rows import row_save
from simulations.declarations.problems import InvalidInput, nearest
from simulations.scenario.spec import ScenarioSpec, revised

COMPOSED = "composed of stored servers and queues"
"""The note of a scenario made of them."""
MAX_TAGS = 20
MAX_TAG_LENGTH = 40
MAX_VIEWS = 50
MAX_VIEW_NAME = 60
MAX_VIEW_QUERY = 1000


@transaction.atomic
def scenario_replace(
    *, scenario: Scenario, author: User, spec: ScenarioSpec, revision: int | None = None, note: str = ""
) -> Scenario:
    """Make ``spec`` the current version; an equal one changes nothing. ``revision`` is the one the author has read:
    Stale is raised when it is no longer the present one."""
    locked = scenario_locked(scenario=scenario, revision=revision)
    parent = locked.version
    if parent.spec == spec.body():
        return locked
    _add_version(locked, spec, author=author, note=note, parent=parent)
    return locked


@transaction.atomic
def scenario_tag(*, scenario: Scenario, actor: User, tags: Sequence[str]) -> Scenario:
    """Replace the tags; equal ones change nothing."""
    locked, wanted = scenario_locked(scenario=scenario), _clean_tags(tags)
    if locked.tags == wanted:
        return locked
    locked.tags = wanted
    return _next_revision(locked, actor, "scenario.tag")


@transaction.atomic
def scenario_archive(*, scenario: Scenario, actor: User, archived: bool = True) -> Scenario:
    """Take the scenario out of the lists, where its versions, runs and reports stay, or put it back into them."""
    locked = scenario_locked(scenario=scenario)
    if archived == (locked.archived_at is not None):
        return locked
    locked.archived_at = timezone.now() if archived else None
    return _next_revision(locked, actor, "scenario.archive" if archived else "scenario.restore")


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
    _next_revision(scenario, author, "scenario.update" if parent else "scenario.create", version=version.number)
    if parent:
        scenario_judge(scenario_id=scenario.pk)


def scenario_locked(*, scenario: Scenario, revision: int | None = None) -> Scenario:
    """Return the row, locked until the end of the transaction, so that revisions and version numbers have no gaps.
    Raises Stale where ``revision``, the one that the caller has read, is no longer the present one."""
    locked = Scenario.objects.select_for_update().get(pk=scenario.pk)
    if revision is not None and revision != locked.revision:
        raise Stale(locked.revision)
    return locked


def _next_revision(scenario: Scenario, actor: User, action: str, **details: object) -> Scenario:
    scenario.revision += 1
    scenario.save()
    audit(actor=actor, action=action, row=scenario, **details)
    return scenario


def _clean_tags(tags: Sequence[str]) -> list[str]:
    cleaned = sorted({tag.strip() for tag in tags if tag.strip()})
    if len(cleaned) > MAX_TAGS or any(len(tag) > MAX_TAG_LENGTH for tag in cleaned):
        raise InvalidInput.at(("tags",), f"at most {MAX_TAGS} tags of at most {MAX_TAG_LENGTH} characters each")
    return cleaned


@transaction.atomic
def baseline_pin(*, owner: User, version: ScenarioVersion, application: str = "") -> Baseline:
    """Make ``version`` the baseline of an application, by default the scenario's own, instead of the last.

    Pinning what is pinned changes nothing. Raises InvalidInput for an application that is not the scenario's, Conflict
    when somebody pins another version at the same moment.
    """
    known = version.scenario.applications
    chosen = application or known[0]
    if chosen not in known:
        message = f"the scenario does not belong to it; {nearest(chosen, known)}, or tag the scenario with it first"
        raise InvalidInput.at(("application",), message, value=application)
    here = Baseline.objects.select_for_update().filter(beside(version.scenario))
    pinned = here.filter(application=chosen, unpinned_at=None)
    before = pinned.first()
    if before is not None and before.version_id == version.pk:
        return before
    pinned.update(unpinned_at=timezone.now())
    with conflict_where_taken(f"the baseline of {chosen!r} was changed at the same moment; look again"):
        made = Baseline.objects.create(
            owner=owner, team_id=version.scenario.team_id, application=chosen, version=version
        )
    audit(actor=owner, action="baseline.pin", row=made, version=version.pk, application=chosen)
    return made


@transaction.atomic
def baseline_unpin(*, baseline: Baseline, actor: User) -> None:
    """Leave the application without a baseline; doing so again changes nothing."""
    if Baseline.objects.filter(pk=baseline.pk, unpinned_at=None).update(unpinned_at=timezone.now()):
        audit(actor=actor, action="baseline.unpin", row=baseline)


def view_create(*, owner: User, name: str, query: str) -> SavedView:
    """Keep a view under a name. Raises InvalidInput for a name of no or too many letters, Conflict for a taken one."""
    if owner.saved_views.filter(archived_at=None).count() >= MAX_VIEWS:
        raise Conflict(f"you have {MAX_VIEWS} views; delete one first")
    return row_save(SavedView(owner=owner), _view_values(name, query), "view.create")


def view_update(*, view: SavedView, name: str | None, query: str | None) -> SavedView:
    """Give a view another name, another contents or both. Raises InvalidInput, Conflict."""
    return row_save(view, _view_values(name, query), "view.update")


def _view_values(name: str | None, query: str | None) -> dict[str, str]:
    values = {}
    if name is not None:
        values["name"] = " ".join(name.split())
        if not 0 < len(values["name"]) <= MAX_VIEW_NAME:
            raise InvalidInput.at(("name",), f"a view needs a name of at most {MAX_VIEW_NAME} characters")
    if query is not None:
        values["query"] = query
        if len(query) > MAX_VIEW_QUERY:
            raise InvalidInput.at(("query",), f"a view holds at most {MAX_VIEW_QUERY} characters")
    return values


@transaction.atomic
def presets_load(*, owner: User) -> list[Scenario]:
    """Store every preset that the owner does not have yet, archived ones included; return the new scenarios. Where the
    owner has a server of that name on another platform, that one stays and the preset's is not stored."""
    present = set(Scenario.objects.filter(owner=owner).exclude(preset="").values_list("preset", flat=True))
    created = []
    for preset in presets():
        if preset.key in present:
            continue
        with suppress(Conflict):
            inventory_save(owner=owner, spec=preset.spec)
        made = scenario_store(owner=owner, spec=preset.spec, tags=preset.tags, note=preset.question, preset=preset.key)
        created.append(made)
    return created
