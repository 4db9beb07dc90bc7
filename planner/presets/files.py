"""The presets: plain scenario files in planner/presets, and the cards that introduce them."""

from functools import cache, cached_property
from pathlib import Path
from typing import Annotated

from pydantic import Field

from simulations.declarations.parameters import Model
from simulations.declarations.problems import validated
from simulations.scenario.file import read_scenario_file
from simulations.scenario.spec import ScenarioSpec, parse

FOLDER = Path(__file__).parent
CARDS = "cards"


class Preset(Model):
    """A scenario with the card that introduces it."""

    key: Annotated[str, Field(pattern=r"^[a-z0-9-]+$")]
    """Name of the scenario file, without its ending."""
    title: Annotated[str, Field(min_length=1, max_length=80)]
    """Short name on the card."""
    question: Annotated[str, Field(min_length=1, max_length=300)]
    """What an architect asks."""
    source: Annotated[str, Field(min_length=1)]
    """Where the numbers come from."""
    tags: tuple[str, ...] = ()
    """Tags of the scenario that is made from it."""

    @cached_property
    def spec(self) -> ScenarioSpec:
        """The checked scenario, read when it is asked for; raises InvalidInput when its file is wrong."""
        return parse(read_scenario_file(FOLDER / f"{self.key}.yaml"))


class Cards(Model):
    """All cards in the order in which they are shown."""

    cards: tuple[Preset, ...]


@cache
def presets() -> tuple[Preset, ...]:
    """Return all presets in their order; raises InvalidInput when the file of the cards is wrong."""
    return validated(Cards, read_scenario_file(FOLDER / f"{CARDS}.yaml")).cards
