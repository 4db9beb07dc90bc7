"""The context of a calibration's page: verdict, account of the rows, what was learnt of each queue."""

from collections.abc import Mapping
from typing import Any

from frontend.charts import telemetry as charts
from frontend.wording.numbers import TEXTS
from planner.models import Calibration
from simulations.analysis.estimates.summary import percent
from simulations.pipeline.telemetry.fitting.sample_fit import SOURCES


def calibration_page(calibration: Calibration) -> dict[str, Any]:
    """Return what the template needs."""
    result = calibration.result or {}
    before = calibration.before if result else None
    return {
        "before": before,
        "changes": calibration.changes_since(before) if before else (),
        "calibration": calibration,
        "step": TEXTS["calibration_steps"].get(calibration.progress.get("step", ""), ""),
        "result": result,
        "sources": SOURCES,
        "checks": result.get("checks", ()),
        "checks_chart": charts.checks_chart(result["checks"]) if result else None,
        "queues": [_queue(queue) for queue in result.get("queues", ())],
    }


def _queue(queue: Mapping[str, Any]) -> dict[str, Any]:
    """What is shown of a queue; samples have a course where messages have families and a curve."""
    times = charts.course_chart if "course" in queue else charts.service_chart
    drawn = [draw(queue) for draw in (charts.rate_chart, times, charts.week_chart, charts.dispersion_chart)]
    messages = max(1, queue["messages"])
    instances = [(name or "–", count, percent(count / messages)) for name, count in queue["instances"].items()]
    return {"found": queue, "charts": [chart for chart in drawn if chart is not None], "instances": instances}


def threads_text(seen: Mapping[str, Any]) -> str:
    """Return how many threads were seen, and what shows it."""
    if not seen["limited"]:
        return f"at least {seen['threads']}; nothing was seen waiting for a thread"
    if not seen["starts"]:
        return str(seen["threads"])
    share = f"{percent(seen['share'])} of {seen['starts']:,} starts with others waiting"
    return f"{seen['threads']} (as many were busy at {share})"
