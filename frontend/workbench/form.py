"""The workbench's form, derived from the declarations: a scenario body becomes groups of fields and back."""

import json
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from pydantic import BaseModel

from frontend.site.json_text import json_or_text
from frontend.wording.setting_names import choice_word, swept_title
from frontend.workbench.fields import FormField, build_field
from frontend.workbench.kinds import SIZE, Values, as_variant, declared, members, started_over, with_kinds
from frontend.workbench.run_form import run_fields, run_read
from simulations.declarations.declared import kind_of, models_at, part_of, settings_below
from simulations.declarations.identity import Identity
from simulations.declarations.parameters import Declaration
from simulations.declarations.path_text import path_of, step
from simulations.declarations.problems import Problem
from simulations.declarations.system import Queue, Server
from simulations.platforms import platform_named
from simulations.scenario.spec import scenario_model

NAME = "name"
UP_FRONT = 3
"""Settings of each server and queue that are shown without asking; changed ones are shown always."""
_WORK_UP_FRONT = ("arrivals", "service")
_HELD = ("settings", "server", "identity")
_UNKNOWN_IDENTITY = "no file was imported: enter the names that exports use"


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

    @property
    def fields(self) -> tuple[FormField, ...]:
        """All fields of all groups."""
        return tuple(field for group in self.groups for field in group.every)

    @property
    def values(self) -> dict[str, str]:
        """The text of every field by its name, as the form sends it."""
        return {NAME: self.name, **{field.name: field.text for field in self.fields}}


def scenario_form(body: Mapping[str, Any], problems: tuple[Problem, ...] = ()) -> ScenarioForm:
    """Return the form of ``body``, which may hold what a person typed; each problem stands at its field."""
    family = platform_named(body["platform"])
    notes = {".".join(item.pointer.strip("/").split("/")): item.message for item in reversed(problems)}
    groups = []
    for index, server in enumerate(body["servers"]):
        place = (f"servers.{index}", path_of("servers", server["name"]))
        groups.append(_entity_group("Server", place, server, family.server_parameters, Server, ("cpus",), notes))
        groups.append(_identity_group(place, server, notes))
    for index, queue in enumerate(body["queues"]):
        place = (f"queues.{index}", path_of("queues", queue["name"]))
        groups.append(_entity_group("Queue", place, queue, family.queue_parameters, None, (), notes))
        groups.append(_work_group(place, queue, notes))
        groups.append(_identity_group(place, queue, notes))
    groups.append(Group("run", "Run", "", *run_fields(body, swept_paths(body), notes)))
    at_fields = {field.problem for group in groups for field in group.every if field.problem}
    shown = [item for item in problems if item.pointer != "/name" and item.message not in at_fields]
    return ScenarioForm(str(body["name"]), tuple(groups), tuple(shown), notes.get("name", ""))


def form_read(body: Mapping[str, Any], values: Values) -> dict[str, Any]:
    """Return ``body`` with what the form says; texts stay texts, for ``scenario.parse`` to judge."""
    changed: Any = json.loads(json.dumps(body))
    if "name" in values:
        changed["name"] = values["name"].strip()
    for index, queue in enumerate(changed["queues"]):
        queue[SIZE] = as_variant(queue.get(SIZE, Queue.model_fields[SIZE].default))
        for part in (*_WORK_UP_FRONT, SIZE):
            variants = members(Queue, part)
            queue[part] = with_kinds(f"queues.{index}.{part}", variants, queue[part], values)
    started = started_over(body, values)
    unnamed = _with_identities(changed)
    for group in scenario_form(changed).groups:
        for field in group.every:
            left = field.name.startswith(started) and not values.get(field.name, "").strip()
            untouched = _is_item(field) and values.get(field.name) == field.text
            if group.key != "run" and field.name in values and not left and not untouched:
                with suppress(IndexError, TypeError):  # of a list whose own text says something else now
                    changed = _put(changed, field.name.split("."), _value(field, values[field.name]))
    for entity in unnamed:
        if not any(entity["identity"].values()):
            del entity["identity"]
    return run_read(changed, values)


def _with_identities(body: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Give each server and queue an identity for the form to fill in; return those that had none."""
    entities = [entity for part in ("servers", "queues") for entity in body[part]]
    unnamed = [entity for entity in entities if "identity" not in entity]
    for entity in entities:
        entity["identity"] = entity.get("identity") or {}
    return unnamed


def swept_paths(body: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
    """Return path and title of every value of servers and queues that may be swept."""
    model = scenario_model(body["platform"])
    settings = [item for part in ("servers", "queues") for item in settings_below(model, body, towards=part)]
    return tuple((item.path, swept_title(item)) for item in settings if item.can_be_swept)


def _entity_group(
    title: str,
    place: tuple[str, str],
    entity: Mapping[str, Any],
    settings: type[BaseModel],
    model: type[BaseModel] | None,
    up_front: tuple[str, ...],
    notes: Values,
) -> Group:
    shared = list(_fields(model, place, entity, notes)) if model else []
    held = entity["settings"]
    own = list(_fields(settings, (f"{place[0]}.settings", f"{place[1]}.settings"), held, notes))
    front = [field for field in shared if field.declaration.name in up_front]
    front += [field for index, field in enumerate(own) if index < UP_FRONT or _is_changed(field, held)]
    more = [field for field in (*own, *shared) if field not in front]
    return Group(place[0], title, str(entity["name"]), tuple(front), tuple(more))


def _work_group(place: tuple[str, str], queue: Mapping[str, Any], notes: Values) -> Group:
    front = []
    for part in _WORK_UP_FRONT:
        front += _variant_fields(Queue, part, place, queue[part], notes)
    others = [field for field in _fields(Queue, place, queue, notes) if field.declaration.name not in _WORK_UP_FRONT]
    others += _size_fields(place, queue.get(SIZE, Queue.model_fields[SIZE].default), notes)
    return Group(f"{place[0]}.work", "Work", str(queue["name"]), tuple(front), tuple(others))


def _identity_group(place: tuple[str, str], entity: Mapping[str, Any], notes: Values) -> Group:
    """The group that says, and lets a person change, what the vendor's configuration calls a server or queue."""
    held = entity.get("identity") or {}
    fields = _fields(Identity, (f"{place[0]}.identity", f"{place[1]}.identity"), held, notes)
    title = " ".join(filter(None, (held.get("kind"), held.get("name")))) or _UNKNOWN_IDENTITY
    return Group(f"{place[0]}.identity", "Vendor's configuration", str(entity["name"]), (), tuple(fields), title)


def _size_fields(place: tuple[str, str], size: Any, notes: Values) -> list[FormField]:
    """Fields of the bytes of a message; one size for all is the constant among its distributions."""
    kind, *fields = _variant_fields(Queue, SIZE, place, as_variant(size), notes)
    if isinstance(size, Mapping):
        return [kind, *fields]
    return [kind, *(replace(field, path=f"{place[1]}.{SIZE}") for field in fields)]


def _variant_fields(
    owner: type[BaseModel], name: str, place: tuple[str, str], value: Mapping[str, Any], notes: Values
) -> list[FormField]:
    """Fields of one member of a union: which one it is, then its own; a union inside opens in turn."""
    variants, whole = members(owner, name), declared(owner)[name]
    model = next((variant for variant in variants if kind_of(variant) == value.get("kind")), variants[0])
    key, path = f"{place[0]}.{name}", f"{place[1]}.{name}"
    kind = build_field(
        name=f"{key}.kind",
        path=f"{path}.kind",
        declaration=replace(declared(model)["kind"], title=whole.title),
        value=kind_of(model),
        problem=notes.get(f"{key}.kind", notes.get(key, "")),
    )
    options = tuple((kind_of(variant), choice_word(kind_of(variant))) for variant in variants)
    fields = [replace(kind, options=options, redraws=True)]
    for inner in declared(model):
        if members(model, inner):
            fields += _variant_fields(model, inner, (key, path), value[inner], notes)
    return [*fields, *_fields(model, (key, path), value, notes, whole)]


def _fields(
    model: type[BaseModel],
    place: tuple[str, str],
    value: Mapping[str, Any],
    notes: Values,
    whole: Declaration | None = None,
) -> Iterator[FormField]:
    for name, declaration in declared(model).items():
        inner = name in _HELD or (name == "kind" and len(declaration.choices) == 1)
        if inner or members(model, name):
            continue
        key, path, held = f"{place[0]}.{name}", f"{place[1]}.{name}", value.get(name, declaration.default)
        titled = part_of(declaration, whole)
        yield build_field(name=key, path=path, declaration=titled, value=held, problem=notes.get(key, ""))
        for item in models_at(model, name, 0):
            yield from _item_fields(item, (key, path), held, notes)


def _item_fields(model: type[BaseModel], place: tuple[str, str], items: Any, notes: Values) -> Iterator[FormField]:
    """Yield the numbers that are given inside a list, such as the fair share of a work manager."""
    for index, item in enumerate(items if isinstance(items, list) else ()):
        if isinstance(item, Mapping):
            name = str(item.get("name", index))
            for field in _fields(model, (f"{place[0]}.{index}", f"{place[1]}{step(name)}"), item, notes):
                if field.slider:
                    title = f"{field.declaration.title}, {name}"
                    yield replace(field, declaration=replace(field.declaration, title=title))


def _is_item(field: FormField) -> bool:
    """True for a number inside a list, whose text holds it too."""
    return ".settings." in field.name and field.name.split(".")[-2].isdecimal()


def _is_changed(field: FormField, held: Mapping[str, Any]) -> bool:
    """True for what is wrong, what is not the default, and the items of lists."""
    name, default = field.declaration.name, field.declaration.default
    return bool(field.problem) or _is_item(field) or held.get(name, default) != default


def _value(field: FormField, text: str) -> Any:
    stripped = text.strip()
    if not stripped and not field.declaration.required:
        return None if field.declaration.default is None else text
    if field.widget == "structure" or (field.declaration.kind == "integer" and stripped.isdecimal()):
        return json_or_text(stripped)
    return stripped


def _put(node: Any, keys: list[str], value: Any) -> Any:
    place = int(keys[0]) if isinstance(node, list) else keys[0]
    node[place] = _put(node[place], keys[1:], value) if len(keys) > 1 else value
    return node
