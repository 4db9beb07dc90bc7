"""Work managers and shared constraints in one form, and in uploaded files: those that are new, differ or are gone."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from simulations.declarations.parameters import PlatformParameters, changed
from simulations.declarations.problems import InvalidInput
from simulations.platforms.files.patching.rewriting import UNPROVEN
from simulations.platforms.files.syntax.tree import Element
from simulations.platforms.shared.family import Change, Reading
from simulations.platforms.shared.queues import settings_of
from simulations.platforms.shared.spots import New
from simulations.platforms.weblogic.files.work_managers.file import MANAGER, WorkFile
from simulations.platforms.weblogic.files.work_managers.reading import CONSTRAINTS, GOAL, KEYS, SHARE, parts_of
from simulations.platforms.weblogic.parameters import ServerSettings, WorkManager
from simulations.platforms.weblogic.parameters.server import DEFAULT_WORK_MANAGER, SharedConstraint

SETTINGS = ("constraints", "work_managers")
"""Settings that are lists of objects."""
THREADS = {kind: element for element, kind in CONSTRAINTS.items()}
NO_FILE = "no imported file declares work managers or has a bean that uses the new one"
HOLDERS = ("domain", "model", "weblogic-application", "weblogic-web-app")
"""Files for a work manager that no bean in them uses, the best first."""
Files = Mapping[str, bytes]
Shared = Mapping[str, SharedConstraint]
"""The shared constraints that a server has in the end, by name."""


def patched_work(
    files: Files, changes: Sequence[Change], read: Callable[[Files], Reading]
) -> tuple[dict[str, bytes], dict[str, str]]:
    """Return the files with the chosen work managers and constraints, or else why they are as before.

    A work manager is changed in the files that declare it; a new one goes into the descriptors of the beans that use
    it, else into the domain, the application or the web application.
    """
    mine = [change for change in changes if change.setting in SETTINGS]
    if not mine:
        return dict(files), {}
    settings = settings_of(mine[0].entity, ServerSettings)
    after = settings.model_copy(update={change.setting: change.after for change in mine})
    try:
        made = _patched(files, settings, after, changes)
        (server,) = read(made).scenario["servers"]
        found = ServerSettings.model_validate(server["settings"])
        proven = made != files and _numbers(found) == _numbers(after)
    except InvalidInput as error:
        return dict(files), {change.path: error.problems[0].message for change in mine}
    if proven:
        return made, {}
    return dict(files), {change.path: UNPROVEN if made != files else NO_FILE for change in mine}


def _numbers(settings: ServerSettings) -> dict[tuple[str, str], Any]:
    """What work managers and those constraints that they share have: equal for equal work."""
    body = normal_form(settings).model_dump()
    return {(kind, item["name"]): {**item, "identity": None} for kind in SETTINGS for item in body[kind]}


def _patched(
    files: Files, before: ServerSettings, after: ServerSettings, changes: Sequence[Change]
) -> dict[str, bytes]:
    old, new = ({item.name: item for item in settings.work_managers} for settings in (before, after))
    held, shared = ({item.name: item for item in settings.constraints} for settings in (before, after))
    works = [work for file, content in files.items() if (work := WorkFile(file, content)).declares]
    for name, constraint in shared.items():
        if held.get(name, constraint) != constraint:
            _recount(works, constraint)
    for name in [name for name in new if name not in old]:
        for work in _homes(works, name, changes):
            _declare(work, new[name], shared)
    for name, manager in old.items():
        for work in [work for work in works if name in work.managers()]:
            if name in new:
                _differences(work, manager, new[name], shared)
            else:
                work.remove(work.managers()[name])
    return {**files, **{work.file: work.content for work in works}}


def _recount(works: Sequence[WorkFile], constraint: SharedConstraint) -> None:
    kind = THREADS[constraint.kind]
    for work in works:
        for number in range(len(work.objects(kind, constraint.name))):
            count = work.objects(kind, constraint.name)[number].child("count")
            if count is not None:
                work.write(count, str(constraint.count))


def _homes(works: Sequence[WorkFile], name: str, changes: Sequence[Change]) -> list[WorkFile]:
    """The files that a new work manager goes into."""
    new = {change.entity.name: change.after for change in changes if change.setting == "work_manager"}
    users = [
        work
        for work in works
        if any(new.get(bean, policy or DEFAULT_WORK_MANAGER) == name for bean, policy in work.users())
    ]
    others = [work for kind in HOLDERS for work in works if work.kind == kind]
    return users or others[:1]


def _declare(work: WorkFile, manager: WorkManager, shared: Shared) -> None:
    parts = [_object(manager.name, kind, value, shared) for kind, value in parts_of(manager)]
    if not work.is_inline:
        parts = [New(part.name, _named(work, part)) for part in parts]
    work.declare(MANAGER, manager.name, *parts)


def _object(manager: str, kind: str, value: int | str, shared: Shared) -> New:
    """The object for a part of a work manager: a shared one with what it has, else one of its own."""
    own = f"{manager}-{ {GOAL: 'goal', SHARE: 'share'}.get(kind, kind) }"
    name, number = (value, shared[value].count) if isinstance(value, str) else (own, value)
    return New(kind, children=(New("name", name), New(KEYS[kind], str(number))))


def _named(work: WorkFile, part: New) -> str:
    """Name of the object for a part in a domain; it is declared or changed as needed."""
    name, number = part.children
    known = work.objects(part.name, name.text)
    if not known:
        work.declare(part.name, name.text, number)
    elif (held := known[0].child(number.name)) is not None and held.text != number.text:
        work.write(held, number.text)
    return name.text


def _differences(work: WorkFile, old: WorkManager, new: WorkManager, shared: Shared) -> None:
    """Change the parts that differ; the other children of the work manager stay as they are."""
    was, now = dict(parts_of(old)), dict(parts_of(new))
    for kind in sorted(KEYS, key=lambda kind: kind in now):  # a class that goes makes room for one that comes
        if was.get(kind) != now.get(kind):
            _part(work, new.name, kind, now.get(kind), shared)


def _part(work: WorkFile, manager: str, kind: str, value: int | str | None, shared: Shared) -> None:
    found = _found(work.managers()[manager], kind)
    if value is None:
        if found is not None:
            work.remove(found)
    elif work.is_inline:
        held = found and found.child(KEYS[kind])
        if found and held and isinstance(value, int) and found.value("name") not in shared:
            work.write(held, str(value))
            return
        if found is not None:
            work.remove(found)
        work.add(work.managers()[manager], _object(manager, kind, value, shared))
    else:
        name = _named(work, _object(manager, kind, value, shared))
        found = _found(work.managers()[manager], kind)
        if found is None:
            work.add(work.managers()[manager], New(kind, name))
        else:
            work.write(found, name)


def _found(manager: Element, kind: str) -> Element | None:
    names = (kind, f"{kind}-name", *(("request-class-name",) if kind in (GOAL, SHARE) else ()))
    return next((item for name in names if (item := manager.child(name)) is not None), None)


def normal_form(settings: PlatformParameters) -> PlatformParameters:
    """Return the settings with every constraint that a single work manager names as a number inside it.

    What several share keeps its name; a constraint that nobody names is left out. Raises TypeError for the settings
    of another platform.
    """
    if not isinstance(settings, ServerSettings):
        raise TypeError(f"{type(settings).__name__} are no settings of a WebLogic server")
    users = Counter(getattr(manager, kind) for manager in settings.work_managers for kind in THREADS)
    counts = {item.name: item.count for item in settings.constraints if users[item.name] == 1}
    bodies = [manager.model_dump() for manager in settings.work_managers]
    managers = [{**body, **{kind: counts.get(body[kind], body[kind]) for kind in THREADS}} for body in bodies]
    shared = [item.model_dump() for item in settings.constraints if users[item.name] > 1]
    return changed(settings, {"work_managers": managers, "constraints": shared})
