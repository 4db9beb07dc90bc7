"""C9 and its relatives: a metric over one knob or over the arrival rate, with band, objective and marked values."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from frontend.charts.chart import Chart
from frontend.charts.parts import STAR, axis, band, level, line, points, scaled, sides, upright
from frontend.charts.theme import Figure
from frontend.wording.numbers import titled
from simulations.analysis.estimates.quantities import estimate_text, quantity, scale_of
from simulations.analysis.estimates.summary import Estimate


@dataclass(frozen=True)
class Along:
    """A place on the axis: its number, how it reads, and the estimate there; None where the system is unstable."""

    at: float
    label: str
    estimate: Estimate | None


def headroom_chart(
    places: Sequence[Along],
    *,
    title: str,
    metric: str,
    unit: str,
    objective: float | None,
    marks: Mapping[str, float],
    axis_unit: str,
    sentence: str,
) -> Chart:
    """C9: the metric over the arrival rate, with upright lines at ``marks`` (name -> place)."""
    figure = along_figure(places, title=title, metric=metric, unit=unit, objective=objective, axis_unit=axis_unit)
    shapes, notes = _uprights(marks)
    figure["layout"]["shapes"] += shapes
    figure["layout"]["annotations"] += notes
    rows = tuple((place.label, estimate_text(place.estimate) if place.estimate else "unstable") for place in places)
    columns = (titled(title, axis_unit), metric)
    return Chart("headroom", f"{metric} over {title}", sentence, figure, columns, rows, wide=True)


def along_chart(
    places: Sequence[Along],
    *,
    title: str,
    metric: str,
    unit: str,
    objective: float | None,
    axis_unit: str,
    chosen: Along | None,
    sentence: str,
) -> Chart:
    """The map of a single knob: the metric over its values, the recommended one with a star."""
    figure = along_figure(
        places, title=title, metric=metric, unit=unit, objective=objective, axis_unit=axis_unit, category=True
    )
    if chosen is not None and chosen.estimate is not None:
        scale = scale_of(_largest(places, objective), unit)
        y = scaled([chosen.estimate.value], scale.factor)
        figure["data"].append(points([chosen.label], y, name="recommended", marker={**STAR, "size": 18}))
    rows = tuple((place.label, estimate_text(place.estimate) if place.estimate else "unstable") for place in places)
    return Chart("map", f"{metric} over {title}", sentence, figure, (title, metric), rows, wide=True, log=True)


def along_figure(
    places: Sequence[Along],
    *,
    title: str,
    metric: str,
    unit: str,
    objective: float | None,
    axis_unit: str,
    category: bool = False,
) -> Figure:
    """The curve with its 95 % band; the y axis is logarithmic unless the places are categories."""
    scale = scale_of(_largest(places, objective), unit)
    x = [place.label if category else place.at for place in places]
    values, low, high = sides([place.estimate for place in places], scale.factor)
    look = {"mode": "lines+markers", "marker": {"size": 8, "color": "@blue"}}
    data = [
        *band(x, low, high, name=metric, colour="blue"),
        line(x, values, name=metric, colour="blue", unit=scale.unit, **look),
    ]
    marks = []
    if objective is not None:
        at = float(f"{objective * scale.factor:.6g}")
        marks = [level(at, text=f"objective {quantity(objective, unit)}", colour="vermillion")]
    kind = {"rangemode": "tozero"} if category else {"type": "log"}
    labels = {"type": "category", "categoryorder": "array", "categoryarray": x} if category else {"rangemode": "tozero"}
    return {
        "data": data,
        "layout": {
            "showlegend": False,
            "xaxis": axis(title, axis_unit, **labels),
            "yaxis": axis(metric, scale.unit, **kind),
            "shapes": [shape for shape, _ in marks],
            "annotations": [_on_log(note) if not category else note for _, note in marks],
        },
    }


def _uprights(marks: Mapping[str, float]) -> tuple[list[Figure], list[Figure]]:
    looks = {"today": "green", "peak": "purple", "1.5 × peak": "purple", "objective": "vermillion", "stability": "grey"}
    shapes, notes = [], []
    for step, (name, at) in enumerate(sorted(marks.items(), key=lambda item: item[1])):
        colour = next((look for word, look in looks.items() if name.startswith(word)), "soft")
        dash = "dot" if "×" in name else "solid"
        shape, label = upright(at, text=name, colour=colour, dash=dash, y=1 - 0.09 * (step % 4))
        shapes.append(shape)
        notes.append(label)
    return shapes, notes


def _on_log(note: Figure) -> Figure:
    """Annotations on a logarithmic axis stand at the logarithm."""
    return {**note, "y": math.log10(note["y"])}


def _largest(places: Sequence[Along], objective: float | None) -> float:
    return max([place.estimate.value for place in places if place.estimate] + [objective or 0.0], default=1.0)
