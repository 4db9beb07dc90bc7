"""From an experiment's answers to its charts: units, labels and places; the figures themselves are in charts."""

from collections.abc import Sequence
from typing import Any

from frontend.charts.chart import Chart
from frontend.charts.explore_choice import Paid, front_chart
from frontend.charts.explore_lines import Along, along_chart
from frontend.charts.explore_map import Axis, Cell, MapCell, MapMarks, map_chart
from frontend.charts.explore_runs import Column, runs_chart
from frontend.charts.parts import scaled
from frontend.explore.labels import bound_of, labels, with_unit
from frontend.wording.numbers import counted, metric_title
from frontend.wording.setting_names import value_text
from planner.selectors import Experiment
from simulations.analysis.estimates.metrics import BY_NAME
from simulations.analysis.estimates.quantities import Scale, estimate_text, scale_of
from simulations.analysis.estimates.summary import Estimate, PointSummary
from simulations.experiment.choice import Best, decider, resources
from simulations.experiment.grids import Grid, cells_of, grid_of
from simulations.experiment.names import RESOURCES
from simulations.experiment.points import with_overrides
from simulations.experiment.questions import Optimize, Sweep
from simulations.experiment.verdicts import verdict_of
from simulations.experiment.words import setting_title, settings_text, unit_of

IN_LINES = ("latency.p95", "throughput", "threads.busy", "overtaken_fraction", "drain_time", "batch.mean_size")

COSTS = {"cpus": "CPUs"}
"""Names of resources that are not written like other words."""


def choice_charts(found: Experiment, question: Optimize, best: Best, tab: str) -> tuple[Chart, ...]:
    """Return the chart of a tab of a search."""
    if tab == "front":
        return (front_picture(found, question, best),)
    if tab == "all":
        return (runs_picture(found, question),)
    return (map_picture(found, question, best.chosen.index if best.chosen else None),)


def map_picture(found: Experiment, question: Optimize | Sweep, chosen_index: int | None) -> Chart:
    """C6, or the curve of a single knob."""
    grid = grid_of(question)
    metric = decider(question) if isinstance(question, Optimize) else question.kpi
    if len(grid.paths) == 1:
        return _curve(found, metric, chosen_index, grid)
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
    chosen = None if chosen_index is None else at.get(chosen_index)
    marks = MapMarks(bound_of(found, metric), chosen, _current(grid, found.answers.get(0)))
    x, y = (Axis(with_unit(found, path), labels(grid.values[place])) for place, path in enumerate(grid.paths[:2]))
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
    cost = setting_title(found.spec, resource) if "." in resource else COSTS.get(resource, resource.capitalize())
    sentence = f"The line joins the points that nothing at a lower cost beats. Cost: {cost}."
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
    rest = f"; {left} more {'is' if left == 1 else 'are'} unstable" if left else ""
    sentence = f"{counted(len(answers), 'point')} with an answer{rest}."
    return runs_chart(columns, verdicts, sentence=sentence)


def _curve(found: Experiment, metric: str, chosen_index: int | None, grid: Grid) -> Chart:
    path = grid.paths[0]
    titles = labels(grid.values[0])
    cells = cells_of(grid, found.answers)
    places = [Along(at, titles[at], cells[at,].metrics.get(metric)) for at in range(len(titles)) if (at,) in cells]
    chosen = next((place for place in places if cells[int(place.at),].index == chosen_index), None)
    return along_chart(
        places,
        title=setting_title(found.spec, path),
        metric=metric_title(metric),
        unit=BY_NAME[metric].unit,
        objective=bound_of(found, metric),
        axis_unit=unit_of(found.spec, path),
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
    one = {"met": "meets the objectives", "missed": "misses them", "unsure": "is undecided", "unstable": "is unstable"}
    more = {"met": "meet the objectives", "missed": "miss them", "unsure": "are undecided", "unstable": "are unstable"}
    said = ", ".join(f"{count} {(one if count == 1 else more)[name]}" for name, count in counts.items() if count)
    if not found.spec.objectives:
        return f"The map has {counted(len(cells), 'simulated point')}."
    return f"Of {counted(len(cells), 'simulated point')} {said}."


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
    texts = tuple(value_text(found.spec, path, value) for value in given)
    if all(isinstance(value, int | float) and not isinstance(value, bool) for value in given):
        scale = scale_of(max(map(float, given), default=1.0), unit_of(found.spec, path))  # type: ignore[arg-type]
        return Column(setting_title(found.spec, path), tuple(scaled(given, scale.factor)), texts, scale.unit)
    order = {text: float(place) for place, text in enumerate(dict.fromkeys(texts))}
    return Column(setting_title(found.spec, path), tuple(order[text] for text in texts), texts, choices=tuple(order))


def _metric_column(name: str, answers: Sequence[PointSummary]) -> Column:
    estimates: list[Estimate | None] = [summary.metrics.get(name) for summary in answers]
    texts = tuple(map(estimate_text, estimates))
    values = [item.value if item else None for item in estimates]
    largest, unit = max((value for value in values if value is not None), default=1.0), BY_NAME[name].unit
    scale = Scale(100.0, "%") if unit == "1" else scale_of(largest, unit)
    return Column(metric_title(name), tuple(scaled(values, scale.factor)), texts, scale.unit)
