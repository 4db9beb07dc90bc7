"""The context of the results page: the answer of a run, whole or partial."""

from collections.abc import Sequence
from typing import Any

from frontend.answers import Answer, point_answer
from frontend.charts.curves import PERCENTILES, SHOWN
from frontend.closeup import courses
from frontend.marks import latency_objective
from frontend.sentences import point_at, run_sentences
from frontend.settingnames import setting_titles
from frontend.sweeps import point_label, points_table, sweep_chart, sweep_details
from frontend.wording import setting_name, setting_text
from planner import selectors
from planner.models import Run
from planner.selectors import StoredPoint
from simulations.scenario import ScenarioSpec, parse


def result_page(run: Run, *, point: str = "", queue: str = "", shown: Sequence[str] = ()) -> dict[str, Any]:
    """Return what the template needs.

    ``point`` is an index as text, ``queue`` the one whose charts are drawn (the first when there is no such queue),
    ``shown`` percentiles like ``p95``.
    """
    spec = parse(run.spec)
    points = selectors.run_points(run=run)
    chosen = chosen_point(spec, points, point)
    percentiles = [name for name in PERCENTILES if name.removeprefix("latency.") in shown] or list(SHOWN)
    names = [item.name for item in spec.queues]
    drawn = queue if queue in names else names[0]
    answer = stored_answer(run, spec, chosen, [drawn]) if chosen else None
    headings, rows = points_table(points, [item.metric for item in spec.objectives])
    return {
        "run": run,
        "scenario": run.version.scenario,
        "version": run.version,
        "spec": spec,
        "points": [{"index": item.index, "label": point_label(item)} for item in points] if len(points) > 1 else [],
        "planned": run.plan["points"],
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
        "open": [item for item in points if item.summary.status == "not_converged"] if run.final else [],
        "objective": setting_text(bound, "s") if (bound := latency_objective(spec)) is not None else "",
    }


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


def _setting(spec: ScenarioSpec) -> str:
    if not spec.sweep:
        return ""
    path = spec.sweep[0].path
    return setting_titles(spec).get(path, setting_name(path))
