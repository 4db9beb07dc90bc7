"""C9 and the map of a single knob: a metric over the arrival rate or over one setting, with band and marks."""

import math
from collections.abc import Mapping
from dataclasses import replace

from frontend.charts.chart import Chart
from frontend.charts.curves import metric_chart
from frontend.charts.parts import STAR, Figure, axis, labelled, measured, objective_lines, points, scaled, upright
from frontend.charts.swept import Sweep
from frontend.wording.numbers import metric_title
from simulations.analysis.estimates.metrics import BY_NAME

COLORS = {"today": "green", "peak": "purple", "1.5 × peak": "purple", "objective": "vermillion", "stability": "grey"}
"""How the name of a marked rate begins -> color of its line."""


def headroom_chart(
    sweep: Sweep, metric: str, *, objective: float | None, marks: Mapping[str, float], sentence: str
) -> Chart:
    """Return C9: the metric over the arrival rate, with upright lines at ``marks`` (name -> place).

    ``objective``: the largest value of the metric that is allowed.
    """
    title, scale = metric_title(metric), sweep.scale(metric, objective)
    level = objective_lines(objective, scale, BY_NAME[metric].unit)
    bound = [(shape, {**label, "y": math.log10(label["y"])}) for shape, label in level]
    layout = {
        "showlegend": False,
        "xaxis": axis(sweep.setting, sweep.unit, rangemode="tozero"),
        "yaxis": axis(title, scale.unit, type="log"),
        **labelled([*bound, *_uprights(marks)]),
    }
    estimates = [item.metrics.get(metric) for item in sweep.values]
    data = measured([item.number for item in sweep.values], estimates, scale, name=title)
    figure, columns, rows = {"data": data, "layout": layout}, (sweep.heading, title), sweep.rows([metric])
    return Chart("headroom", f"{title} over {sweep.setting}", sentence, figure, columns, rows, wide=True)


def along_chart(sweep: Sweep, metric: str, *, objective: float | None, chosen: int | None, sentence: str) -> Chart:
    """Return the map of a single knob: the metric over its values, the one at the place ``chosen`` with a star."""
    chart = metric_chart(sweep, metric, objective=objective)
    chart.figure["layout"]["showlegend"] = False
    if chosen is not None and metric in sweep.values[chosen].metrics:
        y = scaled([sweep.values[chosen].metrics[metric].value], sweep.scale(metric, objective).factor)
        star = points([sweep.places[chosen]], y, name="recommended", marker={**STAR, "size": 18})
        chart.figure["data"].append(star)
    return replace(chart, key="map", sentence=sentence, log=True)


def _uprights(marks: Mapping[str, float]) -> list[tuple[Figure, Figure]]:
    lines = []
    for step, (name, at) in enumerate(sorted(marks.items(), key=lambda item: item[1])):
        color = next((color for word, color in COLORS.items() if name.startswith(word)), "soft")
        dash = "dot" if "×" in name else "solid"
        lines.append(upright(at, text=name, color=color, dash=dash, y=1 - 0.09 * (step % 4)))
    return lines
