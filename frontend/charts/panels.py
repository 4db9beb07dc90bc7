"""The charts of one queue at one point: which of them there are, and what they are measured against."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from frontend.charts.budget import SLOWEST, Bar, budget_chart, has_budget
from frontend.charts.chart import Chart
from frontend.charts.flow import FlowMarks, flow_chart
from frontend.charts.latency import RUN, Moment, latency_chart, tail_chart
from frontend.charts.parts import Numbers
from frontend.charts.servers import balance_chart, instances_chart, threads_chart
from frontend.charts.throttle import Thresholds, throttle_chart
from simulations.analysis.estimates.summary import Estimate, PointSummary


@dataclass(frozen=True)
class QueueMarks:
    """What the charts of one queue are measured against.

    Attributes:
        objective: bound on a latency percentile, seconds.
        flow: limits of the producers' flow control, where the queue has one.
        server: the server that works the queue off, and its ``capacity``, threads over all instances.
        saturated: the queue is always full, so its latency says nothing.
        whole: the throttle's course covers the whole run, so that its time axis is that of the other charts.
    """

    thresholds: Thresholds = field(default_factory=Thresholds)
    objective: float | None = None
    moments: tuple[Moment, ...] = ()
    flow: FlowMarks | None = None
    server: str = ""
    capacity: int = 0
    saturated: bool = False
    whole: bool = False


def point_charts(
    summary: PointSummary, *, queue: str, path: Mapping[str, Numbers], marks: QueueMarks
) -> Iterator[Chart]:
    """Yield the charts that the live panel shows of a queue; ``path`` is the course of its throttle.

    C1 and C3 where latency means something, C2 always.
    """
    timeline, curve = summary.timeline.get(queue, {}), summary.tail.get(queue, {})
    metrics = summary.queues.get(queue, {})
    if has_latency(summary, queue, marks):
        if timeline.get("band_time"):
            yield latency_chart(timeline, metrics, objective=marks.objective, moments=marks.moments)
        if curve.get("latency"):
            yield tail_chart(curve, metrics, objective=marks.objective)
    if path.get("time"):
        yield throttle_chart(path, marks.thresholds, link=RUN if marks.whole else "")


def detail_charts(
    summary: PointSummary,
    *,
    queue: str,
    flow: Mapping[str, Numbers],
    course: Mapping[str, Numbers],
    slowest: Mapping[str, Estimate],
    marks: QueueMarks,
) -> Iterator[Chart]:
    """Yield the further charts of a queue: C4, C5, and C11 and C12 where there is something to see.

    ``flow`` is the course of the producers' flow control, ``course`` that of the instances where there are several,
    ``slowest`` the parts of the latency of the slowest messages.
    """
    metrics = summary.queues.get(queue, {})
    if has_latency(summary, queue, marks) and has_budget(metrics):
        yield budget_chart([Bar("mean", metrics), *([Bar(SLOWEST, slowest)] if has_budget(slowest) else [])])
    threads = summary.threads.get(marks.server, {})
    if threads.get("band_time"):
        server = summary.servers.get(marks.server, {})
        yield threads_chart(threads, server, server=marks.server, capacity=marks.capacity, link=RUN)
    if marks.flow and any(value is not None for value in flow.get("admitted", ())):
        yield flow_chart(flow, marks.flow)
    if instances := summary.instances.get(queue):
        yield balance_chart(instances, metrics)
    if course.get("time"):
        yield instances_chart(course, link=RUN if marks.whole else "")


def has_latency(summary: PointSummary, queue: str, marks: QueueMarks) -> bool:
    """Return whether the latency of the queue means something: it is neither always full nor does it grow."""
    return not marks.saturated and (summary.status != "unstable" or queue not in summary.growth)
