"""C7, C8 and C13: what is paid for what is gained, what the answer depends on, and every point as one line."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from frontend.charts.chart import Chart
from frontend.charts.parts import axis, scaled
from frontend.charts.theme import Figure
from frontend.wording import estimate_quantity, plain, quantity, scale_of
from simulations.analysis.summary import Estimate

VERDICTS = {"met": ("meets the objectives", "blue"), "missed": ("misses", "grey"), "unsure": ("undecided", "orange")}
MOST_LINES = 300


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


@dataclass(frozen=True)
class Column:
    """One axis of the parallel coordinates: numbers of all points, None for none; ``labels`` name choices."""

    title: str
    values: tuple[float | None, ...]
    texts: tuple[str, ...]


def front_chart(paid: Sequence[Paid], *, cost: str, metric: str, unit: str, sentence: str) -> Chart:
    """C7."""
    scale = scale_of(max((item.value.value for item in paid), default=1.0), unit)
    data = [
        _paid([item for item in paid if item.verdict == verdict], legend, colour, scale.factor, scale.unit)
        for verdict, (legend, colour) in VERDICTS.items()
        if any(item.verdict == verdict for item in paid)
    ]
    front = frontier(paid)
    data.insert(0, {
        "type": "scatter", "mode": "lines", "name": "frontier", "hoverinfo": "skip",
        "x": [item.cost for item in front], "y": scaled([item.value.value for item in front], scale.factor),
        "line": {"color": "@green", "width": 2, "shape": "hv"},
    })  # fmt: skip
    notes = [_named(item, scale.factor, place) for place, item in enumerate(item for item in paid if item.name)]
    layout = {
        "hovermode": "closest",
        "xaxis": axis(cost, "used", rangemode="tozero"),
        "yaxis": axis(metric, scale.unit, rangemode="tozero"),
        "annotations": notes,
    }
    columns = ("Setting", cost, metric, "Verdict", "Mark")
    rows = tuple(
        (item.label, plain(item.cost), str(estimate_quantity(item.value)), item.verdict, item.name)
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
    return {
        "type": "scatter", "mode": "markers", "name": legend, "x": [item.cost for item in items],
        "y": scaled([value.value for value in values], factor), "text": [item.label for item in items],
        "hovertemplate": f"%{{text}}<br>%{{y:.4~g}} {unit}<extra></extra>",
        "marker": {"color": f"@{colour}", "size": 9, "symbol": "circle" if legend.startswith("meets") else "diamond"},
        "error_y": {
            "type": "data", "symmetric": False, "color": f"@{colour}", "thickness": 1.5,
            "array": scaled([value.high - value.value for value in values], factor),
            "arrayminus": scaled([value.value - value.low for value in values], factor),
        },
    }  # fmt: skip


def _named(item: Paid, factor: float, place: int) -> Figure:
    return {
        "x": item.cost,
        "y": float(f"{item.value.value * factor:.6g}"),
        "text": item.name,
        "ax": 40,
        "ay": -34 - 22 * place,
        "showarrow": True,
        "arrowcolor": "@soft",
        "arrowwidth": 1,
        "font": {"color": "@ink"},
        "bgcolor": "@surface/80",
    }


def tornado_chart(bars: Sequence[Bar], *, metric: str, unit: str, sentence: str) -> Chart:
    """C8: the inputs with the largest effect on top."""
    sizes = [abs(item.value) for bar in bars for item in (bar.low, bar.high) if item is not None]
    scale = scale_of(max(sizes, default=1.0), unit)
    titles = [bar.title for bar in reversed(bars)]
    data = []
    for side, name, colour in (("low", "input lower", "sky"), ("high", "input higher", "vermillion")):
        ends: list[Estimate | None] = [getattr(bar, side) for bar in reversed(bars)]
        data.append({
            "type": "bar", "orientation": "h", "name": name, "y": titles,
            "x": scaled([end.value if end else None for end in ends], scale.factor),
            "marker": {"color": f"@{colour}/70", "pattern": {"shape": "/" if side == "low" else ""}},
            "error_x": {
                "type": "data", "symmetric": False, "color": "@ink", "thickness": 1.5,
                "array": scaled([end.high - end.value if end else 0.0 for end in ends], scale.factor),
                "arrayminus": scaled([end.value - end.low if end else 0.0 for end in ends], scale.factor),
            },
            "hovertemplate": f"%{{y}}: %{{x:.3~g}} {scale.unit}<extra>{name}</extra>",
        })  # fmt: skip
    notes = [
        {"x": 0, "y": bar.title, "text": bar.note, "showarrow": False, "xanchor": "left",
         "font": {"color": "@vermillion", "size": 12}, "bgcolor": "@surface/80"}
        for bar in bars
        if bar.note
    ]  # fmt: skip
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
    sign = "+" if estimate.value > 0 else ""
    half = max(estimate.high - estimate.value, estimate.value - estimate.low)
    return f"{sign}{quantity(estimate.value, estimate.unit, half)}"


def runs_chart(columns: Sequence[Column], verdicts: Sequence[str], *, sentence: str) -> Chart:
    """C13: one line per point over all knobs and metrics, each axis from its smallest to its largest value."""
    data = [
        _lines([place for place, item in enumerate(verdicts) if item == verdict], columns, legend, colour)
        for verdict, (legend, colour) in VERDICTS.items()
        if verdict in verdicts
    ]
    notes = [note for place, column in enumerate(columns) for note in _end_labels(place, column)]
    layout = {
        "hovermode": "closest",
        "xaxis": {
            "title": {"text": "knobs, then results"},
            "tickvals": list(range(len(columns))),
            "ticktext": [column.title for column in columns],
            "range": [-0.3, len(columns) - 0.7],
            "zeroline": False,
        },
        "yaxis": {
            "title": {"text": "from the smallest to the largest [1]"},
            "showticklabels": False,
            "zeroline": False,
            "showgrid": False,
            "range": [-0.12, 1.12],
        },
        "annotations": notes,
    }
    rows = tuple(
        (str(place), *(column.texts[place] for column in columns), verdict) for place, verdict in enumerate(verdicts)
    )
    names = ("Point", *(column.title for column in columns), "Verdict")
    return Chart("runs", "All runs, one line each", sentence, {"data": data, "layout": layout}, names, rows, wide=True)


def _lines(places: Sequence[int], columns: Sequence[Column], legend: str, colour: str) -> Figure:
    x: list[int | None] = []
    y: list[float | None] = []
    for place in places[:MOST_LINES]:
        x += [*range(len(columns)), None]
        y += [*(_share(column, place) for column in columns), None]
    return {
        "type": "scatter", "mode": "lines", "name": legend, "x": x, "y": y, "hoverinfo": "skip",
        "line": {"color": f"@{colour}/{60 if legend.startswith('meets') else 35}", "width": 1.5},
    }  # fmt: skip


def _share(column: Column, place: int) -> float | None:
    value, known = column.values[place], [item for item in column.values if item is not None]
    low, high = min(known, default=0.0), max(known, default=1.0)
    if value is None:
        return None
    return 0.5 if high == low else float(f"{(value - low) / (high - low):.4g}")


def _end_labels(place: int, column: Column) -> list[Figure]:
    known = {value: text for value, text in zip(column.values, column.texts, strict=True) if value is not None}
    ends: Mapping[float, float] = {min(known): -0.06, max(known): 1.06} if known else {}
    return [
        {"x": place, "y": at, "text": known[value], "showarrow": False, "font": {"size": 11, "color": "@soft"}}
        for value, at in ends.items()
    ]
