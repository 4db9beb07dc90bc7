"""C7 and C8: what is paid for what is gained, and what the answer depends on."""

from collections.abc import Sequence
from dataclasses import dataclass

from frontend.charts.chart import Chart
from frontend.charts.parts import STAR, axis, note, points, scaled, whiskers
from frontend.charts.theme import Figure
from frontend.wording.numbers import plain
from simulations.analysis.estimates.quantities import change_text, estimate_text, scale_of
from simulations.analysis.estimates.summary import Estimate

VERDICTS = {"met": ("meets the objectives", "blue"), "missed": ("misses", "grey"), "unsure": ("undecided", "orange")}

MARKS: dict[str, Figure] = {
    "current": {"symbol": "circle-open", "size": 17, "color": "@ink", "line": {"color": "@ink", "width": 2}},
    "runner-up": {"symbol": "square-open", "size": 15, "color": "@purple", "line": {"color": "@purple", "width": 2}},
    "recommended": STAR,
}
"""The few points that have a name: the same look as on the map."""


@dataclass(frozen=True)
class Paid:
    """A point: what it takes, what it gives, and how it reads. ``name`` marks the few that are labelled."""

    cost: float
    value: Estimate
    label: str
    verdict: str
    name: str = ""


@dataclass(frozen=True)
class Bar:
    """An input: the paired differences at its two ends; None where there is none. ``note`` tells the rest."""

    title: str
    low: Estimate | None
    high: Estimate | None
    low_label: str
    high_label: str
    note: str = ""


def front_chart(paid: Sequence[Paid], *, cost: str, metric: str, unit: str, sentence: str) -> Chart:
    """C7."""
    scale = scale_of(max((item.value.value for item in paid), default=1.0), unit)
    data = [
        _paid([item for item in paid if item.verdict == verdict], legend, colour, scale.factor, scale.unit)
        for verdict, (legend, colour) in VERDICTS.items()
        if any(item.verdict == verdict for item in paid)
    ]
    front = frontier(paid)
    data.insert(
        0,
        {
            "type": "scatter",
            "mode": "lines",
            "name": "frontier",
            "hoverinfo": "skip",
            "x": [item.cost for item in front],
            "y": scaled([item.value.value for item in front], scale.factor),
            "line": {"color": "@green", "width": 2, "shape": "hv"},
        },
    )
    data += [_named(item, scale.factor) for item in paid if item.name]
    layout = {
        "hovermode": "closest",
        "xaxis": axis(cost, "1", rangemode="tozero"),
        "yaxis": axis(metric, scale.unit, rangemode="tozero"),
    }
    columns = ("Point", cost, metric, "Verdict", "Mark")
    rows = tuple(
        (item.label, plain(item.cost), estimate_text(item.value), item.verdict, item.name)
        for item in sorted(paid, key=lambda item: (item.cost, item.value.value))
    )
    figure = {"data": data, "layout": layout}
    return Chart("front", f"{metric} against {cost}", sentence, figure, columns, rows, wide=True, log=True)


def frontier(paid: Sequence[Paid]) -> list[Paid]:
    """Return the points that nothing cheaper beats, cheapest first."""
    front: list[Paid] = []
    for item in sorted(paid, key=lambda item: (item.cost, item.value.value)):
        if not front or item.value.value < front[-1].value.value:
            front.append(item)
    return front


def _paid(items: Sequence[Paid], legend: str, colour: str, factor: float, unit: str) -> Figure:
    values = [item.value for item in items]
    look = {"color": f"@{colour}", "size": 9, "symbol": "circle" if legend.startswith("meets") else "diamond"}
    words = {"text": [item.label for item in items], "hovertemplate": f"%{{text}}<br>%{{y:.4~g}} {unit}<extra></extra>"}
    x, y = [item.cost for item in items], scaled([value.value for value in values], factor)
    return points(x, y, name=legend, marker=look, error_y=whiskers(values, factor, colour), **words)


def _named(item: Paid, factor: float) -> Figure:
    """A mark of its own kind, named in the legend: names beside points that lie together would cover each other."""
    kind = "recommended" if item.name.startswith("recommended") else item.name
    return points([item.cost], scaled([item.value.value], factor), name=item.name, marker=MARKS[kind])


def tornado_chart(bars: Sequence[Bar], *, metric: str, unit: str, sentence: str) -> Chart:
    """C8: the inputs with the largest effect on top."""
    sizes = [abs(item.value) for bar in bars for item in (bar.low, bar.high) if item is not None]
    scale = scale_of(max(sizes, default=1.0), unit)
    titles = [bar.title for bar in reversed(bars)]
    data = []
    for side, name, colour in (("low", "input lower", "sky"), ("high", "input higher", "vermillion")):
        ends: list[Estimate | None] = [getattr(bar, side) for bar in reversed(bars)]
        data.append(
            {
                "type": "bar",
                "orientation": "h",
                "name": name,
                "y": titles,
                "x": scaled([end.value if end else None for end in ends], scale.factor),
                "marker": {"color": f"@{colour}/70", "pattern": {"shape": "/" if side == "low" else ""}},
                "error_x": whiskers(ends, scale.factor, "ink"),
                "hovertemplate": f"%{{y}}: %{{x:.3~g}} {scale.unit}<extra>{name}</extra>",
            }
        )
    notes = [note(bar.note, "vermillion", x=0, y=bar.title, xanchor="left") for bar in bars if bar.note]
    layout = {
        "barmode": "overlay",
        "hovermode": "closest",
        "height": 120 + 34 * len(bars),
        "xaxis": axis(f"change of {metric}", scale.unit, zeroline=True),
        "yaxis": {"type": "category", "automargin": True, "title": {"text": "input"}},
        "annotations": notes,
    }
    columns = ("Input", "Lower value", f"Change of {metric}", "Higher value", f"Change of {metric} there")
    rows = tuple(
        (bar.title, bar.low_label, _signed(bar.low, bar.note), bar.high_label, _signed(bar.high, bar.note))
        for bar in bars
    )
    title = f"What {metric} depends on"
    return Chart("sensitivity", title, sentence, {"data": data, "layout": layout}, columns, rows, wide=True)


def _signed(estimate: Estimate | None, note: str) -> str:
    if estimate is None:
        return note or "–"
    return change_text(estimate)
