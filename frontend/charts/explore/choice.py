"""C7, C8 and C13: what each gain costs, what the answer depends on, and every point as one line over all axes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from frontend.charts.chart import Chart, Column
from frontend.charts.parts import STAR, Figure, axis, figure, line, points, scaled, whiskers
from frontend.wording.numbers import lowered, metric_title
from simulations.analysis.estimates.metrics import BY_NAME
from simulations.analysis.estimates.summary import Estimate, Scale, change_text, estimate_text, scale_of
from simulations.experiment.words import plain

VERDICTS = {"met": ("meets the objectives", "blue"), "missed": ("misses", "grey"), "unsure": ("undecided", "orange")}

MARKS: dict[str, Figure] = {
    "current": {"symbol": "circle-open", "size": 17, "color": "@ink", "line": {"color": "@ink", "width": 2}},
    "runner-up": {"symbol": "square-open", "size": 15, "color": "@purple", "line": {"color": "@purple", "width": 2}},
    "recommended": STAR,
}
"""The few points that have a name: the same look as on the map."""
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


def front_chart(paid: Sequence[Paid], *, cost: str, metric: str, sentence: str) -> Chart:
    """Return C7: the metric of every point against its cost, and the line of those that nothing cheaper beats."""
    scale = scale_of(max((item.value.value for item in paid), default=1.0), BY_NAME[metric].unit)
    front, title = frontier(paid), metric_title(metric)
    joined = line(
        [item.cost for item in front],
        scaled([item.value.value for item in front], scale.factor),
        name="frontier",
        color="green",
        line={"shape": "hv"},
    )
    data = [joined]
    for verdict, (legend, color) in VERDICTS.items():
        if judged := [item for item in paid if item.verdict == verdict]:
            data.append(_paid(judged, legend, color, scale))
    data += [_named(item, scale.factor) for item in paid if item.name]
    x, y = axis(cost, "1", rangemode="tozero"), axis(title, scale.unit, rangemode="tozero")
    columns = ("Point", cost, title, "Verdict", "Mark")
    rows = tuple(
        (item.label, plain(item.cost), estimate_text(item.value), item.verdict, item.name)
        for item in sorted(paid, key=lambda item: (item.cost, item.value.value))
    )
    drawn = figure(data, x, y, hovermode="closest")
    return Chart("front", f"{title} against {cost}", sentence, drawn, columns, rows, wide=True, log=True)


def frontier(paid: Sequence[Paid]) -> list[Paid]:
    """Return the points that nothing cheaper beats, cheapest first."""
    front: list[Paid] = []
    for item in sorted(paid, key=lambda item: (item.cost, item.value.value)):
        if not front or item.value.value < front[-1].value.value:
            front.append(item)
    return front


def _paid(items: Sequence[Paid], legend: str, color: str, scale: Scale) -> Figure:
    values = [item.value for item in items]
    return points(
        [item.cost for item in items],
        scaled([value.value for value in values], scale.factor),
        name=legend,
        marker={"color": f"@{color}", "size": 9, "symbol": "circle" if legend.startswith("meets") else "diamond"},
        error_y=whiskers(values, scale.factor, color),
        text=[item.label for item in items],
        hovertemplate=f"%{{text}}<br>%{{y:.4~g}} {scale.unit}<extra></extra>",
    )


def _named(item: Paid, factor: float) -> Figure:
    """A mark of its own kind, named in the legend: names beside points that lie together would cover each other."""
    kind = "recommended" if item.name.startswith("recommended") else item.name
    return points([item.cost], scaled([item.value.value], factor), name=item.name, marker=MARKS[kind])


def tornado_chart(bars: Sequence[Bar], *, metric: str, sentence: str) -> Chart:
    """Return C8: the change of the metric at both ends of each input, the largest effect on top."""
    sizes = [abs(item.value) for bar in bars for item in (bar.low, bar.high) if item is not None]
    scale, title = scale_of(max(sizes, default=1.0), BY_NAME[metric].unit), lowered(metric_title(metric))
    upwards = [*reversed(bars)]
    names = [bar.title for bar in upwards]
    low = _ends(names, [bar.low for bar in upwards], scale, name="input lower", color="sky", shape="/")
    high = _ends(names, [bar.high for bar in upwards], scale, name="input higher", color="vermillion", shape="")
    x = axis(f"change of {title}", scale.unit, zeroline=True)
    y = {"type": "category", "automargin": True, "title": {"text": "input"}}
    words = {"showarrow": False, "bgcolor": "@surface/80", "font": {"color": "@vermillion", "size": 12}}
    notes = [{**words, "text": bar.note, "x": 0, "y": bar.title, "xanchor": "left"} for bar in bars if bar.note]
    look = {"barmode": "overlay", "hovermode": "closest", "height": 120 + 34 * len(bars), "annotations": notes}
    columns = ("Input", "Lower value", f"Change of {title}", "Higher value", f"Change of {title} there")
    rows = tuple(
        (bar.title, bar.low_label, _change(bar.low, bar.note), bar.high_label, _change(bar.high, bar.note))
        for bar in bars
    )
    drawn = figure([low, high], x, y, **look)
    return Chart("sensitivity", f"What {title} depends on", sentence, drawn, columns, rows, wide=True)


def _ends(
    titles: Sequence[str], ends: Sequence[Estimate | None], scale: Scale, *, name: str, color: str, shape: str
) -> Figure:
    return {
        "type": "bar",
        "x": scaled([end.value if end else None for end in ends], scale.factor),
        "y": titles,
        "name": name,
        "orientation": "h",
        "marker": {"color": f"@{color}/70", "pattern": {"shape": shape}},
        "error_x": whiskers(ends, scale.factor, "ink"),
        "hovertemplate": f"%{{y}}: %{{x:.3~g}} {scale.unit}<extra>{name}</extra>",
    }


def _change(change: Estimate | None, note: str) -> str:
    return change_text(change) if change else note or "–"


def runs_chart(columns: Sequence[Column], verdicts: Sequence[str], *, sentence: str) -> Chart:
    """Draw each axis from its smallest to its largest value; a range drawn on an axis keeps the runs in it."""
    data = [
        _lines([place for place, item in enumerate(verdicts) if item == verdict], columns, verdict)
        for verdict in VERDICTS
        if verdict in verdicts
    ]
    # What the browser filters by: the values of each axis with its ends, and the verdict of each point.
    brush = [{"values": column.values, "ends": column.ends} for column in columns]
    meta = {"brush": brush, "verdicts": list(verdicts), "most": MOST_LINES, "rows": True}
    notes = [note for place, column in enumerate(columns) for note in _end_labels(place, column)]
    rows = tuple(
        (str(place), *(column.texts[place] for column in columns), verdict) for place, verdict in enumerate(verdicts)
    )
    titles, reach = [column.title for column in columns], [-0.3, len(columns) - 0.7]
    places = {"tickvals": list(range(len(columns))), "ticktext": titles, "range": reach}
    bare = {"showticklabels": False, "showgrid": False, "range": [-0.12, 1.12]}
    x = axis("knobs, then results", "1", zeroline=False, **places)
    y = axis("from the smallest to the largest [1]", "1", zeroline=False, **bare)
    drawn = figure(data, x, y, meta=meta, dragmode="select", hovermode="closest", annotations=notes)
    names = ("Point", *titles, "Verdict")
    return Chart("runs", "All runs, one line each", sentence, drawn, names, rows, wide=True, ranges=tuple(columns))


def _lines(places: Sequence[int], columns: Sequence[Column], verdict: str) -> Figure:
    legend, color = VERDICTS[verdict]
    x: list[int | None] = []
    y: list[float | None] = []
    for place in places[:MOST_LINES]:
        x += [*range(len(columns)), None]
        y += [*(_share(column, place) for column in columns), None]
    faint = f"{color}/{60 if verdict == 'met' else 35}"
    return line(x, y, name=legend, color=faint, meta=verdict, line={"width": 1.5})


def _share(column: Column, place: int) -> float | None:
    value, (low, high) = column.values[place], column.ends
    if value is None:
        return None
    return 0.5 if high == low else float(f"{(value - low) / (high - low):.4g}")


def _end_labels(place: int, column: Column) -> list[Figure]:
    known = {value: text for value, text in zip(column.values, column.texts, strict=True) if value is not None}
    low, high = column.ends
    ends: Mapping[float, float] = {low: -0.06, high: 1.06} if known else {}
    return [
        {"x": place, "y": at, "text": known[value], "showarrow": False, "font": {"size": 11, "color": "@soft"}}
        for value, at in ends.items()
    ]
