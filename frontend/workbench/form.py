"""The workbench's form, derived from the declarations: a scenario body becomes groups of fields and back."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, reduce
from typing import Any

from frontend.wording.numbers import swept_title
from frontend.workbench.fields import FormField, build_field, value_of
from frontend.workbench.items import ROWS, Place, Sheet, fields_of, origins_text, variant_fields, with_rows
from frontend.workbench.kinds import SIZE, Values, as_variant, below, members, started_over, with_kinds
from frontend.workbench.run_form import run_fields, run_read
from simulations.declarations.declared import settings_below
from simulations.declarations.identity import Identity, QueueIdentity
from simulations.declarations.problems import Problem, pointer_of
from simulations.declarations.system import Background, Queue, Server
from simulations.declarations.texts import is_below, path_of
from simulations.platforms import platform_named
from simulations.scenario.spec import scenario_model

NAME = "name"
UP_FRONT = 3
"""Settings of each server and queue that are shown without asking; changed ones are shown always."""
_WORK_UP_FRONT = ("arrivals", "service")
OF_MESSAGES = ("urgent_share", "failure_rate", "poison_rate")
"""Settings of every platform's queues that say what its messages are like."""
_PARTS = ("servers", "queues")
_UNKNOWN_IDENTITY = "Names that exports use; no file was imported"


@dataclass(frozen=True)
class Group:
    """A panel of the form; ``more`` is folded away until asked for."""

    key: str
    title: str
    entity: str
    fields: tuple[FormField, ...]
    more: tuple[FormField, ...] = ()
    more_title: str = "More settings"

    @property
    def every(self) -> tuple[FormField, ...]:
        """All fields."""
        return (*self.fields, *self.more)

    @property
    def section(self) -> str:
        """The server or queue that it belongs to: what is folded as one."""
        return ".".join(self.key.split(".")[:2])

    @property
    def wrong(self) -> int:
        """How many of its fields cannot be used."""
        return sum(bool(field.problem) for field in self.every)

    @property
    def more_open(self) -> bool:
        """Whether something folded away needs attention."""
        return any(field.problem for field in self.more)


@dataclass(frozen=True)
class ScenarioForm:
    """All groups, and the problems that belong to no single field."""

    name: str
    groups: tuple[Group, ...]
    problems: tuple[Problem, ...] = ()
    name_problem: str = ""
    lists: tuple[tuple[str, str], ...] = ()
    """The fields that say where servers and queues come from."""

    @property
    def fields(self) -> tuple[FormField, ...]:
        """All fields of all groups."""
        return tuple(field for group in self.groups for field in group.every)

    @property
    def wrong(self) -> int:
        """How many problems there are."""
        return len(self.problems) + bool(self.name_problem) + sum(group.wrong for group in self.groups)

    @property
    def values(self) -> dict[str, str]:
        """The text of every field by its name, as the form sends it."""
        return {NAME: self.name, **dict(self.lists), **{field.name: field.text for field in self.fields}}


def scenario_form(
    body: Mapping[str, Any], problems: tuple[Problem, ...] = (), rows: Values | None = None
) -> ScenarioForm:
    """Return the form of ``body``, which may hold what a person typed; each problem stands at its field. ``rows``: what
    the form said, of which the fields of lists are kept."""
    form = _form(Sheet(body, {}, rows or {}))
    if not problems:
        return form
    placed = tuple(_placed(item, form.fields) for item in problems)
    notes = {".".join(item.pointer.strip("/").split("/")): item.message for item in reversed(placed)}
    form = _form(Sheet(body, notes, rows or {}))
    at_fields = {field.problem for field in form.fields if field.problem}
    shown = tuple(item for item in placed if item.pointer != "/name" and item.message not in at_fields)
    return replace(form, problems=shown, name_problem=notes.get("name", ""))


def form_read(body: Mapping[str, Any], values: Values) -> dict[str, Any]:
    """Return ``body`` with what the form says; texts stay texts, for ``scenario.parse`` to judge."""
    changed = with_rows(body, values)
    if "name" in values:
        changed["name"] = values["name"].strip()
    started = started_over(changed, values)
    _choose_kinds(changed, values)
    for field in _fields_of(json.dumps(changed)):
        keys, text = field.name.split("."), values.get(field.name, "")
        absent = field.name not in values or (not text.strip() and reduce(below, keys, changed) is None)
        left = field.name.startswith(started) and not text.strip()
        simple = keys[0] in (*_PARTS, "run") and keys[1] != "horizon" and field.widget != "rows"
        if simple and not (absent or left):
            _put(changed, keys, value_of(field, text))
    return run_read(changed, values)


@lru_cache(maxsize=64)
def _fields_of(body: str) -> tuple[FormField, ...]:
    """The fields of a body written as JSON, kept: a live panel asks again and again about the same saved version."""
    return _form(Sheet(json.loads(body), {}, {})).fields


def _form(sheet: Sheet) -> ScenarioForm:
    body, swept = sheet.body, str(sheet.body["sweep"][0]["path"]) if sheet.body["sweep"] else ""
    family = platform_named(body["platform"])
    blocks = []
    for part, model, settings in (
        ("queues", Queue, family.queue_parameters),
        ("servers", Server, family.server_parameters),
    ):
        for index, entity in enumerate(body[part]):
            place = (f"{part}.{index}", path_of(part, entity["name"]))
            shared = list(fields_of(sheet, model, place, entity))
            own = list(fields_of(sheet, settings, (f"{place[0]}.settings", f"{place[1]}.settings"), entity["settings"]))
            of_messages = [field for field in own if field.declaration.name in OF_MESSAGES]
            own = [field for field in own if field not in of_messages]
            groups = [_entity_group(place, entity, shared, own, swept), _identity_group(sheet, place, entity)]
            if part == "queues":
                groups.insert(1, _work_group(sheet, place, entity, [*shared, *of_messages], swept))
            blocks.append((is_below(swept, place[1]), groups))
    groups = [group for _, block in sorted(blocks, key=lambda block: not block[0]) for group in block]
    groups.append(Group("run", "Run", "", *run_fields(sheet, swept_paths(body))))
    lists = tuple((f"{part}{ROWS}", origins_text(f"{part}{ROWS}", len(body[part]), sheet.rows)) for part in _PARTS)
    return ScenarioForm(str(body["name"]), tuple(groups), lists=lists)


def _placed(problem: Problem, fields: Sequence[FormField]) -> Problem:
    """The problem at the field that it is about, with the titles on the screen; runs and sweeps look for themselves."""
    key = ".".join(problem.pointer.strip("/").split("/"))
    known = {place for field in fields for place in (field.name, field.place, field.name.removesuffix(".kind"))}
    inside = [field for field in fields if field.name.startswith(f"{key}.")]
    if key.split(".")[0] not in _PARTS:
        return problem
    message = problem.message
    named = [field for field in inside if re.search(rf"\b{field.declaration.name}\b", message)]
    for field in named:
        if "_" in field.declaration.name:
            message = re.sub(rf"\b{field.declaration.name}\b", field.declaration.title, message)
    if key not in known and inside:
        key = max(named or inside[:1], key=lambda field: repr(field.row[1]) in problem.message).name
    elif key not in known:
        key = max((place for place in known if place and key.startswith(f"{place}.")), key=len, default=key)
    return replace(problem, pointer=pointer_of(tuple(key.split("."))), message=message)


def _choose_kinds(body: dict[str, Any], values: Values) -> None:
    """Give arrivals, times and sizes the kinds that were chosen."""
    holders: list[tuple[str, Any, Any]] = []
    for index, queue in enumerate(body["queues"]):
        holders.append((f"queues.{index}", queue, Queue))
        queue[SIZE] = as_variant(queue.get(SIZE, Queue.model_fields[SIZE].default))
    for index, server in enumerate(body["servers"]):
        works = enumerate(server.get("background") or ())
        holders += [(f"servers.{index}.background.{at}", work, Background) for at, work in works]
    for place, holder, model in holders:
        for part in filter(lambda name: members(model, name), model.model_fields):
            holder[part] = with_kinds(f"{place}.{part}", members(model, part), holder[part], values)


def swept_paths(body: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
    """Return path and title of every value of servers and queues that may be swept."""
    model = scenario_model(body["platform"])
    settings = [item for part in ("servers", "queues") for item in settings_below(model, body, towards=part)]
    return tuple((item.path, swept_title(item)) for item in settings if item.can_be_swept)


def _entity_group(
    place: Place, entity: Mapping[str, Any], shared: list[FormField], own: list[FormField], swept: str
) -> Group:
    """What a server or queue has of its own: what is swept first, a server's lists before its settings, its name."""
    title = place[0].split(".")[0].removesuffix("s").capitalize()
    lists = [field for field in (*own, *shared) if field.place or field.row[0]]
    plain = [field for field in own if field not in lists]
    front = [field for index, field in enumerate(plain) if index < UP_FRONT or _is_changed(field, swept)]
    front.sort(key=lambda field: field.path != swept)
    front += [field for field in shared if field not in lists and field.declaration.name in ("cpus", "server", "name")]
    more = [
        field for field in (*plain, *shared) if field not in (*front, *lists) and (title == "Server" or field in own)
    ]
    front = [*lists, *front] if title == "Server" else [*front, *lists]
    return Group(place[0], title, str(entity["name"]), tuple(front), tuple(more))


def _work_group(sheet: Sheet, place: Place, queue: Mapping[str, Any], shared: list[FormField], swept: str) -> Group:
    front = [field for part in _WORK_UP_FRONT for field in variant_fields(sheet, Queue, part, place, queue[part])]
    lists = [field for field in shared if field.place or field.row[0]]
    others = [field for field in shared if field not in lists and field.declaration.name not in ("name", "server")]
    front += [field for field in others if _is_changed(field, swept)]
    others = [field for field in others if field not in front]
    others += _size_fields(sheet, place, queue.get(SIZE, Queue.model_fields[SIZE].default))
    return Group(f"{place[0]}.work", "Work", str(queue["name"]), tuple(front), tuple(others))


def _identity_group(sheet: Sheet, place: Place, entity: Mapping[str, Any]) -> Group:
    """What the vendor's configuration calls a server or queue, and the marks of a load that it does not say."""
    held, model = entity.get("identity") or {}, QueueIdentity if "arrivals" in entity else Identity
    fields = list(fields_of(sheet, model, (f"{place[0]}.identity", f"{place[1]}.identity"), held))
    marks = tuple(field for field in fields if field.checked)
    names = tuple(field for field in fields if field.widget != "check")
    title = " ".join(filter(None, (held.get("kind"), held.get("name")))) or _UNKNOWN_IDENTITY
    return Group(f"{place[0]}.identity", "Vendor's configuration", str(entity["name"]), marks, names, title)


def _size_fields(sheet: Sheet, place: Place, size: Any) -> list[FormField]:
    """Fields of the bytes of a message; one size for all is the constant among its distributions."""
    kind, *fields = variant_fields(sheet, Queue, SIZE, place, as_variant(size))
    if isinstance(size, Mapping):
        return [kind, *fields]
    return [kind, *(replace(field, path=f"{place[1]}.{SIZE}") for field in fields)]


def _is_changed(field: FormField, swept: str) -> bool:
    """True for what is wrong, what is swept, and what is not the default."""
    usual = build_field(name="", path="", declaration=field.declaration, value=field.declaration.default)
    return bool(field.problem) or field.path == swept or field.text != usual.text


def _put(node: Any, keys: list[str], value: Any) -> None:
    *way, last = keys
    for key in way:
        node = node[int(key)] if isinstance(node, list) else node.setdefault(key, {})
    node[last] = value
