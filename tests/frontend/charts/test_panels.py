"""Which charts a queue has at a point."""

from dataclasses import replace
from typing import Any

from frontend.charts.latency import QueueMarks
from frontend.charts.panels import Courses, has_latency, point_charts
from frontend.charts.throttle import FlowMarks
from simulations.analysis.estimates.summary import PointSummary
from tests.frontend.charts.drawn import BUDGET, FLOWING, INSTANCES, SHARED, TAIL, THREADS, TIMELINE
from tests.planner.conftest import summary_of

MARKS = QueueMarks(server="payments", capacity=18)


def summary(**more: Any) -> PointSummary:
    courses = {"timeline": {"orders": TIMELINE}, "tail": {"orders": TAIL}, "queues": {"orders": BUDGET}, "threads": {}}
    return replace(summary_of(0), **{**courses, **more})


def live(point: PointSummary, marks: QueueMarks = MARKS) -> list[str]:
    charts = point_charts(point, "orders", marks, Courses({"orders": TIMELINE}), detailed=False)
    return [chart.key for chart in charts]


def details(point: PointSummary, marks: QueueMarks = MARKS, **more: Any) -> list[str]:
    courses = Courses(**{name: {"orders": course} for name, course in more.items()})
    charts = point_charts(replace(point, timeline={}, tail={}), "orders", marks, courses, detailed=True)
    return [chart.key for chart in charts]


def test_a_stable_queue_shows_latency_tail_and_throttle() -> None:
    assert live(summary()) == ["latency", "tail", "throttle"]


def test_a_latency_that_means_nothing_is_not_drawn() -> None:
    growing = summary(status="unstable", growth={"orders": 3.0})
    assert live(growing) == live(summary(), replace(MARKS, saturated=True)) == ["throttle"]
    assert has_latency(summary(status="unstable", growth={"others": 3.0}), "orders", MARKS)
    assert details(growing) == []


def test_details_are_drawn_where_there_is_something_to_see() -> None:
    assert details(summary()) == ["budget"]
    full = summary(threads={"payments": THREADS}, instances={"orders": INSTANCES})
    flow = replace(MARKS, flow=FlowMarks(500, 50, 2, 1000, 500))
    drawn = details(full, flow, flow=FLOWING, instances=SHARED, slowest=BUDGET)
    assert drawn == ["budget", "threads", "flow", "balance", "instances"]
    assert details(summary(), flow, flow={**FLOWING, "admitted": [None] * 6}) == ["budget"]
