"""The fields of one declared thing: its values and parts; and its lists as rows, with buttons that change them."""

import copy
import re
from collections.abc import Iterator, Mapping, Set
from dataclasses import replace
from functools import reduce
from typing import Any, NamedTuple

from pydantic import BaseModel

from frontend.wording.numbers import choice_word
from frontend.workbench.fields import FormField, build_field
from frontend.workbench.kinds import Values, below, declared, members, noun, started
from simulations.declarations.declared import kind_of, models_at, part_of
from simulations.declarations.parameters import Declaration
from simulations.declarations.problems import types_at
from simulations.declarations.texts import step
from simulations.platforms import platform_named
from simulations.scenario.spec import scenario_model

Place = tuple[str, str]
"""Where a thing lies: in the body by index, and in the scenario by name."""
ROWS = ".rows"
"""Ends the name of the field of a list: the place in the saved version of each row, ``new`` for one that is in none."""
CHANGE = "do"
"""The button that was pressed: ``add queues``, ``copy queues.0``, ``remove queues.0``, ``up queues.1``."""
MOST_ROWS = 500
NEVER_EMPTY = (f"queues{ROWS}", f"servers{ROWS}")


class Sheet(NamedTuple):
    """What a form is drawn from: the body, what is wrong by the name of a field, and what the form said of rows."""

    body: Mapping[str, Any]
    notes: Values
    rows: Values


def named_at(body: Mapping[str, Any], place: str, refers: str) -> list[Mapping[str, Any]]:
    """Return the items that a value at ``place`` may name: servers, queues, or those of a list of the same server."""
    if refers in ("servers", "queues"):
        return list(body[refers])
    servers: list[Mapping[str, Any]] = body["servers"]
    part, index = place.split(".")[:2]
    item = body[part][int(index)]
    listeners = [server for server in servers if server["name"] == item.get("server")] or servers
    server = item if part == "servers" else listeners[0]
    return list(server["settings"].get(refers) or ())


def fields_of(
    sheet: Sheet, model: type[BaseModel], place: Place, value: Mapping[str, Any], whole: Declaration | None = None
) -> Iterator[FormField]:
    """Yield the fields of the plain values of ``model``, and of its lists with their rows."""
    for name, declaration in declared(model).items():
        if name == "identity" or (name == "kind" and len(declaration.choices) == 1) or members(model, name):
            continue
        key, path, held = f"{place[0]}.{name}", f"{place[1]}.{name}", value.get(name, declaration.default)
        titled, problem = part_of(declaration, whole), sheet.notes.get(key, "")
        field = build_field(name=key, path=path, declaration=titled, value=held, problem=problem)
        several = models_at(model, name, 0)
        if several or models_at(model, name):
            yield from _row_fields(sheet, (*several, *models_at(model, name))[0], field, held, several=bool(several))
        elif declaration.quantity.names:
            yield from _with_choices(sheet, field)
        else:
            yield field


def variant_fields(
    sheet: Sheet, owner: type[BaseModel], name: str, place: Place, value: Mapping[str, Any]
) -> list[FormField]:
    """Return the fields of one member of a union: which one it is, then its own; a union inside opens in turn."""
    variants, whole = members(owner, name), declared(owner)[name]
    model = next((variant for variant in variants if kind_of(variant) == value.get("kind")), variants[0])
    key, path = f"{place[0]}.{name}", f"{place[1]}.{name}"
    kind = build_field(
        name=f"{key}.kind",
        path=f"{path}.kind",
        declaration=replace(declared(model)["kind"], title=whole.title),
        value=kind_of(model),
        problem=sheet.notes.get(f"{key}.kind", sheet.notes.get(key, "")),
    )
    options = tuple((kind_of(variant), choice_word(kind_of(variant))) for variant in variants)
    fields = [replace(kind, options=options, redraws=True)]
    for inner in declared(model):
        if members(model, inner):
            fields += variant_fields(sheet, model, inner, (key, path), value[inner])
    return [*fields, *fields_of(sheet, model, (key, path), value, whole)]


def _row_fields(
    sheet: Sheet, model: type[BaseModel], listed: FormField, held: Any, *, several: bool
) -> Iterator[FormField]:
    """Yield the field of a list, then those of each row; a part that may be left out is a list of one or none."""
    items = held if isinstance(held, list) else [held] if isinstance(held, Mapping) else []
    text = origins_text(listed.name + ROWS, len(items), sheet.rows)
    adds = noun(model) if several or not items else ""
    yield replace(listed, name=listed.name + ROWS, widget="rows", text=text, place=listed.name, adds=adds)
    for index, item in enumerate(items):
        row = (f"{listed.name}.{index}", str(item.get("name") or index + 1), several, noun(model))
        place = (row[0], f"{listed.path}{step(row[1])}") if several else (listed.name, listed.path)
        fields = list(fields_of(sheet, model, place, item))
        if "settings" in model.model_fields:
            settings, inside = platform_named(sheet.body["platform"]).background_parameters, item.get("settings") or {}
            fields += fields_of(sheet, settings, (f"{place[0]}.settings", f"{place[1]}.settings"), inside)
        for name in declared(model):
            fields += variant_fields(sheet, model, name, place, item[name]) if members(model, name) else []
        yield from (replace(field, row=row) for field in fields)


def _with_choices(sheet: Sheet, field: FormField) -> Iterator[FormField]:
    """Yield a field that names an item of a list, its default first; with one choice there is nothing to ask."""
    name, given = field.declaration.name, field.declaration.default
    refers = field.declaration.quantity.names
    items = named_at(sheet.body, field.name, refers)
    names = [str(item["name"]) for item in items if refers == "queues" or item.get("kind", name) == name]
    if field.declaration.kind == "text":
        names = list(dict.fromkeys(filter(None, (given, *names, field.text))))
        field = replace(field, widget="choice")
    if not field.declaration.required or len(names) > 1:
        yield replace(field, options=tuple((item, item) for item in names))


def rows_changed(values: Values) -> dict[str, str]:
    """Return what the form says after the button that was pressed; the copy of a row gets a name of its own."""
    change, _, place = values.get(CHANGE, "").partition(" ")
    listed, _, index = (place, "", "") if change == "add" else place.rpartition(".")
    origins = _tokens(values.get(listed + ROWS, ""))
    order: list[int | None] = [*range(len(origins))]
    at = int(index) if index.isdecimal() else len(order)
    before, pressed, after = order[:at], order[at : at + 1], order[at + 1 :]
    arranged = {
        "add": [*order, None],
        "copy": [*before, *pressed, *pressed, *after],
        "remove": [*before, *after],
        "up": [*before[:-1], *pressed, *before[-1:], *after],
    }.get(change, order)
    result = {name: text for name, text in values.items() if not re.match(rf"{re.escape(listed)}\.\d+\.", name)}
    names = {values.get(f"{listed}.{old}.name", "") for old in order}
    for new, old in enumerate(arranged):
        start, own = f"{listed}.{old}.", f"{listed}.{new}.name"
        inside = {name.removeprefix(start): text for name, text in values.items() if name.startswith(start)}
        result |= {f"{listed}.{new}.{name}": text for name, text in inside.items()}
        if old in arranged[:new] and own in result:
            result[own] = _fresh(result[own], names)
    if arranged != order:
        result[listed + ROWS] = ",".join("new" if old is None else origins[old] for old in arranged)
    return {name: text for name, text in result.items() if name != CHANGE}


def with_rows(body: Mapping[str, Any], values: Values) -> dict[str, Any]:
    """Return a copy of ``body`` whose lists have the rows that the form names, those of outer lists first."""
    changed: dict[str, Any] = copy.deepcopy(dict(body))
    for name in sorted((name for name in values if name.endswith(ROWS)), key=lambda name: name.count(".")):
        place = name.removesuffix(ROWS)
        *way, last = place.split(".")
        holder: Any = reduce(below, way, changed)
        if not isinstance(holder, dict):
            continue
        if model := _model_at(changed, f"{place}.0"):
            rows = _rows(model, holder.get(last) or [], _tokens(values[name])[:MOST_ROWS])
            holder[last] = rows or (holder[last] if name in NEVER_EMPTY else [])
        elif last not in ("settings", "identity") and (part := _model_at(changed, place)):
            holder[last] = (holder.get(last) or started(part)) if values[name] else None
    for queue in changed["queues"]:
        queue["server"] = queue.get("server") or changed["servers"][0]["name"]
    return changed


def origins_text(name: str, count: int, values: Values) -> str:
    """Return what the field of a list says of its ``count`` rows; without a form they are those that were saved."""
    text = values.get(name, "")
    return text if len(_tokens(text)) == count else ",".join(map(str, range(count)))


def _model_at(body: Mapping[str, Any], place: str) -> type[BaseModel] | None:
    """The one model of what lies at a place of a scenario; None where several may or none does."""
    location = tuple(0 if key.isdecimal() else key for key in place.split("."))
    found = [item for item in types_at(scenario_model(str(body["platform"])), location) if isinstance(item, type)]
    return found[0] if len(found) == 1 and issubclass(found[0], BaseModel) else None


def _rows(model: type[BaseModel], held: list[Any], origins: list[str]) -> list[Any]:
    """The rows; names that must differ do, until somebody types others."""
    rows: list[Any] = []
    for origin in origins:
        known = origin.isdecimal() and int(origin) < len(held)
        row = copy.deepcopy(held[int(origin)]) if known else started(model)
        if "name" in model.model_fields and model.model_fields["name"].is_required():
            row["name"] = _fresh(row["name"], {item["name"] for item in rows})
        rows.append(row)
    return rows


def _fresh(name: str, taken: Set[str]) -> str:
    return next(each for each in (name, *(f"{name}-{number}" for number in range(2, 999))) if each not in taken)


def _tokens(text: str) -> list[str]:
    return [token for token in text.split(",") if token]
