"""The one answer of a run that lists show: which point it is, its numbers, and whether the objectives are met."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

from planner.answers.summaries import estimate_plain
from planner.answers.values import plain
from planner.models import Run, RunKind
from simulations.analysis.estimates.summary import PointSummary
from simulations.experiment import changes_nothing
from simulations.experiment.headrooms import headroom_of
from simulations.experiment.questions import stored_question
from simulations.experiment.verdicts import objective_verdicts
from simulations.scenario.runsettings import Objective

SHOWN = ("latency.p95", "throughput")


def run_headline(run: Run, summaries: Sequence[PointSummary]) -> dict[str, Any]:
    """Return the headline of a finished run; of the experiments only those about headroom have one.

    That is by which factor all arrivals can grow, with the ends of its interval; ``missed`` None: no limit.
    """
    if run.kind == RunKind.HEADROOM:
        objectives = stored_question(run.question).subject_to or ()
        headroom = headroom_of(objectives, {summary.index: summary for summary in summaries})
        return {"headroom": {name: getattr(headroom, name) for name in ("carried", "low", "high", "missed")}}
    if run.kind != RunKind.RUN or not summaries:
        return {}
    return headline_body(headline_point(run.spec, summaries))


def headline_point(body: Mapping[str, Any], summaries: Sequence[PointSummary]) -> PointSummary:
    """Return the point at the settings of the scenario itself, else the one with the lowest p95, else the first.

    ``body`` is the scenario's; points that are no scenario do not count.
    """
    valid = [item for item in summaries if item.status != "invalid"]
    own = [item for item in valid if changes_nothing(body, item.overrides)]
    known = [item for item in summaries if SHOWN[0] in item.metrics]
    rated = sorted(known, key=lambda item: item.metrics[SHOWN[0]].value)
    return next(iter([*own, *rated, *valid]))


def headline_body(summary: PointSummary) -> dict[str, Any]:
    """Return the headline as JSON values: index, overrides and status of the point, and the estimates of ``SHOWN``."""
    known = [(name, summary.metrics[name]) for name in SHOWN if name in summary.metrics]
    metrics = {name: estimate_plain(it) for name, it in known if math.isfinite(it.value + it.low + it.high)}
    about = {"index": summary.index, "overrides": plain(summary.overrides), "status": summary.status}
    return {**about, "metrics": metrics}


def verdict_word(objectives: Sequence[Objective], summary: PointSummary) -> str:
    """Return met, missed, unresolved (nothing missed, a bound lies in an interval), or empty: nothing to judge."""
    words = {verdict.word for verdict in objective_verdicts(objectives, summary)}
    return next((word for word in ("missed", "unresolved", "met") if word in words), "")
