"""Where everything of a picture lies, in its own units: from left to right, or on a phone from top to bottom."""

import itertools
from collections.abc import Iterator
from dataclasses import dataclass

from frontend.answers.mechanism.model import KINDS, Kind, Knob, Lane, Picture, Segment, Station

GLYPH_WIDTH, GLYPH_HEIGHT = 132.0, 48.0
"""The box of a station."""
ACROSS, TITLE, LINE, KNOB = 192.0, 28.0, 18.0, 42.0
"""Width of a column, and heights of a title, of a line of text, and of a knob."""
GAP, EDGE = 22.0, 10.0
NARROW, BESIDE = 360.0, GLYPH_WIDTH + 16.0
"""Width of the tall picture, and where its texts begin."""
THINNEST, THICKEST = 1.5, 7.0
"""Width of an arrow without and with the fastest lane's rate."""
LONGEST = 27
"""Letters of a setting's name that fit beside a station."""


@dataclass(frozen=True)
class Bar:
    """A rectangle inside a station's box."""

    x: float
    width: float
    look: str


@dataclass(frozen=True)
class PlacedKnob:
    """A knob; ``name`` is its title as far as there is room."""

    knob: Knob
    y: float
    name: str


@dataclass(frozen=True)
class Placed:
    """A station: its box at ``x``, ``y``, its lines and knobs relative to that."""

    station: Station
    x: float
    y: float
    text_x: float
    title_y: float
    lines: tuple[tuple[float, str], ...]
    knobs: tuple[PlacedKnob, ...]
    bars: tuple[Bar, ...]
    marks: tuple[float, ...]
    cells: tuple[float, ...]


@dataclass(frozen=True)
class Arrow:
    """A line from station to station, as wide as its lane's rate."""

    x1: float
    y1: float
    x2: float
    y2: float
    width: float


@dataclass(frozen=True)
class Frame:
    """What belongs to one server, outlined."""

    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True)
class Drawing:
    """A picture with places; ``shape`` is ``wide`` or ``tall``."""

    shape: str
    width: float
    height: float
    stations: tuple[Placed, ...]
    arrows: tuple[Arrow, ...]
    frames: tuple[Frame, ...]
    names: tuple[tuple[float, str], ...]


def drawings(picture: Picture) -> tuple[Drawing, Drawing]:
    """Return the picture from left to right and from top to bottom."""
    return _wide(picture), _tall(picture)


def _wide(picture: Picture) -> Drawing:
    used = [kind for kind in KINDS if any(lane.station(kind) for lane in picture.lanes)]
    several, y = len(picture.lanes) > 1, EDGE
    placed: list[Placed] = []
    arrows: list[Arrow] = []
    names: list[tuple[float, str]] = []
    spans: dict[str, list[float]] = {}
    for lane in picture.lanes:
        if several:
            names.append((y + 12, lane.name))
            y += LINE
        row = [_placed(item, EDGE + ACROSS * used.index(item.kind), y + TITLE) for item in lane.stations]
        bottom = max(_bottom(item) for item in row)
        arrows += [
            _arrow(lane, (one.x + GLYPH_WIDTH, one.y + GLYPH_HEIGHT / 2), (two.x, two.y + GLYPH_HEIGHT / 2))
            for one, two in itertools.pairwise(row)
        ]
        spans.setdefault(lane.server, [y]).append(bottom)
        placed += row
        y = bottom + GAP
    width = 2 * EDGE + ACROSS * (len(used) - 1) + GLYPH_WIDTH + 36
    frames = tuple(_frame(used, span[0], span[-1]) for span in spans.values())
    return Drawing("wide", width, y, tuple(placed), tuple(arrows), frames, tuple(names))


def _tall(picture: Picture) -> Drawing:
    y = EDGE
    placed: list[Placed] = []
    arrows: list[Arrow] = []
    names: list[tuple[float, str]] = []
    for lane in picture.lanes:
        if len(picture.lanes) > 1:
            names.append((y + 12, lane.name))
            y += LINE + 4
        before: Placed | None = None
        for station in lane.stations:
            item = _placed(station, EDGE, y, beside=True)
            if before:
                arrows.append(_arrow(lane, (60.0, before.y + GLYPH_HEIGHT), (60.0, item.y)))
            placed.append(item)
            before, y = item, _bottom(item) + GAP
    return Drawing("tall", NARROW, y, tuple(placed), tuple(arrows), (), tuple(names))


def _placed(station: Station, x: float, y: float, *, beside: bool = False) -> Placed:
    first = 30.0 if beside else GLYPH_HEIGHT + 18.0
    lines = tuple((first + LINE * row, reading.text) for row, reading in enumerate(station.readings))
    top = first + LINE * len(lines) - 2
    return Placed(
        station=station,
        x=x,
        y=y,
        text_x=BESIDE if beside else 0.0,
        title_y=12.0 if beside else -8.0,
        lines=lines,
        knobs=tuple(_knob(item, top + KNOB * row) for row, item in enumerate(station.knobs)),
        bars=tuple(_bars(station)),
        marks=tuple(GLYPH_WIDTH * share for share in station.marks),
        cells=tuple(GLYPH_WIDTH * cell / station.cells for cell in range(1, station.cells)),
    )


def _knob(knob: Knob, y: float) -> PlacedKnob:
    title = knob.title
    return PlacedKnob(knob, y, title if len(title) <= LONGEST else f"{title[: LONGEST - 1].rstrip()}…")


def _bars(station: Station) -> Iterator[Bar]:
    """The filled parts of a box; in a cluster each member is a box of its own, filled by what it completed."""
    if not station.members:
        yield from _in_a_row(station.segments)
        return
    each = GLYPH_WIDTH / len(station.members)
    for place, share in enumerate(station.members):
        yield Bar(place * each + 2, each - 4, "member")
        yield Bar(place * each + 2, (each - 4) * share, "busy")


def _in_a_row(segments: tuple[Segment, ...]) -> Iterator[Bar]:
    x = 0.0
    for segment in segments:
        yield Bar(x, GLYPH_WIDTH * segment.share, segment.look)
        x += GLYPH_WIDTH * segment.share


def _bottom(item: Placed) -> float:
    below = [line + 4 for line, _ in item.lines] + [knob.y + KNOB for knob in item.knobs]
    return item.y + max(GLYPH_HEIGHT, *below) if below else item.y + GLYPH_HEIGHT


def _arrow(lane: Lane, start: tuple[float, float], end: tuple[float, float]) -> Arrow:
    return Arrow(*start, *end, THINNEST + (THICKEST - THINNEST) * lane.flow)


def _frame(used: list[Kind], top: float, bottom: float) -> Frame:
    left = EDGE + ACROSS * used.index("threads") - 14
    return Frame(left, top - 2, ACROSS * 2 - 6, bottom - top + 8)
