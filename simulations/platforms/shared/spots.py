"""Where files state settings, and where they would state those that they leave out."""

from dataclasses import dataclass, field

VALUE = "{}"
"""Stands for the value in what is to be made."""


@dataclass(frozen=True)
class Place:
    """Where a file states a value: bytes ``start`` to ``end``, quotes included."""

    file: str
    start: int
    end: int


@dataclass(frozen=True)
class New:
    """An element to be made, with text or children."""

    name: str
    text: str = VALUE
    attributes: tuple[tuple[str, str], ...] = ()
    children: tuple["New", ...] = ()


@dataclass(frozen=True)
class Attribute:
    """An attribute to be added to an element that exists."""

    name: str


@dataclass(frozen=True)
class Raw:
    """Text to be put at a byte as it is."""

    text: str


@dataclass(frozen=True)
class Addition:
    """What a file lacks: it belongs below the element that begins at byte ``parent``. ``around``: names of the elements
    between the two; those that are missing are made."""

    file: str
    parent: int
    what: New | Attribute | Raw
    around: tuple[str, ...] = ()


@dataclass(frozen=True)
class Spot:
    """All that the files have to say for one setting. Settings with equal spots change together or not at all."""

    places: tuple[Place, ...] = ()
    additions: tuple[Addition, ...] = ()
    refusal: str = field(default="", compare=False)
    """Why nothing is written, as the end of a sentence about the setting; empty when it can be."""
    implied: bool = field(default=False, compare=False)
    """The setting follows from another one with this spot and has no words of its own."""
