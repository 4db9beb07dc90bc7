"""The context of the results page: the answer of a run, whole or partial."""

from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import urlencode

from frontend.answers.assumptions import run_assumptions
from frontend.answers.live import formula_answer
from frontend.answers.marks import latency_objective
from frontend.answers.point import Answer, point_answer
from frontend.answers.sentences import point_at, run_sentences
from frontend.answers.sweeps import point_label, points_table, sweep_chart, sweep_details
from frontend.answers.throttle_closeup import courses
from frontend.charts.chart import Chart
from frontend.charts.curves import PERCENTILES, SHOWN
from frontend.wording.numbers import metric_title, setting_name, setting_text
from frontend.wording.setting_names import place_text, setting_titles
from planner import selectors
from planner.models import Run
from planner.selectors import StoredPoint
from simulations.analysis.estimates.quantities import precision_text
from simulations.scenario.spec import ScenarioSpec


def result_page(run: Run, *, point: str = "", queue: str = "", shown: Sequence[str] = ()) -> dict[str, Any]:
    """Return what the template needs.

    ``point`` is an index as text, ``queue`` the one whose charts are drawn (the first when there is no such queue),
    ``shown`` percentiles like ``p95``.
    """
    spec = run.parsed
    points = selectors.run_points(run=run)
    chosen = chosen_point(spec, points, point)
    percentiles = [name for name in PERCENTILES if short_name(name) in shown] or list(SHOWN)
    names = [item.name for item in spec.queues]
    drawn = queue if queue in names else names[0]
    answer = stored_answer(run, spec, chosen, [drawn]) if chosen else None
    headings, rows = points_table(spec, points)
    return {
        "run": run,
        "ahead": selectors.runs_ahead(run=run),
        "mark": selectors.run_points_mark(run=run),
        "scenario": run.version.scenario,
        "version": run.version,
        "spec": spec,
        "points": _choices(spec, points),
        "compared": _compared(run, points[:6], chosen),
        "planned": run.plan["points"],
        "shown_points": [str(item.index) for item in points if item.summary.status != "invalid"],
        "chosen": chosen,
        "queues": names if len(names) > 1 else [],
        "queue": drawn,
        "answer": answer,
        "sentences": run_sentences(spec, points, answer.claims if answer else (), _setting(spec)),
        "curve": sweep_chart(spec, points, percentiles),
        "details": sweep_details(spec, points),
        "headings": headings,
        "rows": rows,
        "setting": _setting(spec),
        "precision": _precision(spec),
        "formula": None if points or run.final else formula_answer(spec),
        "assumptions": run_assumptions(run, point_at(spec, chosen)) if chosen else (),
        "open": _imprecise(spec, points) if run.final else (),
        "objective": setting_text(bound, "s") if (bound := latency_objective(spec)) is not None else "",
    }


def short_name(percentile: str) -> str:
    """Return what an address calls a percentile of the latency, for example ``p95``."""
    return percentile.removeprefix("latency.")


def shown_charts(context: Mapping[str, Any]) -> list[Chart]:
    """Return every chart of a results page, in its order."""
    answer: Answer | None = context["answer"]
    curve = [context["curve"]] if context["curve"] else []
    return [*curve, *context["details"], *(answer.charts if answer else ())]


def stored_answer(run: Run, spec: ScenarioSpec, point: StoredPoint, queues: Sequence[str]) -> Answer:
    """Return the answer of one stored point with the charts of the ``queues``."""
    here = point_at(spec, point)
    claims = selectors.run_claims(run=run, point=point)
    derivation = here.family.derive(here.system)
    return point_answer(
        here,
        point.summary,
        sentences=(),
        derived=derivation.values,
        claims=claims,
        courses=courses(here, point.summary),
        provenance="final" if not point.partial else "simulated",
        queues=queues,
    )


def chosen_point(spec: ScenarioSpec, points: Sequence[StoredPoint], wanted: str) -> StoredPoint | None:
    """Return the point asked for, else the one at the scenario's own settings, else the first valid one."""
    by_index = {str(item.index): item for item in points if item.summary.status != "invalid"}
    return by_index.get(wanted) or selectors.own_point(spec, points)


def _compared(run: Run, points: Sequence[StoredPoint], chosen: StoredPoint | None) -> str:
    """The query that compares the points, with the one shown as the baseline where it is among them."""
    ids = [("id", f"{run.pk}:{item.index}") for item in points]
    return urlencode([*ids, ("baseline", str(chosen.index if chosen and chosen.index < len(points) else 0))], safe=":")


def _choices(spec: ScenarioSpec, points: Sequence[StoredPoint]) -> list[dict[str, Any]]:
    """The points among which the page lets choose; none where there is one."""
    if len(points) < 2:
        return []
    return [{"index": item.index, "label": point_label(spec, item)} for item in points]


def _precision(spec: ScenarioSpec) -> dict[str, str]:
    wanted = spec.run.precision
    return {"metric": metric_title(wanted.metric), "wanted": precision_text(wanted.relative)}


def _setting(spec: ScenarioSpec) -> str:
    titles = setting_titles(spec)
    return " · ".join(titles.get(axis.path, setting_name(axis.path)) for axis in spec.sweep)


def _imprecise(spec: ScenarioSpec, points: Sequence[StoredPoint]) -> tuple[str, ...]:
    """What was reached where it is less than asked, for example ``± 3.1 % at Maximum sessions 36``."""
    found = [point for point in points if point.summary.status == "not_converged"]
    parts = [(_reached(spec, point), place_text(spec, point.overrides)) for point in found]
    return tuple(f"{reached} at {where}" if where else reached for reached, where in parts)


def _reached(spec: ScenarioSpec, point: StoredPoint) -> str:
    """Half of the interval of the metric that decides the precision, relative to its value."""
    estimate = point.summary.metrics.get(spec.run.precision.metric)
    if estimate is None or not estimate.value:
        return "no interval"
    return precision_text(estimate.half_width / abs(estimate.value))
