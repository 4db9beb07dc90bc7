"""One scenario body out of the servers and queues that were read, with a full account."""

from collections.abc import Iterable, Mapping
from typing import Any

from pydantic import ValidationError

from simulations.declarations.parameters import PlatformParameters, parameters_of
from simulations.declarations.problems import InvalidInput, problem
from simulations.declarations.system import ASSUMED, MAX_ENTRIES
from simulations.platforms.files.importing.drafts import Draft
from simulations.platforms.shared.family import Reading, Understood


def check_number(queues: Mapping[str, Draft]) -> None:
    """Raise InvalidInput when there are more queues than a scenario holds: early, before more work is done."""
    if len(queues) > MAX_ENTRIES:
        message = f"the files describe {len(queues)} queues or more, a scenario holds {MAX_ENTRIES}; import fewer files"
        raise InvalidInput([problem(("files",), message)])


def assemble(
    platform: str,
    server_model: type[PlatformParameters],
    queue_model: type[PlatformParameters],
    servers: Mapping[str, Draft],
    queues: Mapping[str, Draft],
    said: Iterable[Understood] = (),
) -> Reading:
    """Return the scenario body; values the platform forbids are contradictory, what no file says is defaulted.

    ``said``: the lines with which its account begins.
    """
    check_number(queues)
    account = [*said]
    server_bodies = [_body(draft, server_model, account) for draft in servers.values()]
    queue_bodies = [_body(draft, queue_model, account) for draft in queues.values()]
    for draft, body in zip(servers.values(), server_bodies, strict=True):
        for key, value in (("cpus", 1), ("instances", 1)):
            if body.setdefault(key, value) == value and key not in draft.fields:
                account.append(Understood("defaulted", f"{draft.path}.{key}", f"{value}: no file says it"))
    for draft, body in zip(queues.values(), queue_bodies, strict=True):
        body.setdefault("server", next(iter(servers)))
        for key, text in (("arrivals", "10 messages/s"), ("service", "100 ms")):
            body[key] = ASSUMED[key].model_dump(mode="json", exclude_none=True)
            body["identity"] = {**body["identity"], f"{key}_assumed": True}
            message = f"load unknown: enter it or import a log; until then {text} is a placeholder"
            account.append(Understood("defaulted", f"{draft.path}.{key}", message))
    body = {"sluice": 1, "name": "Imported", "platform": platform, "servers": server_bodies, "queues": queue_bodies}
    spots = {path: spot for draft in (*servers.values(), *queues.values()) for path, spot in draft.spots.items()}
    return Reading(body, tuple(account), spots)


def _body(draft: Draft, model: type[PlatformParameters], account: list[Understood]) -> dict[str, Any]:
    settings = _accepted(draft, model, account)
    for item in parameters_of(model):
        if item.name not in settings:
            path = f"{draft.path}.settings.{item.name}"
            account.append(Understood("defaulted", path, f"{item.default!r}: no file says it"))
    return {"name": draft.name, "identity": {}, **draft.fields, "settings": settings}


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
            found, path = draft.settings[key], f"{draft.path}.settings.{key}"
            message = f"{found.value!r}: {first['msg'].removeprefix('Value error, ')}; the default counts"
            account.append(Understood("contradictory", path, message, found.file, found.line))
        else:
            return settings


def _named(message: str, settings: dict[str, Any]) -> str:
    """The setting that a message about several of them names; the last one when it names none."""
    return next((key for key in reversed(settings) if key in message), next(reversed(settings)))
