"""The context of a calibration's page: verdict, account of the rows, what was learnt of each queue."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from frontend.charts.chart import Chart
from frontend.charts.telemetry import checks_chart, rate_chart, service_chart, week_chart
from frontend.wording import percent, quantity
from planner.models import Calibration

STEP_WORDS = {
    "reading": "Reading the log and putting bad rows aside",
    "counting": "Counting arrivals, times and deliveries",
    "fitting": "Fitting",
    "checking": "Predicting the held-out part and comparing",
}


@dataclass(frozen=True)
class QueueView:
    """What is shown of a queue: facts as pairs of name and text, and charts."""

    name: str
    facts: tuple[tuple[str, str], ...]
    families: tuple[Mapping[str, Any], ...]
    instances: tuple[tuple[str, int, str], ...]
    charts: tuple[Chart, ...]


def calibration_page(calibration: Calibration) -> dict[str, Any]:
    """Return what the template needs."""
    result = calibration.result or {}
    return {
        "calibration": calibration,
        "step": STEP_WORDS.get(calibration.progress.get("step", ""), ""),
        "result": result,
        "checks": result.get("checks", ()),
        "checks_chart": checks_chart(result["checks"]) if result else None,
        "queues": [_queue(queue) for queue in result.get("queues", ())],
    }


def _queue(queue: Mapping[str, Any]) -> QueueView:
    messages = queue["messages"]
    charts = (rate_chart(queue), service_chart(queue), week_chart(queue))
    return QueueView(
        name=queue["name"],
        facts=_facts(queue),
        families=tuple(queue["families"]),
        instances=tuple((name or "–", count, percent(count / messages)) for name, count in queue["instances"].items()),
        charts=tuple(chart for chart in charts if chart is not None),
    )


def _facts(queue: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
    threads, latency = queue["concurrency"], queue["latency"]
    seen = (
        f"{threads['threads']} ({percent(threads['share'])} of {threads['starts']:,} starts with others waiting)"
        if threads["limited"]
        else f"at least {threads['threads']}; nothing was seen waiting for a thread"
    )
    times = " · ".join(f"{name} {quantity(value, 's')}" for name, value in latency.items() if value is not None)
    return (
        ("Messages", f"{queue['messages']:,}"),
        ("Threads, all instances", seen),
        ("Latency", times),
        ("Failed deliveries", _interval(queue["failure_rate"])),
        ("Delivered again, per message", _interval(queue["redelivered"])),
        ("Expired", _interval(queue["expired"])),
    )


def _interval(value: Mapping[str, Any]) -> str:
    text = percent(value["value"])
    return text if value["low"] is None else f"{text} ({percent(value['low'])} to {percent(value['high'])})"
