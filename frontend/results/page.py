"""The context of the results page: the answer of a run, whole or partial, or why it failed."""

import re
from collections.abc import Sequence
from typing import Any
from urllib.parse import urlencode

from django.http import QueryDict

from frontend.answers.assumptions import run_assumptions
from frontend.answers.point import Answer, formula_answer, point_answer
from frontend.answers.sentences import point_at
from frontend.answers.sweeps import answer_context, point_label
from frontend.answers.throttle_closeup import courses
from frontend.charts.curves import PERCENTILES
from frontend.wording.numbers import TEXTS, place_text
from planner import selectors
from planner.answers.choice import choice_of
from planner.models import Run
from planner.selectors import Person, StoredPoint
from planner.selectors.comparison import MOST
from simulations.analysis.estimates.summary import precision_text
from simulations.experiment.words import setting_title
from simulations.scenario.spec import ScenarioSpec

CAUSES = TEXTS["failures"]
_POINT = re.compile(r"point (\d{1,9}) \(")


def result_page(run: Run, asked: QueryDict) -> dict[str, Any]:
    """Return what the template needs.

    ``asked``: ``point`` is an index, ``queue`` the one whose charts are drawn (the first when there is no such queue),
    ``p`` are percentiles like ``p95``.
    """
    point, queue = asked.get("point", ""), asked.get("queue", "")
    spec = run.parsed
    points = selectors.run_points(run=run)
    chosen, best = chosen_point(spec, points, point), choice_of(spec, points).chosen
    percentiles = [name for name in PERCENTILES if short_name(name) in asked.getlist("p")]
    names = [item.name for item in spec.queues]
    drawn = queue if queue in names else names[0]
    answer = stored_answer(run, spec, chosen, [drawn]) if chosen else None
    setting = " · ".join(setting_title(spec, axis.path) for axis in spec.sweep)
    choices = [{"index": item.index, "label": point_label(spec, item)} for item in points]
    return {
        **answer_context(spec, points, chosen, answer, setting, run.headline, percentiles),
        "run": run,
        "place": selectors.run_place(run=run),
        "mark": selectors.run_points_mark(run=run),
        "scenario": run.version.scenario,
        "version": run.version,
        "points": choices if len(points) > 1 else [],
        "compared": _compared(run, points, chosen, best),
        "exported": chosen if point else best or chosen,
        "shown_points": [str(item.index) for item in points if item.summary.status != "invalid"],
        "chosen": chosen,
        "queues": names if len(names) > 1 else [],
        "queue": drawn,
        "formula": None if points or run.final else formula_answer(spec),
        "assumptions": run_assumptions(run, point_at(spec, chosen)) if chosen else (),
        "open": _imprecise(spec, points) if run.final else (),
    }


def short_name(percentile: str) -> str:
    """Return what an address calls a percentile of the latency, for example ``p95``."""
    return percentile.removeprefix("latency.")


def stored_answer(run: Run, spec: ScenarioSpec, point: StoredPoint, queues: Sequence[str]) -> Answer:
    """Return the answer of one stored point with the charts of the ``queues``."""
    here = point_at(spec, point)
    claims = selectors.run_claims(run=run, point=point)
    derivation = here.family.derive(here.system)
    return point_answer(
        here,
        point.summary,
        derived=derivation.values,
        claims=claims,
        courses=courses(here, point.summary),
        provenance="final" if not point.partial else "simulated",
        queues=queues,
    )


def chosen_point(spec: ScenarioSpec, points: Sequence[StoredPoint], wanted: str) -> StoredPoint | None:
    """Return the point asked for, else the one at the scenario's own settings, else the recommended one."""
    by_index = {str(item.index): item for item in points if item.summary.status != "invalid"}
    return by_index.get(wanted) or selectors.own_point(spec, points)


def failure_of(*, run: Run, user: Person) -> dict[str, Any] | None:
    """Return why the run failed as far as ``user`` may know; None of a run that has not failed.

    That is the cause and its messages, the ``values`` of the point that failed, the ``log`` for the staff. A failure of
    ours says nothing but the ``number`` to report.
    """
    if not run.error:
        return None
    message, number = str(run.error.get("message", "")), str(run.error.get("id", ""))
    named = _POINT.match(message)
    points = {point.index: point for point in run.expansion.points} if named else {}
    point = points.get(int(named[1])) if named else None
    return {
        "cause": CAUSES.get(run.error.get("code", ""), "It could not be computed:"),
        "messages": () if number else message.splitlines(),
        "values": place_text(run.parsed, point.overrides) if point else "",
        "number": number,
        "log": selectors.job_log(user=user, key=run.pk),
    }


def _compared(run: Run, points: Sequence[StoredPoint], chosen: StoredPoint | None, best: StoredPoint | None) -> str:
    """The query that compares the point shown, as the baseline, with the recommended one and as many others as fit."""
    leading = [item.index for item in (chosen, best) if item]
    compared = sorted(list(dict.fromkeys((*leading, *(item.index for item in points))))[:MOST])
    ids = [("id", f"{run.pk}:{index}") for index in compared]
    return urlencode([*ids, ("baseline", str(compared.index(chosen.index) if chosen else 0))], safe=":")


def _imprecise(spec: ScenarioSpec, points: Sequence[StoredPoint]) -> tuple[str, ...]:
    """What was reached where it is less than asked, for example ``± 3.1 % at Maximum sessions 36``."""
    told = []
    for point in (item for item in points if item.summary.status == "not_converged"):
        estimate, where = point.summary.metrics.get(spec.run.precision.metric), place_text(spec, point.overrides)
        known = estimate if estimate and estimate.value else None
        reached = precision_text(known.half_width / abs(known.value)) if known else "no interval"
        told.append(f"{reached} at {where}" if where else reached)
    return tuple(told)
