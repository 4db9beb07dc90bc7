"""A run is a loop of rounds; each simulates the replications that the points still need, on any executor.

One loop gives progress, partial results, cancellation and the precision rule. A point is judged from the replications
that were planned for it, in the order of their numbers, whichever executor was first. Replication r shares its random
numbers among all points, which makes the differences to point 0 paired ones.
"""

import time
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing, nullcontext
from dataclasses import InitVar, dataclass, field, replace
from itertools import groupby

import pyarrow as pa

from simulations.analysis.estimates.summary import PointSummary
from simulations.analysis.replications.sample import Sample
from simulations.experiment import Point
from simulations.experiment.points import Answers, Steering
from simulations.pipeline.answers import precision_of
from simulations.pipeline.archive.store import Archive
from simulations.pipeline.course import PointCourse
from simulations.pipeline.progress import Meter, Progress
from simulations.pipeline.spark.executors import Cancelled, Executor, Paused, ShouldStop
from simulations.pipeline.work import WorkItem
from simulations.scenario.runsettings import RunSettings

PARTIAL_SECONDS = 0.75
"""Least time between two partial results of a round."""
Known = Callable[[Sequence[Point]], Iterable[pa.RecordBatch]]
"""Yields rows of ``REPLICATION`` of points that were computed before, under the indexes of the points asked for."""


@dataclass(frozen=True)
class Guidance:
    """How a plan goes on after its first points, and what is wanted of each. By default: nothing joins, all is wanted.

    ``steer`` is asked at each round's end. ``stage``: times as many replications in the next round of every point that
    needs more; 0 lets the precision say how many, and end the point. ``only`` names the metrics that are kept.
    """

    steer: Callable[[Answers], Steering] = lambda _: Steering()
    only: frozenset[str] | None = None
    stage: int = 0
    known: Known = lambda _: ()


@dataclass(frozen=True)
class Round:
    """What is known at some moment of round ``number``: the answers that are new or changed since the last one.
    ``decided`` points need no more replications; ``open`` ones get more, in this round or in the next."""

    number: int
    progress: Progress
    decided: tuple[PointSummary, ...]
    open: tuple[PointSummary, ...]

    @property
    def summaries(self) -> tuple[PointSummary, ...]:
        """All of them, by index."""
        return tuple(sorted((*self.decided, *self.open), key=lambda summary: summary.index))


def run_rounds(
    points: Sequence[Point],
    settings: RunSettings,
    executor: Executor,
    *,
    should_stop: ShouldStop,
    should_pause: ShouldStop = lambda: False,
    archive: Archive | None = None,
    guidance: Guidance | None = None,
    spent: float = 0.0,
) -> Iterator[Round]:
    """Simulate ``points`` until each is decided; yield partial results about every second and at each round's end.

    A point is decided when the precision is reached, when it is unstable, or at the most replications allowed;
    ``guidance`` may settle points earlier and add others. With ``settings.max_time`` no round begins that would
    probably end later, ``spent`` seconds of earlier attempts included: points that are not precise enough stay so. Rows
    of ``archive`` are not simulated again, and new ones are added to it. The caller's ``should_stop`` is asked several
    times a second, ``should_pause`` before each round and while one is planned. Raises Cancelled once everything has
    stopped, Paused where rounds are left to do, PointFailed when a point cannot be simulated or a replication fails its
    own checks, and what the executor raises when it is lost: then the same call goes on.
    """
    rounds = _Rounds(points, settings, archive, guidance or Guidance(), should_stop, should_pause)
    rounds.meter.spent = spent
    while rounds.undecided:
        rounds.look()
        if not rounds.fits():
            yield rounds.ended()
            return
        yield from rounds.next(executor)


@dataclass
class _Rounds:
    points: InitVar[Sequence[Point]]
    settings: RunSettings
    archive: Archive | None
    guidance: Guidance
    should_stop: ShouldStop
    should_pause: ShouldStop
    number: int = 0
    waiting: frozenset[int] = frozenset()
    _sample: tuple[int, Sample] | None = None
    _news: dict[int, PointSummary] = field(default_factory=dict)

    def __post_init__(self, points: Sequence[Point]) -> None:
        self.precision, self.most = precision_of(self.settings), self.settings.replications.max
        self.courses: dict[int, PointCourse] = {}
        self._join(points)
        self.meter = Meter(self.courses.values(), self.precision, self.most)

    def _join(self, points: Sequence[Point]) -> None:
        """Take points into the plan, with the rows that are known of them."""
        for point in points:
            least = self.settings.replications.min
            self.courses[point.index] = PointCourse(point, least, self.guidance.only, self.guidance.stage)
        if not points:
            return
        for batch in self.archive.read([point.index for point in points]) if self.archive else ():
            self._add(batch)
        for batch in self.guidance.known(points):
            self._keep(batch)

    @property
    def first(self) -> PointCourse:
        """Point 0, the baseline of the others."""
        return next(iter(self.courses.values()))

    @property
    def undecided(self) -> list[PointCourse]:
        """The points that need more."""
        return [course for course in self.courses.values() if not course.decided]

    def look(self) -> None:
        """Raise Cancelled or Paused where that was asked for."""
        if self.should_stop():
            raise Cancelled
        if self.should_pause():
            raise Paused

    def next(self, executor: Executor) -> Iterator[Round]:
        """Simulate one round."""
        self.number += 1
        items = list(self._missing())
        if items:
            yield from self._partial(executor.run(items, should_stop=self.should_stop))
        yield self._steered(self._judged())
        for course in self.undecided:
            if course.index not in self.waiting:
                course.plan_more(self.precision, self.most)

    def fits(self) -> bool:
        """Whether the next round will probably end in time. The first one always may: without it there is no answer."""
        max_time = self.settings.max_time
        if max_time is None or any(course.summary is None for course in self.undecided):
            return True
        items = list(self._missing())
        left = max_time - self.meter.spent_seconds()
        needed = self.meter.seconds_for(sum(item.count * item.cost for item in items))
        return not items or left > (needed or 0.0)

    def _missing(self) -> Iterator[WorkItem]:
        """The replications that the undecided points still need; raises Cancelled and Paused between two points."""
        for course in self.undecided:
            self.look()
            yield from course.missing()

    def ended(self) -> Round:
        """The end because of the time: the answers stay as they are."""
        given_up = tuple(summary for course in self.courses.values() if (summary := course.end(settled=False)))
        return Round(self.number, replace(self.meter.read(), time_is_up=True), given_up, ())

    def _steered(self, step: Round) -> Round:
        """The round's end as the guidance wants it: points that need no more are decided, new ones join."""
        judged = (item for item in self.courses.values() if item.complete)
        steering = self.guidance.steer({item.index: item.summary for item in judged if item.summary is not None})
        settled = {index: summary for index in steering.settled if (summary := self.courses[index].end(settled=True))}
        for index in settled:
            if index:
                self.courses[index].release()
        self._join(steering.more)
        self.waiting = steering.waiting
        self.meter.upcoming = steering.upcoming
        still_open = tuple(summary for summary in step.open if summary.index not in settled)
        return Round(step.number, self.meter.read(), (*step.decided, *settled.values()), still_open)

    def _partial(self, batches: Generator[pa.RecordBatch, None, None]) -> Iterator[Round]:
        """Judge complete points while others are computed. Whatever ends the round early, rows that came are kept."""
        shown = time.monotonic()
        with closing(batches), self.archive or nullcontext():
            for batch in batches:
                touched = self._keep(batch)
                if self._baseline() is not None:
                    self._judge(course for course in touched if course.complete)
                if time.monotonic() - shown > PARTIAL_SECONDS:
                    yield self._judged()
                    shown = time.monotonic()

    def _keep(self, batch: pa.RecordBatch) -> list[PointCourse]:
        if self.archive:
            self.archive.append(batch)
        return self._add(batch)

    def _add(self, batch: pa.RecordBatch) -> list[PointCourse]:
        """Give the rows to their points, and return these."""
        touched, first = [], 0
        for index, rows in groupby(batch["point"].to_pylist()):
            count = sum(1 for _ in rows)
            if index in self.courses:
                touched.append(self.courses[index])
                touched[-1].add(batch.slice(first, count))
            first += count
        return touched

    def _judged(self) -> Round:
        """Judge what is there, and return what is new since the last time."""
        self._judge(self.undecided)
        news, self._news = self._news, {}
        decided = tuple(summary for index, summary in news.items() if self.courses[index].decided)
        still_open = tuple(summary for index, summary in news.items() if not self.courses[index].decided)
        return Round(self.number, self.meter.read(), decided, still_open)

    def _judge(self, courses: Iterable[PointCourse]) -> None:
        """Judge the points that have news: for good where the planned rows are there, else from what is there."""
        baseline = self._baseline()
        for course in courses:
            if not course.take_news(paired=baseline is not None):
                continue
            if self.should_stop():
                raise Cancelled
            first = course is self.first
            self._news[course.index] = summary = course.judge(self.precision, None if first else baseline)
            final = course.complete and baseline is not None and course.decide(summary, self.precision, self.most)
            if final and not first:
                course.release()

    def _baseline(self) -> Sample | None:
        """The replications of point 0, once all that are planned are there: never a part, whose size is chance."""
        if not self.first.complete:
            return None
        if self._sample is None or self._sample[0] != self.first.planned:
            self._sample = (self.first.planned, self.first.asked.sample(self.first.rows()))
        return self._sample[1]
