"""Every figure, drawn of small data that tests know."""

from typing import Any

from frontend.charts.budget import PARTS, Bar, budget_chart
from frontend.charts.chart import Chart
from frontend.charts.curves import SHOWN, Turn, curve_chart, metric_chart
from frontend.charts.latency import Moment, QueueMarks, latency_chart, tail_chart
from frontend.charts.servers import balance_chart, instances_chart, threads_chart
from frontend.charts.swept import Sweep, Swept
from frontend.charts.throttle import FlowMarks, Thresholds, flow_chart, throttle_chart
from simulations.analysis.estimates.summary import Estimate

TIMELINE: dict[str, list[float | None]] = {
    "time": [0.0, 1.0, 2.0, 3.0],
    "backlog": [0.0, 40.0, 10.0, 0.0],
    "prepared": [0.0, 80.0, 40.0, 0.0],
    "running": [0.0, 18.0, 18.0, 4.0],
    "blocked": [0.0, 1.0, 0.0, 0.0],
    "idle_blocked": [0.0, 2.0, 0.0, 0.0],
    "band_time": [0.5, 1.5, 2.5],
    "p50": [0.1, 0.2, None],
    "p95": [0.4, 0.5, None],
    "p95_low": [0.3, None, None],
    "p95_high": [0.5, None, None],
    "p99": [0.9, 1.2, None],
}
TAIL: dict[str, list[float | None]] = {
    "latency": [0.01, 0.1, 0.5, 1.0],
    "survival": [1.0, 0.6, 0.05, 0.001],
    "low": [1.0, 0.58, 0.04, 0.0],
    "high": [1.0, 0.62, 0.06, 0.003],
}
SWEPT = (
    Swept("18", {}, "unstable"),
    Swept("36", {name: Estimate(0.7, 0.69, 0.71, "s") for name in SHOWN} | {"throughput": Estimate(81, 80, 82, "/s")}),
)
DRAINED = tuple(
    Swept(label, {"drain_time": Estimate(value, value - 0.4, value + 0.4, "s")})
    for label, value in (("32", 24.5), ("64", 19.2), ("100", 19.3), ("1000", 34.6))
)
TURNS = (Turn("limit", "The limit covers the pool", 1, onwards=True), Turn("hoard", "Nobody hoards", 2, onwards=False))
THREADS: dict[str, list[float | None]] = {
    "band_time": [0.5, 1.5, 2.5],
    "busy": [10.0, 16.0, 12.0],
    "busy_low": [9.0, 15.0, 11.5],
    "busy_high": [11.0, 17.0, 12.5],
    "idle_no_work": [8.0, 0.0, 5.0],
    "idle_blocked": [0.0, 2.0, 1.0],
    "held": [0.0, 0.0, 0.0],
}
BUDGET = {name: Estimate(0.01 * place, 0.0, 1.0, "s") for place, name in enumerate(PARTS)} | {
    "latency.mean": Estimate(0.28, 0.27, 0.29, "s")
}
FLOWING: dict[str, list[float | None]] = {
    "time": [0.0, 1.0, 2.0, 3.0, 4.0, 5.0],
    "backlog": [0.0, 1100.0, 900.0, 600.0, 400.0, 0.0],
    "prepared": [0.0] * 6,
    "running": [0.0, 16.0, 16.0, 16.0, 16.0, 0.0],
    "admitted": [None, 1000.0, 500.0, 500.0, 750.0, None],
}
FLOW = FlowMarks(maximum=500, minimum=50, producers=2, high=1000, low=500)
INSTANCES = (Estimate(750, 700, 800, "messages"), Estimate(250, 200, 300, "messages"))
SHARED: dict[str, list[float | None]] = {
    "time": [0.0, 1.0, 2.0, 3.0],
    "running.1": [0.0, 32.0, 32.0, 8.0],
    "buffered.1": [0.0, 900.0, 400.0, 0.0],
    "running.2": [0.0, 0.0, 0.0, 8.0],
    "buffered.2": [0.0, 0.0, 0.0, 0.0],
}
MANY: dict[str, list[float | None]] = {
    "time": SHARED["time"],
    **{
        f"{row}.{number}": SHARED[f"{row}.{1 + number % 2}"]
        for row in ("running", "buffered")
        for number in range(1, 7)
    },
}


SWEEP = Sweep("Maximum sessions", "messages", SWEPT)


def charts() -> dict[str, Chart]:
    """Return one of each."""
    return {
        "curve": curve_chart(SWEEP, objective=0.8),
        "throughput": metric_chart(SWEEP, "throughput"),
        "drain": metric_chart(Sweep("Limit", "messages", DRAINED), "drain_time", zone=(1, 2), turns=TURNS),
        "latency": latency_chart(TIMELINE, {}, QueueMarks(objective=0.8, moments=(Moment(0.0, "surge"),))),
        "budget": budget_chart([Bar("v1", BUDGET), Bar("v2", BUDGET)]),
        "threads": threads_chart(THREADS, {}, server="payments", capacity=18, link="run"),
        "flow": flow_chart(FLOWING, FLOW),
        "balance": balance_chart(INSTANCES, {}),
        "instances": instances_chart(SHARED, link="run"),
        "many instances": instances_chart(MANY),
        "throttle": throttle_chart(TIMELINE, Thresholds(high=100, low=50)),
        "no gate": throttle_chart(TIMELINE, Thresholds()),
        "tail": tail_chart(TAIL, {"latency.p95": Estimate(0.5, 0.45, 0.56, "s")}, objective=0.8),
    }


def legend(figure: dict[str, Any]) -> list[str]:
    """Return the names of the lines and shades of a figure that its legend has."""
    return [shape["name"] for shape in figure["layout"]["shapes"] if shape.get("showlegend")]


def figures() -> dict[str, dict[str, Any]]:
    """Return the figure of each."""
    return {name: chart.figure for name, chart in charts().items()}
