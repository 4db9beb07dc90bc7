"""C9 and the map of a single knob: a metric over the arrival rate or over one setting, with band and marks."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from frontend.charts.chart import Chart
from frontend.charts.parts import STAR, axis, estimated, labelled, level, points, scaled, upright
from frontend.charts.theme import Figure
from frontend.wording.numbers import metric_title, titled
from simulations.analysis.estimates.metrics import BY_NAME
from simulations.analysis.estimates.quantities import Scale, estimate_text, quantity, scale_of
from simulations.analysis.estimates.summary import Estimate

COLORS = {"today": "green", "peak": "purple", "1.5 × peak": "purple", "objective": "vermillion", "stability": "grey"}
"""How the name of a marked rate begins -> color of its line."""


@dataclass(frozen=True)
class Along:
    """A place on the axis: its number, how it reads, and the estimate there; None where the system is unstable."""

    at: float
    label: str
    estimate: Estimate | None


@dataclass(frozen=True)
class Lane:
    """A metric over the places of one axis, whose ``title`` and ``unit`` these are.

    ``objective``: the largest value that is allowed.
    """

    title: str
    unit: str
    metric: str
    objective: float | None
    places: Sequence[Along]

    @property
    def scale(self) -> Scale:
        """The scale of the metric."""
        values = [place.estimate.value for place in self.places if place.estimate]
        return scale_of(max([*values, self.objective or 0.0]), BY_NAME[self.metric].unit)

    @property
    def rows(self) -> tuple[tuple[str, str], ...]:
        """The rows of the table."""
        texts = ((place.label, place.estimate) for place in self.places)
        return tuple((label, estimate_text(estimate) if estimate else "unstable") for label, estimate in texts)

    def drawn(self, x: Sequence[float | str]) -> list[Figure]:
        """Return the metric at ``x`` with its 95 % band."""
        return estimated(x, [place.estimate for place in self.places], self.scale, name=metric_title(self.metric))


def headroom_chart(lane: Lane, *, marks: Mapping[str, float], sentence: str) -> Chart:
    """Return C9: the metric over the arrival rate, with upright lines at ``marks`` (name -> place)."""
    bound = [(shape, {**label, "y": math.log10(label["y"])}) for shape, label in _objective(lane)]
    layout = {
        "showlegend": False,
        "xaxis": axis(lane.title, lane.unit, rangemode="tozero"),
        "yaxis": axis(metric_title(lane.metric), lane.scale.unit, type="log"),
        **labelled([*bound, *_uprights(marks)]),
    }
    figure = {"data": lane.drawn([place.at for place in lane.places]), "layout": layout}
    title, columns = metric_title(lane.metric), (titled(lane.title, lane.unit), metric_title(lane.metric))
    return Chart("headroom", f"{title} over {lane.title}", sentence, figure, columns, lane.rows, wide=True)


def along_chart(lane: Lane, *, chosen: Along | None, sentence: str) -> Chart:
    """Return the map of a single knob: the metric over its values, the recommended one with a star."""
    labels, title = [place.label for place in lane.places], metric_title(lane.metric)
    data = lane.drawn(labels)
    if chosen is not None and chosen.estimate is not None:
        y = scaled([chosen.estimate.value], lane.scale.factor)
        data.append(points([chosen.label], y, name="recommended", marker={**STAR, "size": 18}))
    layout = {
        "showlegend": False,
        "xaxis": axis(lane.title, lane.unit, type="category", categoryorder="array", categoryarray=labels),
        "yaxis": axis(title, lane.scale.unit, rangemode="tozero"),
        **labelled(_objective(lane)),
    }
    figure, columns = {"data": data, "layout": layout}, (lane.title, title)
    return Chart("map", f"{title} over {lane.title}", sentence, figure, columns, lane.rows, wide=True, log=True)


def _objective(lane: Lane) -> list[tuple[Figure, Figure]]:
    if lane.objective is None:
        return []
    text = f"objective {quantity(lane.objective, BY_NAME[lane.metric].unit)}"
    return [level(float(f"{lane.objective * lane.scale.factor:.6g}"), text=text, color="vermillion")]


def _uprights(marks: Mapping[str, float]) -> list[tuple[Figure, Figure]]:
    lines = []
    for step, (name, at) in enumerate(sorted(marks.items(), key=lambda item: item[1])):
        color = next((color for word, color in COLORS.items() if name.startswith(word)), "soft")
        dash = "dot" if "×" in name else "solid"
        lines.append(upright(at, text=name, color=color, dash=dash, y=1 - 0.09 * (step % 4)))
    return lines
