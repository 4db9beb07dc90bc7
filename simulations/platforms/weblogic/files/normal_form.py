"""Work managers written in one way: files may give a constraint as an object of its own or inside its work manager."""

from collections import Counter
from typing import get_args

from simulations.declarations.parameters import PlatformParameters, changed
from simulations.platforms.weblogic.parameters.server import Kind, ServerSettings, WorkManager

KINDS = get_args(Kind)


def normal_form(settings: PlatformParameters) -> PlatformParameters:
    """Return the settings with every constraint that a single work manager names as a number inside it.

    What several share keeps its name; a constraint that nobody names is left out. Raises TypeError for the settings
    of another platform.
    """
    if not isinstance(settings, ServerSettings):
        raise TypeError(f"{type(settings).__name__} are no settings of a WebLogic server")
    users = Counter(name for manager in settings.work_managers for name in _named(manager))
    counts = {item.name: item.count for item in settings.constraints if users[item.name] == 1}
    managers = [
        {**manager.model_dump(), **{kind: _plain(getattr(manager, kind), counts) for kind in KINDS}}
        for manager in settings.work_managers
    ]
    shared = [item.model_dump() for item in settings.constraints if users[item.name] > 1]
    return changed(settings, {"work_managers": managers, "constraints": shared})


def _named(manager: WorkManager) -> list[str]:
    values = [getattr(manager, kind) for kind in KINDS]
    return [value for value in values if isinstance(value, str)]


def _plain(value: int | str | None, counts: dict[str, int]) -> int | str | None:
    return counts.get(value, value) if isinstance(value, str) else value
