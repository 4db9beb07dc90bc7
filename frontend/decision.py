"""What a report decides, and on what it rests: drawn from the frozen payload alone."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from frontend.sentences import good_points, growth_sentence, is_saturated, point_at, run_sentences
from frontend.wording import bound_text, estimate_quantity, metric_title, quantity
from planner.objectives import Verdict, objective_verdicts
from planner.selectors import StoredPoint
from simulations.analysis.summary import Estimate
from simulations.scenario import ScenarioSpec


@dataclass(frozen=True)
class Judged:
    """An objective at the point that the report recommends."""

    title: str
    bound: str
    value: str
    word: str


@dataclass(frozen=True)
class Decision:
    """The line on top, until when it holds, and what else was in reach."""

    line: str
    holds: str
    chosen: StoredPoint | None
    runner_up: str
    nothing_done: str


def decision(
    payload: Mapping[str, Any], spec: ScenarioSpec, points: Sequence[StoredPoint], own: StoredPoint | None, setting: str
) -> Decision:
    """Return the decision: change a value, keep it, or what the one point says; ``own`` is the present setting."""
    good = good_points(spec, points)
    if len(points) < 2 or not good:
        sentences = run_sentences(spec, points, (), setting)
        return Decision(sentences[0] if sentences else "", _holds(payload, own), own, "", "")
    best, estimate = good[0]
    path = spec.sweep[0].path
    present = own.overrides[path] if own else None
    what = "throughput" if is_saturated(spec) else "p95"
    value = estimate_quantity(estimate)
    if own is None:
        line, nothing = f"Set {setting} to {best.overrides[path]}: {what} is {value}.", ""
    elif own.index == best.index or any(point.index == own.index for point, _ in good):
        best, line, nothing = own, f"Keep {setting} at {present}: {what} is {_at(own, spec)}.", ""
    else:
        line = f"Change {setting} from {present} to {best.overrides[path]}: {what} becomes {value}."
        nothing = f"With {present} as it is now: {_at(own, spec)}."
    others = [(point, item) for point, item in good if point.index != best.index]
    runner = f"{setting} {others[0][0].overrides[path]}: {estimate_quantity(others[0][1])}" if others else ""
    return Decision(line, _holds(payload, best), best, runner, nothing)


def judged_objectives(spec: ScenarioSpec, chosen: StoredPoint | None) -> tuple[Judged, ...]:
    """Return every objective with its value and interval at the recommended point."""
    if chosen is None:
        return ()
    here = point_at(spec, chosen)
    return tuple(
        Judged(
            title=" · ".join(filter(None, (metric_title(item.objective.metric), item.objective.queue))),
            bound=bound_text(item.objective),
            value=str(estimate_quantity(item.estimate)) if item.estimate else "no value",
            word=_word(item),
        )
        for item in objective_verdicts(here.objectives, chosen.summary)
    )


def assumptions(payload: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Return the settings whose value or meaning no source states."""
    return [row for row in payload["settings"] if row["trust"] != "source"]


def csv_rows(payload: Mapping[str, Any]) -> list[list[Any]]:
    """Return the results as a tidy table: one row per point, queue and metric, numbers in base units."""
    paths = [axis["path"] for axis in payload["question"]["sweep"]]
    rows: list[list[Any]] = [[*paths, "status", "queue", "metric", "value", "low", "high", "unit", "origin"]]
    for point in payload["points"]:
        summary = point["summary"]
        swept = [summary["overrides"].get(path, "") for path in paths]
        for queue, metrics in (("", summary["metrics"]), *summary["queues"].items()):
            for name, item in metrics.items():
                estimate = Estimate(**item)
                numbers = [estimate.value, estimate.low, estimate.high, estimate.unit, estimate.origin]
                rows.append([*swept, summary["status"], queue, name, *numbers])
    return rows


def _at(point: StoredPoint, spec: ScenarioSpec) -> str:
    if point.summary.status == "unstable":
        return growth_sentence(point.summary).rstrip(".").lower()
    found = point.summary.metrics.get("throughput" if is_saturated(spec) else "latency.p95")
    return str(estimate_quantity(found)) if found else "unknown"


def _holds(payload: Mapping[str, Any], point: StoredPoint | None) -> str:
    """Until when: the rate that the settings carry, where a formula gives it."""
    if point is None:
        return ""
    rates = [item for item in payload["points"][point.index]["derived"] if item["name"] == "carried_rate"]
    carried = ", ".join(f"{item['entity']} {quantity(item['value'], '/s')}" for item in rates)
    return f"Holds while less arrives than these settings carry: {carried}. Check again before." if carried else ""


def _word(verdict: Verdict) -> str:
    if verdict.unresolved:
        return "not resolved"
    return "met" if verdict.met else "missed"
