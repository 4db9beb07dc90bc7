"""C4, the latency budget: where the time of a message goes, in parts that add up to its mean latency."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from frontend.charts.chart import Chart
from frontend.charts.parts import THEME, Figure, axis, figure
from frontend.wording.numbers import lowered, metric_title
from simulations.analysis.estimates.metrics import BY_NAME
from simulations.analysis.estimates.summary import Estimate, Scale, estimate_text, percent, quantity, scale_of

PARTS: Mapping[str, Sequence[str]] = THEME["latency_parts"]
"""Metric of each part -> color and pattern, in the order in which a message meets them."""
MEAN = "latency.mean"
SLOWEST = "slowest 5 %"
"""The bar of the messages at or beyond the 95th percentile."""


@dataclass(frozen=True)
class Bar:
    """One bar: a label and the metrics of one queue, which hold all parts."""

    label: str
    metrics: Mapping[str, Estimate]


def has_budget(metrics: Mapping[str, Estimate]) -> bool:
    """Return whether the mean latency and all its parts are known (not so for a backlog that grows without end)."""
    return MEAN in metrics and metrics[MEAN].value > 0 and all(name in metrics for name in PARTS)


def budget_chart(bars: Sequence[Bar], *, title: str = "Latency budget") -> Chart:
    """Return C4 of bars that all have a budget: stacked parts, the total printed at the end."""
    columns = ("Part", *(bar.label for bar in bars), *(f"Share of {bar.label}" for bar in bars))
    rows = [(metric_title(name), *_values(bars, name), *(_share_of(bar, name) for bar in bars)) for name in PARTS]
    total = ("Mean latency, the sum", *_values(bars, MEAN), *("100 %" for _ in bars))
    drawn, several = _figure(bars), len(bars) > 1
    return Chart("budget", title, _sentence(bars), drawn, columns, (*rows, total), wide=several, low=len(bars) == 2)


def _figure(bars: Sequence[Bar]) -> Figure:
    means = [bar.metrics[MEAN].value for bar in bars]
    scale = scale_of(max(means), "s")
    end = {"xanchor": "left", "xshift": 6, "showarrow": False, "font": {"size": 13}}
    totals = [{"x": it * scale.factor, "y": at, "text": str(quantity(it, "s")), **end} for at, it in enumerate(means)]
    x = axis("mean time of a message", scale.unit, range=[0, 1.3 * max(means) * scale.factor])
    y = {"type": "category", "autorange": "reversed", "showticklabels": len(bars) > 1, "showgrid": False}
    parts = [_part(bars, name, scale) for name in PARTS if any(bar.metrics[name].value for bar in bars)]
    return figure(parts, x, y, barmode="stack", bargap=0.35, hovermode="closest", annotations=totals)


def _part(bars: Sequence[Bar], name: str, scale: Scale) -> Figure:
    color, shape = PARTS[name]
    pattern = {"shape": shape, "fillmode": "overlay", "fgcolor": "@surface", "size": 7, "solidity": 0.2}
    return {
        "type": "bar",
        "x": [bar.metrics[name].value * scale.factor for bar in bars],
        "y": [bar.label for bar in bars],
        "name": metric_title(name),
        "orientation": "h",
        "marker": {"color": f"@{color}", "pattern": pattern, "line": {"color": "@surface", "width": 1}},
        "hovertemplate": f"%{{x:.4~g}} {scale.unit}: {BY_NAME[name].meaning}<extra>{metric_title(name)}</extra>",
    }


def _values(bars: Sequence[Bar], name: str) -> list[str]:
    return [estimate_text(bar.metrics[name]) for bar in bars]


def _sentence(bars: Sequence[Bar]) -> str:
    first, last = bars[0], bars[-1]
    (part, share), (other, rest) = _largest(first), _largest(last)
    mean = estimate_text(first.metrics[MEAN], last.metrics[MEAN].value)
    lead = f"Of the mean latency of {mean} the largest part is {part}, {share}"
    if first is last:
        return f"{lead}."
    if last.label == SLOWEST:
        slowest = estimate_text(last.metrics[MEAN], first.metrics[MEAN].value)
        return f"{lead}; of the {slowest} of the slowest 5 % it is {other}, {rest}."
    lead = "The largest part of the mean latency is"
    if part == other:
        return f"{lead} {part}: {share} at {first.label} and {rest} at {last.label}."
    return f"{lead} {part} ({share}) at {first.label} and {other} ({rest}) at {last.label}."


def _largest(bar: Bar) -> tuple[str, str]:
    """The largest part in words, and its share."""
    part = max(PARTS, key=lambda name: bar.metrics[name].value)
    return lowered(metric_title(part)), _share_of(bar, part)


def _share_of(bar: Bar, part: str) -> str:
    return percent(bar.metrics[part].value / bar.metrics[MEAN].value)
