"""The charts of one queue at one point: which of them there are, and what they are measured against."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from frontend.charts.budget import SLOWEST, Bar, budget_chart, has_budget
from frontend.charts.chart import Chart
from frontend.charts.latency import RUN, QueueMarks, latency_chart, tail_chart
from frontend.charts.parts import Numbers
from frontend.charts.servers import balance_chart, instances_chart, threads_chart
from frontend.charts.throttle import flow_chart, throttle_chart
from simulations.analysis.estimates.summary import Estimate, PointSummary

Paths = Mapping[str, Mapping[str, Numbers]]
"""Sampled path by queue."""


@dataclass(frozen=True)
class Courses:
    """What charts draw over time, by queue: throttle, flow control if it came into force, instances if several."""

    throttle: Paths = field(default_factory=dict)
    flow: Paths = field(default_factory=dict)
    instances: Paths = field(default_factory=dict)
    slowest: Mapping[str, Mapping[str, Estimate]] = field(default_factory=dict)
    """By queue: where the time of the slowest 5 % of its messages goes."""


def point_charts(
    summary: PointSummary, queue: str, marks: QueueMarks, courses: Courses, *, detailed: bool
) -> Iterator[Chart]:
    """Yield the charts of a queue: C1 and C3 where latency means something, and C2. With ``detailed`` also C4, C5, and
    C11 and C12 where there is something to see; the live panel goes without them."""
    timeline, curve = summary.timeline.get(queue, {}), summary.tail.get(queue, {})
    metrics, path = summary.queues.get(queue, {}), courses.throttle.get(queue, {})
    if has_latency(summary, queue, marks):
        if timeline.get("band_time"):
            yield latency_chart(timeline, metrics, marks)
        if curve.get("latency"):
            yield tail_chart(curve, metrics, objective=marks.objective)
    if path.get("time"):
        yield throttle_chart(path, marks.thresholds, link=RUN if marks.whole else "")
    if detailed:
        yield from _details(summary, queue, marks, courses)


def has_latency(summary: PointSummary, queue: str, marks: QueueMarks) -> bool:
    """Return whether the latency of the queue means something: it is neither always full nor does it grow."""
    return not marks.saturated and (summary.status != "unstable" or queue not in summary.growth)


def _details(summary: PointSummary, queue: str, marks: QueueMarks, courses: Courses) -> Iterator[Chart]:
    metrics, slowest = summary.queues.get(queue, {}), courses.slowest.get(queue, {})
    if has_latency(summary, queue, marks) and has_budget(metrics):
        yield budget_chart([Bar("mean", metrics), *([Bar(SLOWEST, slowest)] if has_budget(slowest) else [])])
    threads = summary.threads.get(marks.server, {})
    if threads.get("band_time"):
        server = summary.servers.get(marks.server, {})
        yield threads_chart(threads, server, server=marks.server, capacity=marks.capacity, link=RUN)
    flow, course = courses.flow.get(queue, {}), courses.instances.get(queue, {})
    if marks.flow and any(value is not None for value in flow.get("admitted", ())):
        yield flow_chart(flow, marks.flow)
    if instances := summary.instances.get(queue):
        yield balance_chart(instances, metrics)
    if course.get("time"):
        yield instances_chart(course, link=RUN if marks.whole else "")
