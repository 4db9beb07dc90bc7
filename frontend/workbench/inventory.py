"""Stored servers and queues in forms: their own small editors, and what a scenario takes from them or an address."""

import copy
from collections.abc import Container, Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal

from django.contrib.auth.models import User

from frontend.workbench.form import Group, ScenarioForm, form_read, scenario_form
from frontend.workbench.items import ROWS, with_rows
from frontend.workbench.kinds import Values, below, starts_of
from planner import selectors
from planner.services.inventory import queue_body, server_body
from simulations.declarations.problems import Problem
from simulations.declarations.texts import keys_in, path_of
from simulations.platforms import PLATFORMS
from simulations.scenario.spec import parse

Part = Literal["servers", "queues"]
_PARTS = ("servers", "queues")
TAKEN = "take."
"""Fields that name a stored thing whose values are taken: ``take.servers.0``."""


def entity_form(
    part: Part, frame: Mapping[str, Any], entity: Mapping[str, Any], problems: Sequence[Problem], rows: Values
) -> ScenarioForm:
    """Return the fields of one server or queue of a frame; the problems point into ``entity``."""
    placed = tuple(replace(item, pointer=f"/{part}/0{item.pointer}") for item in problems)
    form = scenario_form({**frame, part: [entity]}, placed, rows)
    name = next(field for field in form.fields if field.name == f"{part}.0.name")
    shown = [field for field in form.fields if field != name and ".sends" not in field.name]
    groups = [
        replace(group, entity="", fields=tuple(field for field in group.fields if field in shown))
        for group in form.groups
        if group.key.startswith(part)
    ]
    return replace(form, name=str(entity["name"]), groups=(Group("name", "Name", "", (name,)), *groups), lists=())


def workbench_read(*, user: User, spec: Mapping[str, Any], values: Values) -> dict[str, Any]:
    """Return the version's body with what the form says, stored servers and queues taken in, names kept in step."""
    before = with_rows(spec, values)
    body: Any = copy.deepcopy(before)
    kept = {name: text for name, text in values.items() if not name.endswith(ROWS)}
    for name, key in values.items():
        part, _, index = name.removeprefix(TAKEN).partition(".")
        held = body[part] if part in _PARTS else ()
        if name.startswith(TAKEN) and key and index in map(str, range(len(held))):
            if part == "servers":
                taken = server_body(selectors.server_get(user=user, server_id=key))
            else:  # it stays with the scenario's own server and chain
                sends = body[part][int(index)]["sends"]
                taken = {**queue_body(selectors.queue_get(user=user, queue_id=key)), "sends": sends}
            body[part][int(index)] = {**body[part][int(index)], **taken}
            kept = {field: text for field, text in kept.items() if not field.startswith(f"{part}.{index}.")}
    were, are = ({(part, item["name"]) for part in _PARTS for item in held[part]} for held in (spec, before))
    return _renamed(form_read(body, kept), before, were - are)


def knobs_applied(*, user: User, spec: Mapping[str, Any], knobs: Values) -> tuple[dict[str, Any], tuple[str, ...]]:
    """Return the body with the settings that an address holds, for ``parse`` to judge, and the names of unknown ones.
    An address never takes anything from the inventory."""
    settings = {name: text for name, text in knobs.items() if not name.startswith(TAKEN)}
    body = workbench_read(user=user, spec=spec, values=settings)
    known = scenario_form(body).values
    return body, tuple(name for name in knobs if name not in known)


def stored_choices(*, user: User, platform: str) -> dict[str, list[tuple[str, str]]]:
    """Return id and label of the stored servers and queues that fit the platform, by the part of a scenario."""
    servers = selectors.servers_list(user=user).filter(platform=platform)
    queues = selectors.queues_list(user=user).filter(server__platform=platform)
    return {
        "servers": [(server.pk, server.name) for server in servers],
        "queues": [(queue.pk, f"{queue.name} of {queue.server.name}") for queue in queues],
    }


def _renamed(body: dict[str, Any], before: Mapping[str, Any], gone: Container[tuple[str, ...]]) -> dict[str, Any]:
    """Let queues, sweeps and objectives follow what has another name now; those of what is gone are gone too."""
    names = {
        part: {old["name"]: new["name"] for old, new in zip(before[part], body[part], strict=True)} for part in _PARTS
    }
    for queue in body["queues"]:
        if queue["server"] not in names["servers"].values():
            queue["server"] = names["servers"].get(queue["server"], queue["server"])
        for row in queue.get("sends", ()):
            row["name"] = names["queues"].get(row["name"], row["name"])
    body["sweep"] = [axis for axis in body["sweep"] if _keys(axis["path"])[:2] not in gone]
    for axis in body["sweep"]:
        axis["path"] = _followed(axis["path"], before, body)
    body["objectives"] = [item for item in body["objectives"] if ("queues", item.get("queue")) not in gone]
    for objective in body["objectives"]:
        objective["queue"] = names["queues"].get(objective.get("queue"), objective.get("queue"))
    return body


def _followed(path: str, before: Any, body: Any) -> str:
    """The path that leads to the same value by the names of now."""
    keys: list[str] = []
    for key in _keys(path):
        place = key
        if isinstance(before, list):
            place = next((str(index) for index, item in enumerate(before) if item["name"] == key), "")
            key = str(below(below(body, place), "name") or key)
        keys.append(key)
        before, body = below(before, place), below(body, place)
    return path_of(*keys) or path


def _keys(path: str) -> tuple[str, ...]:
    try:
        return keys_in(path)
    except KeyError:
        return ()


def frame_of(platform: str) -> dict[str, Any]:
    """Return the smallest scenario of the platform: a new server and a new queue, or the frame of a stored one."""
    queue = {"name": "orders", "server": "server", "arrivals": {"kind": "poisson", "rate": 10.0}}
    service = {"kind": "exponential", "mean": 0.2}
    body = {"sluice": 1, "name": "inventory", "platform": platform, "servers": [{"name": "server"}]}
    return parse({**body, "queues": [{**queue, "service": service}]}).body()


def first_scenario(platform: str) -> dict[str, Any]:
    """Return the scenario that a person begins with: the smallest one, its settings at their start values."""
    body, family = frame_of(platform), PLATFORMS[platform]
    body["servers"][0]["settings"] |= starts_of(family.server_parameters)
    body["queues"][0]["settings"] |= starts_of(family.queue_parameters)
    return parse(body).body()
