"""C1: the latency over the course of a run, objective and marks included."""

from collections.abc import Mapping, Sequence

from frontend.charts.parts import Numbers, axis, band, line, linked, objective_line, scaled, shade, time_scale, upright
from frontend.charts.theme import Figure
from simulations.analysis.estimates.quantities import scale_of

Column = Mapping[str, Numbers]
_LINES = {"p50": ("green", "dash"), "p95": ("blue", "solid"), "p99": ("orange", "dashdot")}
"""Percentile -> colour and dash."""


def latency_over_time(
    timeline: Column,
    *,
    objective: float | None = None,
    spans: Sequence[tuple[float, float]] = (),
    moments: Sequence[tuple[float, str]] = (),
    top: float | None = None,
    link: str = "",
) -> Figure:
    """C1: percentiles of latency by part of the run, with the 95 % band of p95.

    ``spans`` (s) are shaded as blocked, ``moments`` (s) are marked with their words; ``top`` (s) fixes the height.
    """
    largest = top or max((value for value in timeline["p99"] if value is not None), default=1.0)
    time, factors = timeline["band_time"], (time_scale(timeline["band_time"]), scale_of(largest, "s"))
    x = scaled(time, factors[0].factor)
    low, high = (scaled(timeline[name], factors[1].factor) for name in ("p95_low", "p95_high"))
    data = band(x, low, high, name="p95", colour="blue")
    for name, (colour, dash) in _LINES.items():
        y = scaled(timeline[name], factors[1].factor)
        look: Figure = {"legendgroup": name, "line": {"dash": dash}, **({"meta": "ghost"} if name == "p95" else {})}
        data.append(line(x, y, name=name, colour=colour, unit=factors[1].unit, **look))
    marks = [objective_line(objective, factors[1])] if objective is not None else []
    reach = {"rangemode": "tozero"} if top is None else {"range": [0, 1.05 * top * factors[1].factor]}
    uprights = [upright(at * factors[0].factor, text=words, colour="purple", xshift=4) for at, words in moments]
    return {
        "data": data,
        "layout": {
            "xaxis": axis("simulated time", factors[0].unit, rangemode="tozero"),
            "yaxis": axis("latency", factors[1].unit, **reach),
            "shapes": [
                *(shade(start * factors[0].factor, stop * factors[0].factor, "vermillion/12") for start, stop in spans),
                *(shape for shape, _ in (*marks, *uprights)),
            ],
            "annotations": [label for _, label in (*marks, *uprights) if label["text"]],
            **linked(link, factors[0]),
        },
    }
