"""Charts as a page shows them: figure, written sentence and data table together."""

from collections.abc import Iterator, Mapping, Sequence

from frontend.charts import curves
from frontend.charts.balance import balance_chart
from frontend.charts.budget import SLOWEST, Bar, budget_chart, has_budget
from frontend.charts.chart import Chart, CourseRows
from frontend.charts.curves import Swept
from frontend.charts.flow import flow_chart
from frontend.charts.instances import instances_chart
from frontend.charts.latency import latency_over_time
from frontend.charts.marks import QueueMarks
from frontend.charts.parts import Numbers
from frontend.charts.tails import tail
from frontend.charts.threads import threads_chart
from frontend.charts.throttle import Thresholds, blocked_spans, throttle_timeline
from frontend.wording.numbers import metric_title, titled
from simulations.analysis.estimates.quantities import estimate_text, percent, quantity
from simulations.analysis.estimates.summary import Estimate, PointSummary

MOST_SPANS = 60
"""More blocked spans than this cannot be told apart; C2 shows them."""
RUN = "run"
"""Group of the figures over the whole course of a run."""


def curve_chart(
    swept: Sequence[Swept], *, setting: str, unit: str, objective: float | None, shown: Sequence[str]
) -> Chart:
    """Percentiles over the swept setting."""
    figure = curves.percentile_curve(swept, setting=setting, unit=unit, objective=objective, shown=shown)
    names = [name for name in curves.PERCENTILES if any(name in item.metrics for item in swept)]
    rows = tuple((item.label, *(item.text(name) for name in names)) for item in swept)
    return Chart(
        "curve",
        f"Latency over {setting}",
        _curve_sentence(swept, setting),
        figure,
        (titled(setting, unit), *(metric_title(name) for name in names)),
        rows,
        wide=True,
        log=True,
        choices=tuple((name, look[0], name in shown) for name, look in curves.PERCENTILES.items() if name in names),
    )


def throughput_chart(swept: Sequence[Swept], *, setting: str, unit: str) -> Chart:
    """Throughput over the swept setting, for queues that are always full."""
    rows = tuple((item.label, item.text("throughput")) for item in swept)
    rated = [(item.label, item.metrics["throughput"]) for item in swept if "throughput" in item.metrics]
    sentence = "; ".join(f"{label}: {estimate_text(estimate)}" for label, estimate in rated)
    figure = curves.metric_curve(
        swept, "throughput", setting=setting, unit=unit, name="throughput", measured="messages/s"
    )
    title = f"Throughput over {setting}"
    return Chart("curve", title, f"{sentence}.", figure, (titled(setting, unit), "Throughput"), rows, wide=True)


def risk_chart(swept: Sequence[Swept], *, setting: str, unit: str) -> Chart:
    """Messages that time out before a thread takes them, over the swept setting."""
    name = "timeouts.queue"
    figure = curves.metric_curve(
        swept, name, setting=setting, unit=unit, name="queue timeouts per run", measured="messages"
    )
    known = [(item.label, item.metrics[name]) for item in swept if name in item.metrics]
    free = [label for label, estimate in known if estimate.value == 0]
    worst, most = max(known, key=lambda item: item[1].value)
    said = f"No message times out in the queue at {setting} {', '.join(free)}; " if free else ""
    sentence = f"{said}{'at' if said else 'At'} {worst} {estimate_text(most)} do in each run."
    columns = (titled(setting, unit), metric_title(name))
    rows = tuple((label, estimate_text(estimate)) for label, estimate in known)
    return Chart("risk", f"Timeouts over {setting}", sentence, figure, columns, rows, wide=True)


def point_charts(
    summary: PointSummary, *, queue: str, path: Mapping[str, Numbers], marks: QueueMarks
) -> Iterator[Chart]:
    """The charts that the live panel shows of a queue at one point; ``path`` is the course of its throttle.

    C1 and C3 where latency means something, C2 always.
    """
    timeline, curve = summary.timeline.get(queue, {}), summary.tail.get(queue, {})
    metrics = summary.queues.get(queue, {})
    if has_latency(summary, queue, marks):
        if timeline.get("band_time"):
            yield latency_chart(timeline, metrics, marks)
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
    """The further charts of a queue at one point: C4, C5, and C11 and C12 where there is something to see.

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


def latency_chart(
    timeline: Mapping[str, Numbers], metrics: Mapping[str, Estimate], marks: QueueMarks, *, top: float | None = None
) -> Chart:
    """C1; ``top`` (s) fixes the height of the picture, so that several can be compared."""
    values = [value for value in timeline["p95"] if value is not None]
    low, high = (quantity(size, "s") for size in (min(values, default=0.0), max(values, default=0.0)))
    columns = ("Time", "p50", "p95", "p95 low", "p95 high", "p99")
    names = ("p50", "p95", "p95_low", "p95_high", "p99")
    rows = CourseRows(timeline["band_time"], [timeline[name] for name in names], units=("s",) * 5)
    spans = blocked_spans(timeline) if timeline.get("time") else []
    end = max((value for value in timeline["band_time"] if value is not None), default=0.0)
    figure = latency_over_time(
        timeline,
        objective=marks.objective,
        spans=spans if len(spans) <= MOST_SPANS else (),
        moments=[(moment.at, moment.text) for moment in marks.moments if moment.at <= end],
        top=top,
        link=RUN,
    )
    sentence = f"Over the run p95 lies between {low} and {high}{_blocked(metrics)}."
    return Chart("latency", "Latency over time", sentence, figure, columns, rows, log=True)


def _blocked(metrics: Mapping[str, Estimate]) -> str:
    closed = metrics.get("gate.blocked_fraction")
    return f"; the throttle was blocked {percent(closed.value)} of the time" if closed and closed.value > 0 else ""


def throttle_chart(path: Mapping[str, Numbers], thresholds: Thresholds, *, link: str = "") -> Chart:
    """C2."""
    names = ("backlog", "prepared", "running", "blocked", "idle_blocked")
    columns = ("Time", "On the destination", "Prepared", "Running", "Gates blocked", "Idle while blocked")
    units = ("messages", "messages", "messages", "instances", "threads")
    rows = CourseRows(path["time"], [path[name] for name in names], units=units)
    figure = throttle_timeline(path, thresholds=thresholds, link=link)
    sentence = _throttle_sentence(path, thresholds)
    return Chart("throttle", "Throttle timeline", sentence, figure, columns, rows, wide=True)


def tail_chart(curve: Mapping[str, Numbers], metrics: Mapping[str, Estimate], *, objective: float | None) -> Chart:
    """C3."""
    figure = tail(curve, objective=objective, marks=metrics)
    rows = CourseRows(curve["latency"], [curve[name] for name in ("survival", "low", "high")], units=("1", "1", "1"))
    parts = [
        f"{share} take longer than {estimate_text(metrics[name])}"
        for name, share in (("latency.p99", "1 % of the messages"), ("latency.p999", "0.1 %"))
        if name in metrics
    ]
    sentence = f"{', '.join(parts)}." if parts else "The share of messages slower than a given latency."
    return Chart("tail", "Tail of the latency", sentence, figure, ("Latency", "Share slower", "Low", "High"), rows)


def _curve_sentence(swept: Sequence[Swept], setting: str) -> str:
    rated = [(item.label, item.metrics["latency.p95"]) for item in swept if "latency.p95" in item.metrics]
    if not rated:
        return "No value of the setting has a steady latency."
    low, high = min(rated, key=lambda item: item[1].value), max(rated, key=lambda item: item[1].value)
    if low[0] == high[0]:
        return f"p95 is {estimate_text(low[1])} at {setting} {low[0]}."
    places = [item.label for item in swept]
    first, last = sorted((low, high), key=lambda item: places.index(item[0]))
    word = "falls" if last is low else "grows"
    return f"p95 {word} from {estimate_text(first[1])} at {first[0]} to {estimate_text(last[1])} at {last[0]}."


def _throttle_sentence(path: Mapping[str, Numbers], thresholds: Thresholds) -> str:
    closed = [value for value in path["blocked"] if value is not None]
    share = sum(1 for value in closed if value) / max(len(closed), 1)
    idle = [value for value in path["idle_blocked"] if value is not None]
    if thresholds.high is None:
        return "Messages on the destination, prepared and running."
    mean = sum(idle) / max(len(idle), 1)
    blocked = f"The throttle was blocked {100 * share:.0f} % of the time shown"
    return (
        f"{blocked}; {mean:.1f} threads idled behind it on average."
        if mean >= 0.05
        else f"{blocked}; no thread idled behind it."
    )
