"""Figures over the values of a swept setting."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from frontend.charts.parts import axis, band, line, note, objective_line, sides
from frontend.charts.theme import Figure
from simulations.analysis.estimates.quantities import Scale, estimate_text, scale_of
from simulations.analysis.estimates.summary import Estimate

PERCENTILES = {
    "latency.mean": ("mean", "grey", "dot"),
    "latency.p50": ("p50", "green", "dash"),
    "latency.p90": ("p90", "purple", "longdash"),
    "latency.p95": ("p95", "blue", "solid"),
    "latency.p99": ("p99", "orange", "dashdot"),
    "latency.p999": ("p99.9", "vermillion", "longdashdot"),
}
"""Metric -> legend, colour and dash; the curve can show each of them."""
SHOWN = ("latency.p50", "latency.p95", "latency.p99")


@dataclass(frozen=True)
class Swept:
    """One value of the swept setting with its metrics; ``problem`` says why there are no percentiles."""

    label: str
    metrics: Mapping[str, Estimate]
    problem: str = ""

    def text(self, name: str) -> str:
        """Return the metric as a table shows it; where there is none, the reason or a dash."""
        estimate = self.metrics.get(name)
        return estimate_text(estimate) if estimate else self.problem or "–"


def percentile_curve(
    swept: Sequence[Swept], *, setting: str, unit: str, objective: float | None = None, shown: Sequence[str] = SHOWN
) -> Figure:
    """Latency percentiles over the values of a swept setting, each with its 95 % interval."""
    largest = max((item.metrics[name].value for item in swept for name in shown if name in item.metrics), default=0.0)
    scale = scale_of(max(largest, objective or 0.0), "s")
    labels = [item.label for item in swept]
    data: list[Figure] = []
    for name, (legend, colour, dash) in PERCENTILES.items():
        estimates = [item.metrics.get(name) for item in swept]
        look: Figure = {"visible": name in shown, "meta": name}
        values, low, high = sides(estimates, scale.factor)
        data += band(labels, low, high, name=legend, colour=colour, **look)
        look |= {"mode": "lines+markers", "marker": {"size": 8, "color": f"@{colour}"}, "line": {"dash": dash}}
        data.append(line(labels, values, name=legend, colour=colour, unit=scale.unit, legendgroup=legend, **look))
    return {"data": data, "layout": _curve_layout(swept, setting, unit, scale, objective)}


def _curve_layout(swept: Sequence[Swept], setting: str, unit: str, scale: Scale, objective: float | None) -> Figure:
    marks = [objective_line(objective, scale)] if objective is not None else []
    notes = [
        note(f"▲ {item.problem}", "vermillion", x=index, xref="x", y=0.98, yref="paper", yanchor="top")
        for index, item in enumerate(swept)
        if item.problem
    ]
    return {
        "xaxis": _setting_axis(swept, setting, unit),
        "yaxis": axis("latency", scale.unit, rangemode="tozero"),
        "shapes": [shape for shape, _ in marks],
        "annotations": [*(label for _, label in marks), *notes],
    }


def metric_curve(
    swept: Sequence[Swept], metric: str, *, setting: str, unit: str, name: str, measured: str, factor: float = 1.0
) -> Figure:
    """One metric over the values of a swept setting with its 95 % interval, as ``name`` in the unit ``measured``."""
    labels = [item.label for item in swept]
    values, low, high = sides([item.metrics.get(metric) for item in swept], factor)
    look = {"mode": "lines+markers", "marker": {"size": 8, "color": "@blue"}}
    drawn = line(labels, values, name=name, colour="blue", unit=measured, **look)
    return {
        "data": [*band(labels, low, high, name=name, colour="blue"), drawn],
        "layout": {"xaxis": _setting_axis(swept, setting, unit), "yaxis": axis(name, measured, rangemode="tozero")},
    }


def _setting_axis(swept: Sequence[Swept], setting: str, unit: str) -> Figure:
    """The values of the setting, one beside the other in their order."""
    order = {"categoryorder": "array", "categoryarray": [item.label for item in swept]}
    return axis(setting, unit, type="category", **order, range=[-0.3, len(swept) - 0.7])
