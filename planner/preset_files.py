"""The presets: one YAML file each in planner/presets, with a title, a question, a source and a scenario."""

from functools import cache
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field, ValidationError

from simulations.parameters import Model
from simulations.problems import InvalidInput, problems_of
from simulations.scenario import ScenarioSpec, parse
from simulations.scenario_file import read_scenario_file

FOLDER = Path(__file__).parent / "presets"


class PresetFile(Model):
    """What a preset file holds."""

    order: int
    """Place among the presets."""
    title: Annotated[str, Field(min_length=1, max_length=80)]
    """Short name on the card."""
    question: Annotated[str, Field(min_length=1, max_length=300)]
    """What an architect asks."""
    source: Annotated[str, Field(min_length=1)]
    """Where the numbers come from."""
    tags: tuple[str, ...] = ()
    """Tags of the scenario that is made from it."""
    scenario: dict[str, Any]
    """The scenario's body."""


class Preset(Model):
    """A preset with its checked scenario; ``key`` is the file's name."""

    key: str
    file: PresetFile
    spec: ScenarioSpec


@cache
def presets() -> tuple[Preset, ...]:
    """Return all presets in their order; raises InvalidInput when a file is wrong."""
    found = [_read(path) for path in FOLDER.glob("*.yaml")]
    return tuple(sorted(found, key=lambda preset: (preset.file.order, preset.key)))


def _read(path: Path) -> Preset:
    data = read_scenario_file(path)
    try:
        file = PresetFile.model_validate(data)
    except ValidationError as error:
        raise InvalidInput(problems_of(error, PresetFile, data)) from error
    return Preset.model_construct(key=path.stem, file=file, spec=parse(file.scenario))
