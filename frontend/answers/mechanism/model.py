"""The picture of a scenario's path: lanes of stations with their numbers and knobs. The same for every platform."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

from simulations.analysis.estimates.quantities import estimate_text, quantity
from simulations.analysis.estimates.summary import Estimate

Kind = Literal["producers", "destination", "limit", "prepared", "threads", "cpu", "outcomes"]
KINDS: tuple[Kind, ...] = ("producers", "destination", "limit", "prepared", "threads", "cpu", "outcomes")
"""The stations in the order in which a message passes them."""
Look = Literal["busy", "waiting", "blocked", "held"]
DIGITS = 0.01
"""No number on the picture is finer than this share of itself."""


@dataclass(frozen=True)
class Reading:
    """A live number with the words around it, or with no estimate the words alone."""

    before: str
    estimate: Estimate | None = None
    after: str = ""

    @property
    def text(self) -> str:
        """The number with no more digits than its interval allows, and its unit."""
        if self.estimate is None:
            return self.before
        half = 10 * max(self.estimate.half_width, DIGITS * abs(self.estimate.value))
        return self._around(str(quantity(self.estimate.value, self.estimate.unit, half)._replace(half="")))

    @property
    def full(self) -> str:
        """The number with its interval."""
        return self.before if self.estimate is None else self._around(estimate_text(self.estimate))

    def _around(self, number: str) -> str:
        return f"{self.before} {number} {self.after}".strip()


@dataclass(frozen=True)
class Segment:
    """A filled part of a station, as a share of its width."""

    share: float
    look: Look


@dataclass(frozen=True)
class Knob:
    """A setting where it acts; ``path`` is the scenario's, as at the field of the form."""

    path: str
    title: str
    text: str


@dataclass(frozen=True)
class Station:
    """A place on the path.

    ``segments`` fill it from the left, in each of its ``members`` anew where there are several; ``marks`` are shares of
    the width at which thresholds lie; ``cells`` divide it, one for each thread.
    """

    kind: Kind
    title: str
    readings: tuple[Reading, ...] = ()
    segments: tuple[Segment, ...] = ()
    marks: tuple[float, ...] = ()
    cells: int = 0
    members: tuple[float, ...] = ()
    knobs: tuple[Knob, ...] = ()
    bottleneck: bool = False


@dataclass(frozen=True)
class Lane:
    """The way of one queue's messages, or of other work; ``flow`` is its rate as a share of the fastest lane's."""

    name: str
    server: str
    stations: tuple[Station, ...]
    flow: float = 1.0

    def station(self, kind: Kind) -> Station | None:
        """Return the station of that kind, None where the lane has none."""
        return next((item for item in self.stations if item.kind == kind), None)

    def marked(self, kind: Kind) -> "Lane":
        """Return the lane with the bottleneck at the station of that kind."""
        return replace(self, stations=tuple(replace(item, bottleneck=item.kind == kind) for item in self.stations))


@dataclass(frozen=True)
class Picture:
    """Lanes, those of one server beside each other; ``sentence`` names the bottleneck, ``left_out`` counts lanes."""

    lanes: tuple[Lane, ...]
    sentence: str
    left_out: int = 0

    def rows(self) -> Iterator[tuple[str, str, str]]:
        """Yield lane, station and what stands there, numbers with their intervals: the picture as a table."""
        for lane in self.lanes:
            for station in lane.stations:
                settings = [f"{knob.title} {knob.text}" for knob in station.knobs]
                words = "; ".join([*(reading.full for reading in station.readings), *settings])
                yield lane.name, station.title, words or "–"
