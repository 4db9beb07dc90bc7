"""From an experiment's answers to its charts: units, labels and places; the figures themselves are in charts."""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from frontend.charts import swept
from frontend.charts.chart import Chart, Column
from frontend.charts.explore.choice import Bar, Paid, front_chart, runs_chart, tornado_chart
from frontend.charts.explore.map import Axis, Cell, MapCell, MapMarks, along_chart, headroom_chart, map_chart
from frontend.charts.parts import scaled
from frontend.wording.numbers import counted, is_number, metric_title, place_names, setting_text, titled, value_text
from planner.selectors import Experiment
from simulations.analysis.estimates.metrics import BY_NAME
from simulations.analysis.estimates.summary import PointSummary, Scale, estimate_text, scale_of
from simulations.experiment.arrivals import mean_rate, peak_rate
from simulations.experiment.choice import Best, resources, spent
from simulations.experiment.grids import Grid, cells_of, grid_of
from simulations.experiment.headrooms import Headroom
from simulations.experiment.questions import HeadroomQuestion, Optimize, SensitivityQuestion, Sweep
from simulations.experiment.sensitivities import Effect
from simulations.experiment.verdicts import verdict_of
from simulations.experiment.words import counts_text, plain, setting_title, settings_text, unit_of

IN_LINES = ("latency.p95", "throughput", "threads.busy", "overtaken_fraction", "drain_time", "batch.mean_size")
COSTS = {"cpus": "CPUs"}
"""Names of resources that are not written like other words."""


def choice_charts(found: Experiment, question: Optimize, best: Best, tab: str) -> tuple[Chart, ...]:
    """Return the chart of a tab of a search."""
    match tab:
        case "front":
            return (front_picture(found, question, best),)
        case "all":
            return (runs_picture(found, question),)
    return (map_picture(found, question, best.chosen.index if best.chosen else None),)


def map_picture(found: Experiment, question: Optimize | Sweep, chosen_index: int | None) -> Chart:
    """Return C6, or the curve of a single knob."""
    grid = grid_of(question)
    metric = question.decider if isinstance(question, Optimize) else question.kpi
    if len(grid.paths) == 1:
        return _curve(found, metric, chosen_index, grid)
    objectives = found.spec.objectives
    cells = {
        place: MapCell(item.index, item.metrics.get(metric), verdict_of(objectives, item), item.index in found.partial)
        for place, item in _flat(grid, found, metric).items()
    }
    chosen = next((place for place, cell in cells.items() if cell.index == chosen_index), None)
    marks = MapMarks(_bound(found, metric), chosen, _current(grid, found.answers.get(0)))
    x, y = (
        Axis(titled(setting_title(found.spec, path), unit_of(found.spec, path)), tuple(map(plain, values)))
        for path, values in zip(grid.paths[:2], grid.values, strict=False)
    )
    return map_chart(x, y, cells, metric=metric, marks=marks, sentence=_map_sentence(found, cells))


def front_picture(found: Experiment, question: Optimize, best: Best) -> Chart:
    """Return C7."""
    metric, names = question.decider, _names(best)
    resource = next(iter(resources(question)), "threads")
    paid = [
        Paid(
            cost=spent(resource, found.spec, summary),
            value=summary.metrics[metric],
            label=settings_text(found.spec, summary.overrides),
            verdict=verdict_of(found.spec.objectives, summary),
            name=names.get(summary.index, ""),
        )
        for summary in found.answers.values()
        if metric in summary.metrics
    ]
    cost = setting_title(found.spec, resource) if "." in resource else COSTS.get(resource, resource.capitalize())
    sentence = f"The line joins the points that nothing at a lower cost beats. Cost: {cost}."
    return front_chart(paid, cost=cost, metric=metric, sentence=sentence)


def runs_picture(found: Experiment, question: Optimize) -> Chart:
    """Return C13."""
    answers = [summary for summary in found.answers.values() if summary.status != "unstable"]
    names = [name for name in dict.fromkeys((question.decider, *IN_LINES)) if any(name in a.metrics for a in answers)]
    columns = [_knob_column(found, axis.path, answers) for axis in question.knobs]
    columns += [_metric_column(name, answers) for name in names]
    verdicts = [verdict_of(found.spec.objectives, summary) for summary in answers]
    left = len(found.answers) - len(answers)
    rest = f"; {left} more {'is' if left == 1 else 'are'} unstable" if left else ""
    return runs_chart(columns, verdicts, sentence=f"{counted(len(answers), 'point')} with an answer{rest}.")


def headroom_picture(found: Experiment, question: HeadroomQuestion, headroom: Headroom) -> Chart:
    """Return C9."""
    today, metric = mean_rate(found.spec), question.kpi
    by = today if today is not None else 1.0
    places = [
        swept.Swept.of(summary, setting_text(factor * by, "/s") if today else plain(factor), factor * by)
        for factor, summary in headroom.tried.items()
    ]
    marks = _rates(question.peak if question.peak is not None else peak_rate(found.spec), by, headroom)
    near = [place for place in places if metric in place.metrics or (place.number or 0.0) <= 2 * max(marks.values())]
    title, unit = ("arrival rate", "messages/s") if today else ("arrivals, times today's", "1")
    sentence = f"{metric_title(metric)} with its 95 % band; unstable rates have no value."
    sweep, bound = swept.Sweep(title, unit, near), _bound(found, metric)
    return headroom_chart(sweep, metric, objective=bound, marks=marks, sentence=sentence)


def sensitivity_picture(found: Experiment, question: SensitivityQuestion, effects: Sequence[Effect]) -> Chart:
    """Return C8."""
    sentence = "Each input alone, lower and higher, compared replication by replication with the scenario as it is."
    titles = place_names(found.spec, [effect.path for effect in effects])
    bars = [_bar(found, effect, titles[effect.path]) for effect in effects]
    return tornado_chart(bars, metric=question.kpi, sentence=sentence)


def _bound(found: Experiment, metric: str) -> float | None:
    """The largest value that the objectives allow the metric of the whole system, which is drawn."""
    whole = [item for item in found.spec.objectives if item.queue is None or len(found.spec.queues) == 1]
    return next((item.at_most for item in whole if item.metric == metric and item.at_most), None)


def _rates(peak: float | None, today: float, headroom: Headroom) -> dict[str, float]:
    """The rates that are marked, by name."""
    marks = {"today": today}
    if peak is not None:
        marks |= {"peak": peak, "1.5 × peak": 1.5 * peak} if peak != today else {"1.5 × today": 1.5 * today}
    if headroom.carried and headroom.missed is not None:
        marks["objective crossed"] = today * (headroom.carried * headroom.missed) ** 0.5
    if headroom.unstable is not None and headroom.stable:
        marks["stability limit"] = today * (headroom.stable * headroom.unstable) ** 0.5
    return marks


def _bar(found: Experiment, effect: Effect, title: str) -> Bar:
    ends = (effect.low, effect.high)
    low, high = (value_text(found.spec, effect.path, end.value) for end in ends)
    unstable = [text for end, text in zip(ends, (low, high), strict=True) if end.status == "unstable"]
    note = f"unstable at {' and '.join(unstable)}" if unstable else ""
    return Bar(title, effect.low.difference, effect.high.difference, low, high, note)


def _curve(found: Experiment, metric: str, chosen_index: int | None, grid: Grid) -> Chart:
    path, cells = grid.paths[0], cells_of(grid, found.answers)
    known = [(cells[at,], value) for at, value in enumerate(grid.values[0]) if (at,) in cells]
    chosen = next((place for place, (summary, _) in enumerate(known) if summary.index == chosen_index), None)
    title, unit = setting_title(found.spec, path), unit_of(found.spec, path)
    sweep = swept.Sweep(title, unit, [swept.Swept.of(summary, plain(value), value) for summary, value in known])
    sentence = f"{metric_title(metric)} with its 95 % band at each value; where it is shaded messages pile up."
    return along_chart(sweep, metric, objective=_bound(found, metric), chosen=chosen, sentence=sentence)


def _flat(grid: Grid, found: Experiment, metric: str) -> dict[Cell, PointSummary]:
    """Two knobs as they are; of further knobs the value that is best at each place."""
    flat: dict[Cell, PointSummary] = {}
    for cell, summary in cells_of(grid, found.answers).items():
        held = flat.get((cell[0], cell[1]))
        if held is None or _height(summary, metric) < _height(held, metric):
            flat[cell[0], cell[1]] = summary
    return flat


def _height(summary: PointSummary, metric: str) -> float:
    estimate = summary.metrics.get(metric)
    return estimate.value if estimate else float("inf")


def _map_sentence(found: Experiment, cells: Mapping[Cell, MapCell]) -> str:
    if not found.spec.objectives:
        return f"The map has {counted(len(cells), 'simulated point')}."
    verdicts = counts_text(Counter(cell.verdict for cell in cells.values()))
    return f"Of {counted(len(cells), 'simulated point')} {verdicts}."


def _current(grid: Grid, base: PointSummary | None) -> tuple[float, float] | None:
    """Where the scenario's own values lie on both axes, between two values where need be."""
    if base is None:
        return None
    first, second = (_place(grid.values[at], base.overrides.get(path)) for at, path in enumerate(grid.paths[:2]))
    return None if first is None or second is None else (first, second)


def _place(values: Sequence[Any], value: Any) -> float | None:
    if value in values:
        return float(list(values).index(value))
    if not all(map(is_number, (*values, value))):
        return None
    for at, (first, second) in enumerate(pairwise(values)):
        if min(first, second) <= value <= max(first, second):
            return float(at + (value - first) / (second - first))
    return None


def _names(best: Best) -> dict[int, str]:
    """Names of the few points that have one, by index."""
    names = {0: "current"}
    if best.runner_up is not None:
        names[best.runner_up.index] = "runner-up"
    if best.chosen is not None:
        names[best.chosen.index] = "recommended" if best.chosen.index else "recommended, current"
    return names


def _knob_column(found: Experiment, path: str, answers: Sequence[PointSummary]) -> Column:
    title, values = setting_title(found.spec, path), [summary.overrides.get(path) for summary in answers]
    texts = tuple(value_text(found.spec, path, value) for value in values)
    if all(map(is_number, values)):
        numbers: list[float] = [float(value or 0) for value in values]
        scale = scale_of(max(numbers, default=1.0), unit_of(found.spec, path))
        return Column(title, tuple(scaled(numbers, scale.factor)), texts, scale.unit)
    order = {text: float(place) for place, text in enumerate(dict.fromkeys(texts))}
    return Column(title, tuple(order[text] for text in texts), texts, choices=tuple(order))


def _metric_column(name: str, answers: Sequence[PointSummary]) -> Column:
    estimates = [summary.metrics.get(name) for summary in answers]
    values = [item.value if item else None for item in estimates]
    largest, unit = max((value for value in values if value is not None), default=1.0), BY_NAME[name].unit
    scale = Scale(100.0, "%") if unit == "1" else scale_of(largest, unit)
    return Column(
        metric_title(name), tuple(scaled(values, scale.factor)), tuple(map(estimate_text, estimates)), scale.unit
    )
