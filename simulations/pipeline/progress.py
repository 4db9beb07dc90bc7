"""How far a run is: one measure for the bar, the estimate of the end and the precision reached so far."""

import math
import time
from collections.abc import Collection
from dataclasses import dataclass, field

from simulations.analysis.estimates.intervals import Precision, relative_half_width
from simulations.pipeline.course import PointCourse


@dataclass(frozen=True)
class Progress:
    """``fraction`` never falls and is 1 at the end; ``eta_s`` is None until there is something to go by.
    ``precision_now``: the widest relative half-width among the points that can have one, None before the first."""

    fraction: float
    points_done: int
    points: int
    replications_done: int
    messages_done: int
    precision_now: float | None
    precision_target: float
    eta_s: float | None
    spent_s: float = 0.0
    """Seconds of computing, those of earlier attempts included."""
    time_is_up: bool = False
    """The run ended because of its limit of time, with the precision that it had."""


@dataclass
class Meter:
    """Measures the progress of all points. Work is counted in expected seconds, so that long points weigh more."""

    courses: Collection[PointCourse]
    precision: Precision
    most: int
    upcoming: int = 0
    """Points that may still join the plan."""
    spent: float = 0.0
    """Seconds of computing of earlier attempts."""
    _started: float = field(default_factory=time.monotonic)
    _fraction: float = 0.0

    def __post_init__(self) -> None:
        self._known = self._seconds_done()

    def read(self) -> Progress:
        """Return the progress now."""
        done = self._seconds_done()
        expected = sum(course.seconds_each * course.forecast(self.precision, self.most) for course in self.courses)
        expected *= 1 + self.upcoming / len(self.courses)
        decided = sum(course.decided for course in self.courses)
        over = decided == len(self.courses) and not self.upcoming
        summaries = [course.summary for course in self.courses if course.summary is not None]
        estimates = [summary.metrics.get(self.precision.metric) for summary in summaries]
        widths = [relative_half_width(estimate) for estimate in estimates if estimate is not None]
        left = 0.0 if over else self.seconds_for(max(expected - done, 0.0))
        self._fraction = 1.0 if over else min(max(self._fraction, done / expected), 0.99)
        return Progress(
            fraction=self._fraction,
            points_done=decided,
            points=len(self.courses) + self.upcoming,
            replications_done=sum(course.replications_done for course in self.courses),
            messages_done=sum(course.messages_done for course in self.courses),
            precision_now=max((width for width in widths if math.isfinite(width)), default=None),
            precision_target=self.precision.relative,
            eta_s=left and float(f"{left:.2g}"),
            spent_s=round(self.spent_seconds(), 3),
        )

    def _seconds_done(self) -> float:
        """Of points that have any: what one takes is known of others only after making their networks."""
        begun = (course for course in self.courses if course.replications_done)
        return sum(course.seconds_each * course.replications_done for course in begun)

    def spent_seconds(self) -> float:
        """Seconds of computing, those of earlier attempts included."""
        return self.spent + time.monotonic() - self._started

    def seconds_for(self, work: float) -> float | None:
        """How long so many expected seconds will take at the pace so far; None until there is something to go by."""
        computed = self._seconds_done() - self._known
        return None if computed <= 0 else (time.monotonic() - self._started) / computed * work
