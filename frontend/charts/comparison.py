"""C10 and the overlaid C3: what separates the subjects of a comparison."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from frontend.charts.chart import Chart
from frontend.charts.latency import Tail, tails_figure
from frontend.charts.parts import THEME, Figure, Numbers, axis, figure, points, upright, whiskers
from frontend.wording.numbers import DIFFERENCES
from simulations.analysis.estimates.summary import Estimate, change_text, percent, quantity

LOOKS: Sequence[Sequence[str]] = THEME["subjects"]
"""Color, dash and symbol of each subject, by its place."""


@dataclass(frozen=True)
class Dot:
    """A change of one metric against the baseline: its name, the baseline's value, the paired interval, the verdict."""

    metric: str
    base: float
    change: Estimate
    verdict: str


@dataclass(frozen=True)
class Dots:
    """The changes of one subject; ``place`` gives it the look that it has in every figure."""

    label: str
    place: int
    dots: tuple[Dot, ...]


def differences_chart(series: Sequence[Dots], *, baseline: str) -> Chart | None:
    """Return C10 of the metrics whose baseline is not zero; None when there is none."""
    drawn = [Dots(item.label, item.place, tuple(dot for dot in item.dots if dot.base)) for item in series]
    if not any(item.dots for item in drawn):
        return None
    rows = tuple(
        (
            f"{item.label}: {dot.metric}",
            change_text(dot.change),
            percent(dot.change.value / abs(dot.base)),
            DIFFERENCES[dot.verdict],
        )
        for item in drawn
        for dot in item.dots
    )
    counts = Counter(dot.verdict for item in drawn for dot in item.dots)
    words = {"better": "better", "worse": "worse", "same": "same", "not resolved": "with no measurable difference"}
    numbers = ", ".join(f"{counts[verdict]} {word}" for verdict, word in words.items() if counts[verdict])
    sentence = f"Each dot is a difference to {baseline} with its 95 % interval: {numbers}."
    columns = ("Metric", "Difference", "Relative", "Verdict")
    return Chart("differences", "Paired differences", sentence, _figure(drawn), columns, rows, wide=True)


def tails_chart(curves: Sequence[tuple[str, int, Mapping[str, Numbers]]], *, objective: float | None) -> Chart:
    """Return the overlaid C3: label, place and tail of each subject that has one."""
    most, shares = max(curve["latency"][-1] or 0.0 for _, _, curve in curves), (0.1, 0.05, 0.01, 0.001)
    rows = tuple((label, *(_slowest(curve, share, most) for share in shares)) for label, _, curve in curves)
    columns = ("Subject", "10 % take at least", "5 %", "1 %", "0.1 %")
    sentence = f"1 % of the messages take at least {', '.join(f'{row[3]} ({row[0]})' for row in rows)}."
    drawn = [Tail(label, curve, LOOKS[place][0], LOOKS[place][1]) for label, place, curve in curves]
    return Chart("tails", "Tails, overlaid", sentence, tails_figure(drawn, objective), columns, rows, wide=True)


def _figure(series: Sequence[Dots]) -> Figure:
    """Dots with 95 % intervals, relative to the baseline's value, and the line of no difference."""
    metrics = list(dict.fromkeys(dot.metric for item in series for dot in item.dots))
    data = [_dots(item, metrics, len(series), turn) for turn, item in enumerate(series)]
    x = axis("difference to the baseline", "% of the baseline", zeroline=False)
    marks = {"tickvals": list(range(len(metrics))), "ticktext": metrics}
    y = {"range": [len(metrics) - 0.5, -0.5], **marks, "zeroline": False}
    none = upright(0, text="", color="ink")
    return figure(data, x, y, hovermode="closest", meta={"rows": True}, shapes=[none])


def _dots(item: Dots, metrics: Sequence[str], count: int, turn: int) -> Figure:
    color, _, symbol = LOOKS[item.place]
    offset = (turn - (count - 1) / 2) * min(0.24, 0.8 / count)
    shares = [dot.change * (100 / abs(dot.base)) for dot in item.dots]
    settled = [dot.verdict != "not resolved" for dot in item.dots]
    symbols = [symbol if clear else f"{symbol}-open" for clear in settled]
    return points(
        [share.value for share in shares],
        [metrics.index(dot.metric) + offset for dot in item.dots],
        name=item.label,
        marker={"size": 11, "color": f"@{color}", "line": {"color": f"@{color}", "width": 2}, "symbol": symbols},
        error_x=whiskers(shares, 1.0, color, 2),
        text=[f"{dot.metric}: {change_text(dot.change)}, {DIFFERENCES[dot.verdict]}" for dot in item.dots],
        hovertemplate=f"%{{text}}<extra>{item.label}</extra>",
    )


def _slowest(curve: Mapping[str, Numbers], share: float, most: float) -> str:
    """The first latency that at most ``share`` of the messages exceed, in the unit of ``most``."""
    pairs = zip(curve["latency"], curve["survival"], strict=True)
    first = next((at for at, slower in pairs if at is not None and slower is not None and slower <= share), None)
    return "–" if first is None else str(quantity(first, "s", beside=most))
