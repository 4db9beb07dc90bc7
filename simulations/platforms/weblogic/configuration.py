"""Configuration of WebLogic: scenario files in and out, WLST scripts and Deploy Tooling models out."""

from collections.abc import Mapping
from typing import Any

from simulations.platforms.base import Reading, Script
from simulations.platforms.changes import changes_of
from simulations.platforms.formats.limits import refuse
from simulations.platforms.formats.scenario_file import read_scenario, scenario_script
from simulations.platforms.weblogic.scripts import model_script, wlst_script
from simulations.system import System

NAME = "weblogic"


def read(files: Mapping[str, bytes]) -> Reading:
    """Read one scenario file; raises InvalidInput when there is another number of files or it is no scenario."""
    if len(files) != 1:
        raise refuse("upload", 0, f"{len(files)} files were given; a scenario of this platform is one YAML file")
    file, content = next(iter(files.items()))
    return read_scenario(content, file, NAME)


def write(system: System, chosen: Mapping[str, Any], scenario_hash: str) -> tuple[Script, ...]:
    """Return the scripts that make the chosen settings; raises InvalidInput for an unknown path or value."""
    changes = changes_of(system, chosen)
    scripts = [
        scenario_script(system, changes, scenario_hash),
        wlst_script(changes, scenario_hash),
        model_script(changes, scenario_hash),
    ]
    return tuple(script for script in scripts if script is not None)
