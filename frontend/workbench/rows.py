"""Lists of a form as rows: each list has a field that says where its rows come from, and buttons that change it."""

import copy
import re
from collections.abc import Mapping, Set
from functools import reduce
from typing import Any

from pydantic import BaseModel

from frontend.workbench.kinds import Values, below, started
from simulations.declarations.problems import types_at
from simulations.scenario.spec import scenario_model

ROWS = ".rows"
"""Ends the name of the field of a list: the place in the saved version of each row, ``new`` for one that is in none."""
CHANGE = "do"
"""The button that was pressed: ``add queues``, ``copy queues.0``, ``remove queues.0``, ``up queues.1``."""
MOST_ROWS = 500
NEVER_EMPTY = (f"queues{ROWS}", f"servers{ROWS}")


def rows_changed(values: Values) -> dict[str, str]:
    """Return what the form says after the button that was pressed; the copy of a row gets a name of its own."""
    change, _, place = values.get(CHANGE, "").partition(" ")
    whole, _, index = (f"{place}.0" if change == "add" else place).rpartition(".")
    origins = _tokens(values.get(whole + ROWS, ""))
    at = int(index) if index.isdecimal() else len(origins)
    order = list(range(len(origins)))
    arranged: dict[str, list[int | None]] = {
        "add": [*order, None],
        "copy": [*order[: at + 1], *order[at:]],
        "remove": [*order[:at], *order[at + 1 :]],
        "up": [*sorted(order, key=lambda old: old - 1.5 if old == at else old)],
    }
    rows = arranged.get(change, [*order])
    result = {name: text for name, text in values.items() if not re.match(rf"{re.escape(whole)}\.\d+\.", name)}
    names = {values.get(f"{whole}.{old}.name", "") for old in order}
    for new, old in enumerate(rows):
        start, own = f"{whole}.{old}.", f"{whole}.{new}.name"
        inside = {name.removeprefix(start): text for name, text in values.items() if name.startswith(start)}
        result |= {f"{whole}.{new}.{name}": text for name, text in inside.items()}
        if old in rows[:new] and own in result:
            result[own] = _fresh(result[own], names)
    if rows != order:
        result[whole + ROWS] = ",".join("new" if old is None else origins[old] for old in rows)
    return {name: text for name, text in result.items() if name != CHANGE}


def with_rows(body: Mapping[str, Any], values: Values) -> dict[str, Any]:
    """Return a copy of ``body`` whose lists have the rows that the form names, those of outer lists first."""
    changed: dict[str, Any] = copy.deepcopy(dict(body))
    for name in sorted((name for name in values if name.endswith(ROWS)), key=lambda name: name.count(".")):
        *way, last = name.removesuffix(ROWS).split(".")
        holder: Any = reduce(below, way, changed)
        location = (*(0 if key.isdecimal() else key for key in way), last)
        model, part = (_model_at(str(body["platform"]), place) for place in ((*location, 0), location))
        if isinstance(holder, dict) and model:
            rows = _rows(model, holder.get(last) or [], _tokens(values[name])[:MOST_ROWS])
            holder[last] = holder[last] if name in NEVER_EMPTY and not rows else rows
        elif isinstance(holder, dict) and part and last not in ("settings", "identity"):
            holder[last] = (holder.get(last) or started(part)) if values[name] else None
    for queue in changed["queues"]:
        queue["server"] = queue.get("server") or changed["servers"][0]["name"]
    return changed


def origins_text(name: str, count: int, values: Values) -> str:
    """Return what the field of a list says of its ``count`` rows; without a form they are those that were saved."""
    text = values.get(name, "")
    return text if len(_tokens(text)) == count else ",".join(map(str, range(count)))


def _model_at(platform: str, location: tuple[str | int, ...]) -> type[BaseModel] | None:
    """The one model that lies there; None where several may or none does."""
    found = [item for item in types_at(scenario_model(platform), location) if isinstance(item, type)]
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
