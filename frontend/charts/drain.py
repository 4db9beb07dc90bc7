"""Seconds until a surge is worked off over a swept setting, the best values shaded, a line where each rule turns."""

from collections.abc import Sequence

from frontend.charts.chart import Chart
from frontend.charts.curves import Swept, metric_curve
from frontend.charts.theme import Figure
from frontend.charts.turning_points import Turn, stretches
from frontend.wording.numbers import lowered, metric_title, titled
from simulations.analysis.estimates.quantities import estimate_quantity, scale_of

METRIC = "drain_time"


def drain_chart(
    swept: Sequence[Swept], *, setting: str, unit: str, zone: Sequence[int], turns: Sequence[Turn]
) -> Chart:
    """Return the chart; ``zone`` holds the places of the best values, at least one."""
    title = metric_title(METRIC)
    scale = scale_of(max(item.metrics[METRIC].value for item in swept if METRIC in item.metrics), "s")
    figure = metric_curve(
        swept, METRIC, setting=setting, unit=unit, name=title.lower(), measured=scale.unit, factor=scale.factor
    )
    lines = [_upright(place, turn) for place, turn in enumerate(turns, 1)]
    figure["layout"]["shapes"] = [*(_shade(*span) for span in stretches(zone)), *(shape for shape, _ in lines)]
    figure["layout"]["annotations"] = [label for _, label in lines]
    rows = tuple((item.label, item.text(METRIC)) for item in swept)
    sentence = " ".join((_zone_text(swept, zone, setting), *(_turn_text(swept, *item) for item in enumerate(turns, 1))))
    return Chart("drain", f"{title} over {setting}", sentence, figure, (titled(setting, unit), title), rows, wide=True)


def _shade(first: int, last: int) -> Figure:
    return {
        "type": "rect",
        "layer": "below",
        "x0": first - 0.25,
        "x1": last + 0.25,
        "yref": "paper",
        "y0": 0,
        "y1": 1,
        "fillcolor": "@green/18",
        "line": {"width": 0},
    }


def _upright(number: int, turn: Turn) -> tuple[Figure, Figure]:
    shape = {
        "type": "line",
        "x0": turn.at,
        "x1": turn.at,
        "yref": "paper",
        "y0": 0,
        "y1": 1,
        "line": {"color": "@purple", "width": 1.5, "dash": "dot"},
    }
    label = {
        "x": turn.at,
        "y": 1,
        "yref": "paper",
        "yanchor": "top",
        "showarrow": False,
        "bgcolor": "@surface/80",
        "xanchor": "left" if turn.onwards else "right",
        "font": {"color": "@purple", "size": 12},
        "text": f"rule {number} →" if turn.onwards else f"← rule {number}",
    }
    return shape, label


def _zone_text(swept: Sequence[Swept], zone: Sequence[int], setting: str) -> str:
    best = min((swept[place] for place in zone), key=lambda item: item.metrics[METRIC].value)
    said = " and ".join(
        swept[first].label if first == last else f"{swept[first].label} to {swept[last].label}"
        for first, last in stretches(zone)
    )
    value = estimate_quantity(best.metrics[METRIC])
    return f"Best (shaded): {setting} {said}, with {value} at {best.label}."


def _turn_text(swept: Sequence[Swept], number: int, turn: Turn) -> str:
    reach = f"from {swept[turn.at].label} on" if turn.onwards else f"up to {swept[turn.at].label}"
    return f"Rule {number}, kept {reach}: {lowered(turn.title)}."
