"""C9 and the map of a single knob: a metric over the arrival rate or over one setting, with band and marks."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from frontend.charts.chart import Chart
from frontend.charts.parts import STAR, axis, labelled, level, measured, points, scaled, upright
from frontend.charts.swept import Sweep
from frontend.charts.theme import Figure
from frontend.wording.numbers import metric_title
from simulations.analysis.estimates.metrics import BY_NAME
from simulations.analysis.estimates.quantities import Scale, quantity, scale_of

COLORS = {"today": "green", "peak": "purple", "1.5 × peak": "purple", "objective": "vermillion", "stability": "grey"}
"""How the name of a marked rate begins -> color of its line."""


@dataclass(frozen=True)
class Lane:
    """A metric over the values of a sweep; ``objective``: the largest value that is allowed."""

    sweep: Sweep
    metric: str
    objective: float | None

    @property
    def scale(self) -> Scale:
        """The scale of the metric."""
        values = [estimate.value for _, estimate in self.sweep.known(self.metric)]
        return scale_of(max([*values, self.objective or 0.0]), BY_NAME[self.metric].unit)

    def curve(self, x: Sequence[float | str | None]) -> list[Figure]:
        """Return the metric with its 95 % band."""
        estimates = [item.metrics.get(self.metric) for item in self.sweep.values]
        return measured(x, estimates, self.scale, name=metric_title(self.metric))


def headroom_chart(lane: Lane, *, marks: Mapping[str, float], sentence: str) -> Chart:
    """Return C9: the metric over the arrival rate, with upright lines at ``marks`` (name -> place)."""
    bound = [(shape, {**label, "y": math.log10(label["y"])}) for shape, label in _objective(lane)]
    layout = {
        "showlegend": False,
        "xaxis": axis(lane.sweep.setting, lane.sweep.unit, rangemode="tozero"),
        "yaxis": axis(metric_title(lane.metric), lane.scale.unit, type="log"),
        **labelled([*bound, *_uprights(marks)]),
    }
    figure = {"data": lane.curve([item.number for item in lane.sweep.values]), "layout": layout}
    title, rows = metric_title(lane.metric), lane.sweep.rows([lane.metric])
    columns = (lane.sweep.heading, title)
    return Chart("headroom", f"{title} over {lane.sweep.setting}", sentence, figure, columns, rows, wide=True)


def along_chart(lane: Lane, *, chosen: int | None, sentence: str) -> Chart:
    """Return the map of a single knob: the metric over its values, the one at the place ``chosen`` with a star."""
    sweep, title = lane.sweep, metric_title(lane.metric)
    data, marks = lane.curve(sweep.places), labelled(_objective(lane))
    if chosen is not None and lane.metric in sweep.values[chosen].metrics:
        y = scaled([sweep.values[chosen].metrics[lane.metric].value], lane.scale.factor)
        data.append(points([sweep.places[chosen]], y, name="recommended", marker={**STAR, "size": 18}))
    for key, added in sweep.lost().items():
        marks[key] += added
    yaxis = axis(title, lane.scale.unit, rangemode="tozero")
    figure = {"data": data, "layout": {"showlegend": False, "xaxis": sweep.axis, "yaxis": yaxis, **marks}}
    columns, rows = (sweep.setting, title), sweep.rows([lane.metric])
    return Chart("map", f"{title} over {sweep.setting}", sentence, figure, columns, rows, wide=True, log=True)


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
