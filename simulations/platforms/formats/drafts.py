"""Servers and queues while files are read: settings with their place, then one scenario body with a full account."""

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from pydantic import ValidationError

from simulations.parameters import PlatformParameters, parameters_of
from simulations.platforms.base import Place, Reading, Understood
from simulations.platforms.formats.tree import Account, Element

ARRIVALS: dict[str, Any] = {"kind": "poisson", "rate": 10.0}
SERVICE: dict[str, Any] = {"kind": "exponential", "mean": 0.1}
_FORBIDDEN = re.compile(r"[^A-Za-z0-9_ -]+")


@dataclass(frozen=True)
class Sourced:
    """A value with the place it was read at."""

    value: Any
    file: str
    line: int
    place: Place | None = None
    """Where the value can be changed in place."""


@dataclass
class Draft:
    """A server or queue in the making; ``kind`` is ``servers`` or ``queues``."""

    kind: str
    name: str
    settings: dict[str, Sourced] = field(default_factory=dict)
    fields: dict[str, Any] = field(default_factory=dict)
    file: str = ""
    line: int = 0
    """Where it is declared, as far as that is known."""

    def put(self, setting: str, value: Any, account: Account, element: Element, attribute: str = "") -> None:
        """Set a setting; a second, different value is noted as contradictory and does not count."""
        path = f"{self.kind}.{self.name}.settings.{setting}"
        known = self.settings.get(setting)
        if known is not None and known.value != value:
            message = f"{value!r} contradicts {known.value!r} of {known.file}:{known.line}, which counts"
            account.note("contradictory", element, path, message, attribute)
            return
        self.settings[setting] = Sourced(value, account.file, element.line, place_of(account.file, element, attribute))
        account.note("understood", element, path, f"{value!r}", attribute)


def place_of(file: str, element: Element, attribute: str = "") -> Place | None:
    """Return where the text of an element or the value of its attribute stands; None where that is not known."""
    text = (0, 0) if element.children else element.inner
    start, end = element.values.get(attribute, (0, 0)) if attribute else text
    return Place(file, start, end) if end > start else None


def safe_name(text: str) -> str:
    """Return a name that the scenario allows: letters, digits, blank, hyphen and underscore, at most 100."""
    cleaned = _FORBIDDEN.sub("_", text.strip()).lstrip(" -")[:100]
    return cleaned or "unnamed"


def number_of(
    element: Element, account: Account, path: str, text: str | None = None, attribute: str = ""
) -> float | None:
    """Return the number an element holds; anything else is noted as contradictory."""
    written = element.text if text is None else text
    try:
        value = float(written)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        account.note("contradictory", element, path, f"{written!r} is no number; the default counts", attribute)
        return None
    return int(value) if value.is_integer() else value


def assemble(
    platform: str,
    server_model: type[PlatformParameters],
    queue_model: type[PlatformParameters],
    servers: Mapping[str, Draft],
    queues: Mapping[str, Draft],
) -> Reading:
    """Return the scenario body; values the platform forbids are contradictory, what no file says is defaulted."""
    account: list[Understood] = []
    server_bodies = [_body(draft, server_model, account) for draft in servers.values()]
    queue_bodies = [_body(draft, queue_model, account) for draft in queues.values()]
    for draft, body in zip(servers.values(), server_bodies, strict=True):
        for key, value in (("cpus", 1), ("instances", 1)):
            if body.setdefault(key, value) == value and key not in draft.fields:
                account.append(Understood("defaulted", f"servers.{draft.name}.{key}", f"{value}: no file says it"))
    for draft, body in zip(queues.values(), queue_bodies, strict=True):
        body.setdefault("server", next(iter(servers)))
        for key, default in (("arrivals", ARRIVALS), ("service", SERVICE)):
            body[key] = dict(default)
            message = f"{default}: an assumption, enter what was measured"
            account.append(Understood("defaulted", f"queues.{draft.name}.{key}", message))
    body = {"sluice": 1, "name": "Imported", "platform": platform, "servers": server_bodies, "queues": queue_bodies}
    places = {
        f"{draft.kind}.{draft.name}.settings.{name}": item.place
        for draft in (*servers.values(), *queues.values())
        for name, item in draft.settings.items()
        if item.place is not None
    }
    return Reading(body, tuple(account), places)


def _body(draft: Draft, model: type[PlatformParameters], account: list[Understood]) -> dict[str, Any]:
    settings = _accepted(draft, model, account)
    for item in parameters_of(model):
        if item.name not in settings:
            path = f"{draft.kind}.{draft.name}.settings.{item.name}"
            account.append(Understood("defaulted", path, f"{item.default!r}: no file says it"))
    return {"name": draft.name, **draft.fields, "settings": settings}


def _accepted(draft: Draft, model: type[PlatformParameters], account: list[Understood]) -> dict[str, Any]:
    """Leave out what the platform's limits forbid, one value after the other, until the rest is valid."""
    settings = {key: item.value for key, item in draft.settings.items()}
    while True:
        try:
            model.model_validate(settings)
        except ValidationError as error:
            first = error.errors(include_url=False)[0]
            key = str(first["loc"][0]) if first["loc"] else _named(first["msg"], settings)
            settings.pop(key)
            found, path = draft.settings[key], f"{draft.kind}.{draft.name}.settings.{key}"
            message = f"{found.value!r}: {first['msg'].removeprefix('Value error, ')}; the default counts"
            account.append(Understood("contradictory", path, message, found.file, found.line))
        else:
            return settings


def _named(message: str, settings: dict[str, Any]) -> str:
    """The setting that a message about several of them names; the last one when it names none."""
    return next((key for key in reversed(settings) if key in message), next(reversed(settings)))
