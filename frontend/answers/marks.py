"""The marks of a queue's charts, read from its scenario."""

from frontend.charts.latency import Moment, QueueMarks
from frontend.charts.throttle import FlowMarks, Thresholds
from simulations.analysis.estimates.summary import significant
from simulations.declarations.system import Queue
from simulations.declarations.workload import PeriodicBurst, Saturated, Surge
from simulations.engine.network.model import Stream
from simulations.scenario.spec import ScenarioSpec

MOST_BURSTS = 12
"""Bursts that are marked; more of them would hide the course."""


def queue_marks(spec: ScenarioSpec, name: str) -> QueueMarks:
    """Return the marks of the queue of that name; raises StopIteration when there is none."""
    queue = next(item for item in spec.queues if item.name == name)
    network = spec.network()
    stream = next(item for item in network.streams if item.name == name)
    pool = network.pools[stream.pool]
    gate, instances = stream.gate, pool.instances  # the course is the sum over the instances
    full = "The throttle was blocked" if spec.platform == "websphere-zos" else "All sessions were in use"
    where = " on at least one member" if instances > 1 else ""
    return QueueMarks(
        thresholds=Thresholds(gate.high * instances, gate.low * instances, full, where) if gate else Thresholds(),
        objective=latency_objective(spec, name, "latency.p"),
        moments=_moments(queue),
        flow=_flow(stream),
        server=queue.server,
        capacity=pool.threads * instances,
        saturated=isinstance(queue.arrivals, Saturated),
        whole=spec.transient,
    )


def latency_objective(spec: ScenarioSpec, queue: str = "", kind: str = "latency.") -> float | None:
    """Return the bound on a latency whose name begins with ``kind``, seconds, for the queue (or, unnamed, for any)."""
    bounds = (
        item.at_most
        for item in spec.objectives
        if item.metric.startswith(kind) and item.at_most is not None and (not queue or item.queue in (None, queue))
    )
    return next(bounds, None)


def _moments(queue: Queue) -> tuple[Moment, ...]:
    arrivals = queue.arrivals
    if isinstance(arrivals, Surge):
        return (Moment(arrivals.at, f"surge of {significant(arrivals.count)}"),)
    if isinstance(arrivals, PeriodicBurst):
        words = f"burst of {significant(arrivals.count)}"
        return tuple(Moment(turn * arrivals.every, words if turn == 0 else "") for turn in range(MOST_BURSTS))
    return ()


def _flow(stream: Stream) -> FlowMarks | None:
    flow = stream.flow
    if flow is None:
        return None
    marks, size = flow.marks, stream.message_size
    high, low = float(marks.messages_high), float(marks.messages_low)
    if not marks.messages_high:
        high, low = marks.bytes_high / size, marks.bytes_low / size
    return FlowMarks(flow.maximum, flow.minimum, stream.producers, high, low)
