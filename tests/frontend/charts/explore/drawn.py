"""Charts of a search, drawn of small data that tests know, and a look into them."""

from typing import Any

from frontend.charts.chart import Chart
from simulations.analysis.estimates.summary import Estimate


def seconds(value: float, half: float = 0.0) -> Estimate:
    return Estimate(value, value - half, value + half, "s")


def traces(chart: Chart, **wanted: Any) -> list[dict[str, Any]]:
    return [trace for trace in chart.figure["data"] if all(trace.get(key) == value for key, value in wanted.items())]
