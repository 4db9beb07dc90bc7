"""The context of a calibration's page: verdict, account of the rows, what was learnt of each queue."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from frontend.charts.chart import Chart
from frontend.charts.telemetry import checks_chart, course_chart, rate_chart, service_chart, week_chart
from planner.models import Calibration
from simulations.analysis.estimates.quantities import percent, quantity
from simulations.pipeline.telemetry.fitting.sample_fit import SOURCES

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
    """What is shown of a queue; samples have a course where messages have families and a curve."""
    sampled = "course" in queue
    messages = max(1, queue["messages"])
    charts = (rate_chart(queue), course_chart(queue) if sampled else service_chart(queue), week_chart(queue))
    return QueueView(
        name=queue["name"],
        facts=_sampled_facts(queue) if sampled else _facts(queue),
        families=tuple(queue.get("families", ())),
        instances=tuple((name or "–", count, percent(count / messages)) for name, count in queue["instances"].items()),
        charts=tuple(chart for chart in charts if chart is not None),
    )


def _facts(queue: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
    times = " · ".join(
        f"{name} {quantity(value, 's')}" for name, value in queue["latency"].items() if value is not None
    )
    return (
        ("Messages", f"{queue['messages']:,}"),
        ("Threads, all instances", _threads(queue["concurrency"])),
        ("Latency", times),
        ("Failed deliveries", _interval(queue["failure_rate"])),
        ("Delivered again, per message", _interval(queue["redelivered"])),
        ("Expired", _interval(queue["expired"])),
    )


def _sampled_facts(queue: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
    """Means with their intervals; samples show no percentiles."""
    samples = f"{queue['samples']:,}, one every {quantity(queue['every'], 's')}"
    again = "".join(f"; {queue[what]} {what}" for what in ("restarts", "gaps") if queue[what])
    facts = (
        ("Messages", f"{queue['messages']:,}"),
        ("Samples", samples + again),
        ("Throughput", _value(queue["throughput"])),
        ("Threads, all instances", _threads(queue["concurrency"])),
        ("Mean number in process", _value(queue["busy"])),
        ("Mean number in the system", _value(queue["present"])),
        ("Mean time of one delivery", f"{_value(queue['service_mean'])}, from {SOURCES[queue['source']]}"),
        ("Distribution of that time", f"{queue['service']['kind']}, {queue['provenance']}"),
        ("Mean time in the system", _value(queue["response"])),
        ("Mean wait", _value(queue["wait"])),
        ("Failed deliveries", _interval(queue["failure_rate"])),
        ("Delivered again, per message", _interval(queue["redelivered"])),
    )
    return tuple((name, text) for name, text in facts if text)


def _threads(seen: Mapping[str, Any]) -> str:
    if not seen["limited"]:
        return f"at least {seen['threads']}; nothing was seen waiting for a thread"
    if not seen["starts"]:
        return str(seen["threads"])
    return f"{seen['threads']} ({percent(seen['share'])} of {seen['starts']:,} starts with others waiting)"


def _value(value: Mapping[str, Any] | None) -> str:
    """A number with its interval; empty where there is none."""
    if value is None:
        return ""
    unit = "" if value["unit"] == "messages" else value["unit"]
    text = str(quantity(value["value"], unit))
    return (
        text if value["low"] is None else f"{text} ({quantity(value['low'], unit)} to {quantity(value['high'], unit)})"
    )


def _interval(value: Mapping[str, Any]) -> str:
    text = percent(value["value"])
    return text if value["low"] is None else f"{text} ({percent(value['low'])} to {percent(value['high'])})"
