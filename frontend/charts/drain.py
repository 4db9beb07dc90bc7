"""Seconds until a surge is worked off over a swept setting, the best values shaded, a line where each rule turns."""

from collections.abc import Sequence

from frontend.charts.chart import Chart
from frontend.charts.curves import Swept, metric_curve
from frontend.charts.parts import shade, upright
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
    figure["layout"]["shapes"] = [
        *(shade(first - 0.25, last + 0.25, "green/18") for first, last in stretches(zone)),
        *(shape for shape, _ in lines),
    ]
    figure["layout"]["annotations"] = [label for _, label in lines]
    rows = tuple((item.label, item.text(METRIC)) for item in swept)
    sentence = " ".join((_zone_text(swept, zone, setting), *(_turn_text(swept, *item) for item in enumerate(turns, 1))))
    return Chart("drain", f"{title} over {setting}", sentence, figure, (titled(setting, unit), title), rows, wide=True)


def _upright(number: int, turn: Turn) -> tuple[Figure, Figure]:
    text, side = (f"rule {number} →", "left") if turn.onwards else (f"← rule {number}", "right")
    return upright(turn.at, text=text, colour="purple", xanchor=side)


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
