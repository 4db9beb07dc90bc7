"""The workbench's form, derived from the declarations: a scenario body becomes groups of fields and back."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from pydantic import BaseModel

from frontend.site.json_text import json_or_text
from frontend.wording.setting_names import choice_word
from frontend.workbench.declarations import declared, kind_of, members
from frontend.workbench.fields import FormField, build_field
from frontend.workbench.kinds import SIZE, Values, as_variant, started_over, with_kinds
from frontend.workbench.run_form import run_fields, run_read
from simulations.platforms import platform_named
from simulations.problems import Problem
from simulations.system import Queue, Server

UP_FRONT = 3
"""Settings of each server and queue that are shown without asking; changed ones are shown always."""
_WORK_UP_FRONT = ("arrivals", "service")
_HELD = ("settings", "server")


@dataclass(frozen=True)
class Group:
    """A panel of the form; ``more`` is folded away until asked for."""

    key: str
    title: str
    entity: str
    fields: tuple[FormField, ...]
    more: tuple[FormField, ...] = ()

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


def scenario_form(body: Mapping[str, Any], problems: tuple[Problem, ...] = ()) -> ScenarioForm:
    """Return the form of ``body``, which may hold what a person typed; each problem stands at its field."""
    family = platform_named(body["platform"])
    told = {".".join(item.pointer.strip("/").split("/")): item.message for item in reversed(problems)}
    groups = []
    for index, server in enumerate(body["servers"]):
        place = (f"servers.{index}", f"servers.{server['name']}")
        groups.append(_entity_group("Server", place, server, family.server_parameters, Server, ("cpus",), told))
    for index, queue in enumerate(body["queues"]):
        place = (f"queues.{index}", f"queues.{queue['name']}")
        groups.append(_entity_group("Queue", place, queue, family.queue_parameters, None, (), told))
        groups.append(_work_group(place, queue, told))
    groups.append(Group("run", "Run", "", *run_fields(body, groups_paths(groups), told)))
    told_at_fields = {field.problem for group in groups for field in (*group.fields, *group.more) if field.problem}
    shown = [item for item in problems if item.pointer != "/name" and item.message not in told_at_fields]
    return ScenarioForm(str(body["name"]), tuple(groups), tuple(shown), told.get("name", ""))


def form_read(body: Mapping[str, Any], values: Values) -> dict[str, Any]:
    """Return ``body`` with what the form says; texts stay texts, for ``scenario.parse`` to judge."""
    changed: Any = json.loads(json.dumps(body))
    if "name" in values:
        changed["name"] = values["name"].strip()
    for index, queue in enumerate(changed["queues"]):
        queue[SIZE] = as_variant(queue.get(SIZE, Queue.model_fields[SIZE].default))
        for part in (*_WORK_UP_FRONT, SIZE):
            variants = members(Queue.model_fields[part].annotation)
            queue[part] = with_kinds(f"queues.{index}.{part}", variants, queue[part], values)
    started = started_over(body, values)
    for group in scenario_form(changed).groups:
        for field in (*group.fields, *group.more):
            left = field.name.startswith(started) and not values.get(field.name, "").strip()
            if group.key != "run" and field.name in values and not left:
                changed = _put(changed, field.name.split("."), _value(field, values[field.name]))
    return run_read(changed, values)


def groups_paths(groups: list[Group]) -> tuple[tuple[str, str], ...]:
    """Return path and title of every setting that may be swept."""
    fields = [(group, field) for group in groups for field in (*group.fields, *group.more)]
    return tuple(
        (field.path, f"{field.declaration.title} · {group.entity}")
        for group, field in fields
        if field.declaration.quantity.sweep
    )


def _entity_group(
    title: str,
    place: tuple[str, str],
    entity: Mapping[str, Any],
    settings: type[BaseModel],
    model: type[BaseModel] | None,
    up_front: tuple[str, ...],
    told: Values,
) -> Group:
    shared = list(_fields(model, place, entity, told)) if model else []
    held = entity["settings"]
    own = list(_fields(settings, (f"{place[0]}.settings", f"{place[1]}.settings"), held, told))
    front = [field for field in shared if field.declaration.name in up_front]
    front += [field for index, field in enumerate(own) if index < UP_FRONT or _is_changed(field, held)]
    more = [field for field in (*own, *shared) if field not in front]
    return Group(place[0], title, str(entity["name"]), tuple(front), tuple(more))


def _work_group(place: tuple[str, str], queue: Mapping[str, Any], told: Values) -> Group:
    front = []
    for part in _WORK_UP_FRONT:
        where = (f"{place[0]}.{part}", f"{place[1]}.{part}")
        front += _variant_fields(where, members(Queue.model_fields[part].annotation), queue[part], told)
    others = [field for field in _fields(Queue, place, queue, told) if field.declaration.name not in _WORK_UP_FRONT]
    others += _size_fields(place, queue.get(SIZE, Queue.model_fields[SIZE].default), told)
    return Group(f"{place[0]}.work", "Work", str(queue["name"]), tuple(front), tuple(others))


def _size_fields(place: tuple[str, str], size: Any, told: Values) -> list[FormField]:
    """Fields of the bytes of a message; one size for all is the constant among its distributions."""
    where = (f"{place[0]}.{SIZE}", f"{place[1]}.{SIZE}")
    kind, *fields = _variant_fields(where, members(Queue.model_fields[SIZE].annotation), as_variant(size), told)
    if isinstance(size, Mapping):
        return [kind, *(_titled(field, f"{field.declaration.title} of the size") for field in fields)]
    return [kind, *(replace(_titled(field, "Size"), path=where[1]) for field in fields)]


def _titled(field: FormField, title: str) -> FormField:
    """Two fields of a form must not have one name: a service has a mean, too."""
    return replace(field, declaration=replace(field.declaration, title=title))


def _variant_fields(
    place: tuple[str, str], variants: tuple[type[BaseModel], ...], value: Mapping[str, Any], told: Values
) -> list[FormField]:
    """Fields of one member of a union: which one it is, then its own; a union inside opens in turn."""
    model = next((variant for variant in variants if kind_of(variant) == value.get("kind")), variants[0])
    part = place[0].rsplit(".", 1)[-1]
    kind = build_field(
        name=f"{place[0]}.kind",
        path=f"{place[1]}.kind",
        declaration=replace(declared(model)["kind"], title=_PART_TITLES.get(part, part.capitalize())),
        model=model,
        value=kind_of(model),
        problem=told.get(f"{place[0]}.kind", told.get(place[0], "")),
    )
    options = tuple((kind_of(variant), choice_word(kind_of(variant))) for variant in variants)
    fields = [replace(kind, options=options, redraws=True)]
    for name in declared(model):
        inner = members(model.model_fields[name].annotation)
        if inner:
            fields += _variant_fields((f"{place[0]}.{name}", f"{place[1]}.{name}"), inner, value[name], told)
    return [*fields, *_fields(model, place, value, told)]


_PART_TITLES = {
    "arrivals": "Arrivals",
    "service": "onMessage time",
    "interval": "Time between arrivals",
    SIZE: "Message size",
}


def _fields(
    model: type[BaseModel], place: tuple[str, str], value: Mapping[str, Any], told: Values
) -> Iterator[FormField]:
    for name, declaration in declared(model).items():
        inner = name in _HELD or (name == "kind" and len(declaration.choices) == 1)
        if inner or members(model.model_fields[name].annotation):
            continue
        if name == "name":
            declaration = replace(declaration, title=f"{model.__name__} name")
        key = f"{place[0]}.{name}"
        yield build_field(
            name=key,
            path=f"{place[1]}.{name}",
            declaration=declaration,
            model=model,
            value=value.get(name, declaration.default),
            problem=told.get(key, ""),
        )


def _is_changed(field: FormField, held: Mapping[str, Any]) -> bool:
    return (
        bool(field.problem) or held.get(field.declaration.name, field.declaration.default) != field.declaration.default
    )


def _value(field: FormField, text: str) -> Any:
    stripped = text.strip()
    if not stripped and not field.declaration.required:
        return None if field.declaration.default is None else text
    if field.widget == "structure":
        return json_or_text(stripped)
    return stripped


def _put(node: Any, keys: list[str], value: Any) -> Any:
    place = int(keys[0]) if isinstance(node, list) else keys[0]
    node[place] = _put(node[place], keys[1:], value) if len(keys) > 1 else value
    return node
