"""C13: every point as one line over all knobs and results, and what a browser needs to keep those in a range."""

from collections.abc import Mapping, Sequence

from frontend.charts.chart import Chart, Column
from frontend.charts.explore.choice import VERDICTS
from frontend.charts.parts import axis, line
from frontend.charts.theme import Figure

MOST_LINES = 300


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
    layout = {**_axes(columns), "meta": meta, "dragmode": "select", "hovermode": "closest", "annotations": notes}
    rows = tuple(
        (str(place), *(column.texts[place] for column in columns), verdict) for place, verdict in enumerate(verdicts)
    )
    names = ("Point", *(column.title for column in columns), "Verdict")
    figure = {"data": data, "layout": layout}
    return Chart("runs", "All runs, one line each", sentence, figure, names, rows, wide=True, ranges=tuple(columns))


def _axes(columns: Sequence[Column]) -> Figure:
    names, reach = [column.title for column in columns], [-0.3, len(columns) - 0.7]
    places = {"tickvals": list(range(len(columns))), "ticktext": names, "range": reach}
    bare = {"showticklabels": False, "showgrid": False, "range": [-0.12, 1.12]}
    return {
        "xaxis": axis("knobs, then results", "1", zeroline=False, **places),
        "yaxis": axis("from the smallest to the largest [1]", "1", zeroline=False, **bare),
    }


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
