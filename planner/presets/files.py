"""The presets: plain scenario files in planner/presets, and the cards that introduce them."""

from dataclasses import dataclass
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


class Card(Model):
    """What introduces a preset."""

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


class Cards(Model):
    """All cards in the order in which they are shown."""

    cards: tuple[Card, ...]


@dataclass(frozen=True)
class Preset:
    """A preset: its card and its scenario, read when it is asked for."""

    card: Card

    @cached_property
    def spec(self) -> ScenarioSpec:
        """The checked scenario; raises InvalidInput when its file is wrong."""
        return parse(read_scenario_file(FOLDER / f"{self.card.key}.yaml"))


@cache
def presets() -> tuple[Preset, ...]:
    """Return all presets in their order; raises InvalidInput when the file of the cards is wrong."""
    cards = validated(Cards, read_scenario_file(FOLDER / f"{CARDS}.yaml")).cards
    return tuple(map(Preset, cards))
