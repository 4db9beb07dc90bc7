"""The charts of a headroom and of a sensitivity, from their answers."""

from collections.abc import Sequence

from frontend.charts.chart import Chart
from frontend.charts.explore_choice import Bar, tornado_chart
from frontend.charts.explore_lines import Along, headroom_chart
from frontend.explore.labels import bound_of
from frontend.wording.numbers import metric_title, plain, setting_text
from frontend.wording.setting_names import value_text
from planner.selectors import Experiment
from simulations.analysis.estimates.metrics import BY_NAME
from simulations.experiment.arrivals import mean_rate, peak_rate
from simulations.experiment.headrooms import Headroom
from simulations.experiment.questions import HeadroomQuestion, SensitivityQuestion
from simulations.experiment.sensitivities import Effect, End
from simulations.experiment.words import setting_title


def headroom_picture(found: Experiment, question: HeadroomQuestion, headroom: Headroom) -> Chart:
    """C9."""
    today, metric = mean_rate(found.spec), question.kpi
    by = today if today is not None else 1.0
    places = [
        Along(factor * by, setting_text(factor * by, "/s") if today else plain(factor), summary.metrics.get(metric))
        for factor, summary in headroom.tried.items()
    ]
    peak = question.peak if question.peak is not None else peak_rate(found.spec)
    marks = {"today": by}
    if peak is not None:
        marks |= {"peak": peak, "1.5 × peak": 1.5 * peak} if peak != by else {"1.5 × today": 1.5 * by}
    if headroom.carried and headroom.missed is not None:
        marks["objective crossed"] = by * (headroom.carried * headroom.missed) ** 0.5
    if headroom.unstable is not None and headroom.stable:
        marks["stability limit"] = by * (headroom.stable * headroom.unstable) ** 0.5
    return headroom_chart(
        [place for place in places if place.estimate or place.at <= 2 * max(marks.values())],
        title="arrival rate" if today else "arrivals, times today's",
        metric=metric_title(metric),
        unit=BY_NAME[metric].unit,
        objective=bound_of(found, metric),
        marks=marks,
        axis_unit="messages/s" if today else "1",
        sentence=f"{metric_title(metric)} with its 95 % band; unstable rates have no value.",
    )


def sensitivity_picture(found: Experiment, question: SensitivityQuestion, effects: Sequence[Effect]) -> Chart:
    """C8."""
    bars = [
        Bar(
            title=setting_title(found.spec, effect.path),
            low=effect.low.difference,
            high=effect.high.difference,
            low_label=value_text(found.spec, effect.path, effect.low.value),
            high_label=value_text(found.spec, effect.path, effect.high.value),
            note=_note(found, effect),
        )
        for effect in effects
    ]
    sentence = "Each input alone, lower and higher, compared message by message with the scenario as it is."
    unit = BY_NAME[question.kpi].unit
    return tornado_chart(_apart(bars), metric=metric_title(question.kpi), unit=unit, sentence=sentence)


def _apart(bars: Sequence[Bar]) -> list[Bar]:
    """Equal titles would share one bar: the second gets a number."""
    seen: dict[str, int] = {}
    apart = []
    for bar in bars:
        seen[bar.title] = seen.get(bar.title, 0) + 1
        title = bar.title if seen[bar.title] == 1 else f"{bar.title} {seen[bar.title]}"
        apart.append(Bar(title, bar.low, bar.high, bar.low_label, bar.high_label, bar.note))
    return apart


def _note(found: Experiment, effect: Effect) -> str:
    unstable = [
        value_text(found.spec, effect.path, end.value) for end in (effect.low, effect.high) if _is_unstable(end)
    ]
    return f"unstable at {' and '.join(unstable)}" if unstable else ""


def _is_unstable(end: End) -> bool:
    return end.status == "unstable"
