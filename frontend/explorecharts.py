"""From an experiment's answers to its charts: units, labels and places; the figures themselves are in charts."""

from collections.abc import Sequence
from typing import Any

from frontend.charts.chart import Chart
from frontend.charts.explore_choice import Bar, Column, Paid, front_chart, runs_chart, tornado_chart
from frontend.charts.explore_lines import Along, along_chart, headroom_chart
from frontend.charts.explore_map import Axis, Cell, MapCell, MapMarks, map_chart
from frontend.settingnames import setting_units
from frontend.wording import estimate_quantity, metric_title, plain, setting_text
from planner.selectors import Experiment
from simulations.analysis.metrics import BY_NAME
from simulations.analysis.summary import Estimate, PointSummary
from simulations.experiment.arrivals import mean_rate, peak_rate
from simulations.experiment.choice import Best, decider, resources
from simulations.experiment.grids import Grid, cells_of, grid_of
from simulations.experiment.headrooms import Headroom
from simulations.experiment.names import RESOURCES
from simulations.experiment.points import ARRIVALS, with_overrides
from simulations.experiment.questions import HeadroomQuestion, Optimize, SensitivityQuestion
from simulations.experiment.sensitivities import Effect, End
from simulations.experiment.verdicts import verdict_of
from simulations.experiment.words import setting_title, settings_text

IN_LINES = ("latency.p95", "throughput", "threads.busy", "overtaken_fraction", "drain_time", "batch.mean_size")


def choice_charts(found: Experiment, question: Optimize, best: Best, tab: str, cell: int | None) -> tuple[Chart, ...]:
    """Return the chart of a tab of a search."""
    if tab == "front":
        return (front_picture(found, question, best),)
    if tab == "all":
        return (runs_picture(found, question),)
    return (map_picture(found, question, best),)


def map_picture(found: Experiment, question: Optimize, best: Best) -> Chart:
    """C6, or the curve of a single knob."""
    grid = grid_of(question)
    if len(grid.paths) == 1:
        return _curve(found, question, best, grid)
    metric = decider(question)
    cells = {
        place: MapCell(
            summary.index,
            summary.metrics.get(metric),
            verdict_of(found.spec.objectives, summary),
            summary.index in found.partial,
        )
        for place, summary in _flat(grid, found, metric).items()
    }
    at = {cell.index: place for place, cell in cells.items()}
    chosen = at.get(best.chosen.index) if best.chosen else None
    marks = MapMarks(_bound(found, metric), chosen, _current(grid, found.answers.get(0)))
    x, y = (Axis(_with_unit(found, path), _labels(grid.values[place])) for place, path in enumerate(grid.paths[:2]))
    sentence = _map_sentence(found, cells)
    return map_chart(
        x, y, cells, metric=metric_title(metric), unit=BY_NAME[metric].unit, marks=marks, sentence=sentence
    )


def front_picture(found: Experiment, question: Optimize, best: Best) -> Chart:
    """C7."""
    metric = decider(question)
    resource = next(iter(resources(question)), "threads")
    named = _named(best)
    paid = []
    for summary in found.answers.values():
        value = summary.metrics.get(metric)
        if value is not None:
            verdict = verdict_of(found.spec.objectives, summary)
            label = settings_text(found.spec, summary.overrides)
            paid.append(Paid(_spent(found, resource, summary), value, label, verdict, named.get(summary.index, "")))
    cost = _title(found, resource) if "." in resource else resource.capitalize()
    sentence = f"Each point is a setting; the line joins those that nothing with less {cost.lower()} beats."
    return front_chart(paid, cost=cost, metric=metric_title(metric), unit=BY_NAME[metric].unit, sentence=sentence)


def runs_picture(found: Experiment, question: Optimize) -> Chart:
    """C13."""
    answers = [summary for summary in found.answers.values() if summary.status != "unstable"]
    paths = [axis.path for axis in question.knobs]
    names = [name for name in dict.fromkeys((decider(question), *IN_LINES)) if any(name in a.metrics for a in answers)]
    columns = [_knob_column(found, path, answers) for path in paths]
    columns += [_metric_column(name, answers) for name in names]
    verdicts = [verdict_of(found.spec.objectives, summary) for summary in answers]
    left = len(found.answers) - len(answers)
    sentence = f"{len(answers)} settings with an answer" + (f"; {left} more are unstable." if left else ".")
    return runs_chart(columns, verdicts, sentence=sentence)


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
        objective=_bound(found, metric),
        marks=marks,
        axis_unit="messages/s" if today else "1",
        sentence=f"{metric_title(metric)} with its 95 % band; unstable rates have no value.",
    )


def sensitivity_picture(found: Experiment, question: SensitivityQuestion, effects: Sequence[Effect]) -> Chart:
    """C8."""
    bars = [
        Bar(
            title=_title(found, effect.path),
            low=effect.low.difference,
            high=effect.high.difference,
            low_label=_value(found, effect.path, effect.low.value),
            high_label=_value(found, effect.path, effect.high.value),
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
    unstable = [_value(found, effect.path, end.value) for end in (effect.low, effect.high) if _is_unstable(end)]
    return f"unstable at {' and '.join(unstable)}" if unstable else ""


def _is_unstable(end: End) -> bool:
    return end.status == "unstable"


def _curve(found: Experiment, question: Optimize, best: Best, grid: Grid) -> Chart:
    path, metric = grid.paths[0], decider(question)
    labels = _labels(grid.values[0])
    cells = cells_of(grid, found.answers)
    places = [Along(at, labels[at], cells[at,].metrics.get(metric)) for at in range(len(labels)) if (at,) in cells]
    chosen = next((p for p in places if best.chosen and cells[int(p.at),].index == best.chosen.index), None)
    return along_chart(
        places,
        title=_title(found, path),
        metric=metric_title(metric),
        unit=BY_NAME[metric].unit,
        objective=_bound(found, metric),
        axis_unit=_unit(found, path),
        chosen=chosen,
        sentence=f"{metric_title(metric)} with its 95 % band at each value; unstable values have none.",
    )


def _flat(grid: Grid, found: Experiment, metric: str) -> dict[Cell, PointSummary]:
    """Two knobs as they are; of further knobs the value that is best at each place."""
    flat: dict[Cell, PointSummary] = {}
    for cell, summary in cells_of(grid, found.answers).items():
        place = (cell[0], cell[1])
        held = flat.get(place)
        if held is None or _height(summary, metric) < _height(held, metric):
            flat[place] = summary
    return flat


def _height(summary: PointSummary, metric: str) -> float:
    estimate = summary.metrics.get(metric)
    return estimate.value if estimate else float("inf")


def _map_sentence(found: Experiment, cells: dict[Cell, MapCell]) -> str:
    counts = {
        name: sum(cell.verdict == name for cell in cells.values()) for name in ("met", "missed", "unsure", "unstable")
    }
    texts = {"met": "meet the objectives", "missed": "miss them", "unsure": "are undecided", "unstable": "are unstable"}
    said = ", ".join(f"{counts[name]} {text}" for name, text in texts.items() if counts[name])
    bound = "inside the line" if found.spec.objectives else "of the map"
    return (
        f"Of {len(cells)} simulated cells {said}."
        if found.spec.objectives
        else f"{len(cells)} simulated cells {bound}."
    )


def _current(grid: Grid, base: PointSummary | None) -> tuple[float, float] | None:
    """Where the scenario's own values lie on both axes, between two values where need be."""
    if base is None:
        return None
    places = [_place(grid.values[axis], base.overrides.get(path)) for axis, path in enumerate(grid.paths[:2])]
    first, second = places
    return None if first is None or second is None else (first, second)


def _place(values: Sequence[Any], value: Any) -> float | None:
    if value in values:
        return float(list(values).index(value))
    numbers = [item for item in (*values, value) if isinstance(item, int | float) and not isinstance(item, bool)]
    if len(numbers) <= len(values):
        return None
    for at in range(len(values) - 1):
        low, high = sorted((values[at], values[at + 1]))
        if low <= value <= high:
            return float(at + (value - values[at]) / (values[at + 1] - values[at]))
    return None


def _bound(found: Experiment, metric: str) -> float | None:
    return next((item.at_most for item in found.spec.objectives if item.metric == metric and item.at_most), None)


def _named(best: Best) -> dict[int, str]:
    names = {0: "current"}
    if best.runner_up is not None:
        names[best.runner_up.index] = "runner-up"
    if best.chosen is not None:
        names[best.chosen.index] = "recommended" if best.chosen.index else "recommended, current"
    return names


def _spent(found: Experiment, resource: str, summary: PointSummary) -> float:
    if resource in RESOURCES:
        return RESOURCES[resource](with_overrides(found.spec, summary.overrides))
    return float(summary.overrides[resource])


def _knob_column(found: Experiment, path: str, answers: Sequence[PointSummary]) -> Column:
    given = [summary.overrides.get(path) for summary in answers]
    order = {repr(value): float(place) for place, value in enumerate(dict.fromkeys(given))}
    numeric = all(isinstance(value, int | float) and not isinstance(value, bool) for value in given)
    values = tuple(float(value) if numeric else order[repr(value)] for value in given)  # type: ignore[arg-type]
    return Column(_title(found, path), values, tuple(_value(found, path, value) for value in given))


def _metric_column(name: str, answers: Sequence[PointSummary]) -> Column:
    estimates: list[Estimate | None] = [summary.metrics.get(name) for summary in answers]
    texts = tuple(str(estimate_quantity(item)) if item else "–" for item in estimates)
    return Column(metric_title(name), tuple(item.value if item else None for item in estimates), texts)


def _labels(values: Sequence[Any]) -> tuple[str, ...]:
    return tuple(plain(value) for value in values)


def _with_unit(found: Experiment, path: str) -> str:
    unit = _unit(found, path)
    return f"{_title(found, path)} [{unit}]" if unit != "1" else _title(found, path)


def _unit(found: Experiment, path: str) -> str:
    ends = {"rate": "/s", "mean": "s", "cpus": "CPUs"}
    return setting_units(found.spec).get(path) or ends.get(path.rsplit(".", 1)[-1], "1")


def _value(found: Experiment, path: str, value: Any) -> str:
    if path == ARRIVALS:
        return f"× {plain(value)}"
    return plain(value) if isinstance(value, bool | str) else setting_text(value, _unit(found, path))


def _title(found: Experiment, path: str) -> str:
    return setting_title(found.spec, path)
