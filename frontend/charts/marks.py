"""What a queue's charts are measured against: thresholds, objective, instants, limits. Plain numbers."""

from dataclasses import dataclass, field

from frontend.charts.flow import FlowMarks
from frontend.charts.throttle import Thresholds


@dataclass(frozen=True)
class Moment:
    """An instant (s) at which something happens to the queue, with its words."""

    at: float
    text: str


@dataclass(frozen=True)
class QueueMarks:
    """Marks of one queue.

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
