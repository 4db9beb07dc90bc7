"""Work managers written in one way: files may give a constraint as an object of its own or inside its work manager."""

from collections import Counter
from typing import get_args

from simulations.declarations.parameters import PlatformParameters, changed
from simulations.platforms.weblogic.parameters.server import Kind, ServerSettings

KINDS = get_args(Kind)


def normal_form(settings: PlatformParameters) -> PlatformParameters:
    """Return the settings with every constraint that a single work manager names as a number inside it.

    What several share keeps its name; a constraint that nobody names is left out. Raises TypeError for the settings
    of another platform.
    """
    if not isinstance(settings, ServerSettings):
        raise TypeError(f"{type(settings).__name__} are no settings of a WebLogic server")
    users = Counter(getattr(manager, kind) for manager in settings.work_managers for kind in KINDS)
    counts = {item.name: item.count for item in settings.constraints if users[item.name] == 1}
    bodies = [manager.model_dump() for manager in settings.work_managers]
    managers = [{**body, **{kind: counts.get(body[kind], body[kind]) for kind in KINDS}} for body in bodies]
    shared = [item.model_dump() for item in settings.constraints if users[item.name] > 1]
    return changed(settings, {"work_managers": managers, "constraints": shared})
