"""C12, balance of a cluster: how the messages of one queue were shared among its instances."""

from collections.abc import Mapping, Sequence

from frontend.charts.chart import Chart
from frontend.charts.parts import axis, level, whiskers
from frontend.charts.theme import Figure
from simulations.analysis.estimates.quantities import estimate_text, percent
from simulations.analysis.estimates.summary import Estimate

BUSIEST = "balance.busiest_share"


def balance_chart(instances: Sequence[Estimate], metrics: Mapping[str, Estimate]) -> Chart:
    """Return C12 from the messages that each instance completed and the metrics of the queue."""
    total = sum(item.value for item in instances)
    rows = tuple(
        (f"instance {number}", estimate_text(item), percent(item.value / total) if total else "–")
        for number, item in enumerate(instances, start=1)
    )
    columns = ("Instance", "Messages completed", "Share")
    title = "Messages by instance"
    return Chart("balance", title, _sentence(instances, metrics), instance_balance(instances), columns, rows)


def instance_balance(instances: Sequence[Estimate]) -> Figure:
    """Return one bar per instance with its 95 % interval, and the line of an even share."""
    even = sum(item.value for item in instances) / len(instances)
    bars = {
        "type": "bar",
        "name": "completed",
        "x": [f"instance {place + 1}" for place in range(len(instances))],
        "y": [item.value for item in instances],
        "marker": {"color": "@blue", "line": {"color": "@ink", "width": 1}},
        "error_y": whiskers(instances, 1.0, "ink"),
        "hovertemplate": "%{y:.4~g} messages<extra>%{x}</extra>",
    }
    shape, label = level(even, text="even share", colour="green")
    layout = {
        "hovermode": "closest",
        "showlegend": False,
        "bargap": 0.5,
        "xaxis": {"type": "category"},
        "yaxis": axis("completed per run", "messages", rangemode="tozero"),
        "shapes": [shape],
        "annotations": [label],
    }
    return {"data": [bars], "layout": layout}


def _sentence(instances: Sequence[Estimate], metrics: Mapping[str, Estimate]) -> str:
    even = percent(1 / len(instances))
    if BUSIEST not in metrics:
        return f"An even share is {even} of the messages."
    share = percent(metrics[BUSIEST].value)
    return f"In each run the busiest of {len(instances)} instances completed {share} of the messages; even is {even}."
