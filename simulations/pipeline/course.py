"""The course of one point through the rounds: its replications, how many are planned, and whether it is decided."""

import json
import time
from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property
from itertools import groupby

import pyarrow as pa

from simulations.analysis.estimates.intervals import Precision
from simulations.analysis.estimates.point import forecast, next_round
from simulations.analysis.estimates.summary import PointSummary
from simulations.analysis.replications.rows import ReplicationRow
from simulations.analysis.replications.sample import Sample
from simulations.engine.network.results import Count
from simulations.experiment import Point
from simulations.pipeline.answers import Asked
from simulations.pipeline.archive.schemas import replication_rows
from simulations.pipeline.work import PointFailed, WorkItem, expected_events, expected_seconds

PATIENCE = 0.5
"""Seconds that rows wait for the rest of their point before it is judged without it: most points are soon complete."""


class PointCourse:
    """Replications 0 to ``planned - 1`` are what the point is judged from; rows wait packed, as they came."""

    def __init__(self, point: Point, planned: int, only: frozenset[str] | None = None, stage: int = 0) -> None:
        self.asked = Asked(point, only)
        self.stage = stage
        self.index = point.index
        self.planned = planned
        self.decided = False
        self.summary: PointSummary | None = None
        self.messages_done = 0
        self._events = 0
        self._done: set[int] = set()
        self._batches: list[pa.RecordBatch] = []
        self._taken: tuple[int, bool] | None = None
        self._waits_since: float | None = None

    def add(self, batch: pa.RecordBatch) -> None:
        """Take rows of ``REPLICATION``; one that is there already changes nothing."""
        numbers = batch["replication"].to_pylist()
        fresh = {number: place for place, number in enumerate(numbers) if number not in self._done}
        if not fresh:
            return
        if len(fresh) < len(numbers):
            batch = batch.take(pa.array(fresh.values()))
        self._done |= fresh.keys()
        self._batches.append(batch)
        self._waits_since = self._waits_since or time.monotonic()
        self._events += sum(batch["events"].to_pylist())
        counts = batch["counts"].flatten().to_numpy(zero_copy_only=False)
        self.messages_done += int(counts[Count.COMPLETED :: len(Count)].sum())

    @property
    def replications_done(self) -> int:
        """Replications that are there."""
        return len(self._done)

    @cached_property
    def _expected_seconds(self) -> float:
        return expected_seconds(expected_events(self.asked.network))

    @property
    def seconds_each(self) -> float:
        """Time of one replication: estimated from the scenario, then from the events that were needed."""
        return expected_seconds(self._events / len(self._done)) if self._done else self._expected_seconds

    @property
    def complete(self) -> bool:
        """Whether all planned replications are there."""
        return all(number in self._done for number in range(self.planned))

    def missing(self) -> Iterator[WorkItem]:
        """Yield the planned replications that are not there, neighbors together."""
        numbers = (number for number in range(self.planned) if number not in self._done)
        for _, gap in groupby(enumerate(numbers), key=lambda pair: pair[1] - pair[0]):
            missing = [number for _, number in gap]
            yield WorkItem.of(self.asked.point, first=missing[0], count=len(missing), cost=self.seconds_each)

    def rows(self) -> list[ReplicationRow]:
        """Return the planned replications that are there."""
        rows = (row for batch in self._batches for _, row in replication_rows(batch))
        return [row for row in rows if row.replication < self.planned]

    def take_news(self, *, paired: bool) -> bool:
        """Return, once, whether judging would say more than last time: rows came, or point 0 did (``paired``). Rows of
        an incomplete point count after ``PATIENCE``."""
        if self._waits_since and time.monotonic() - self._waits_since < PATIENCE and not self.complete:
            return False
        self._waits_since = None
        there = sum(1 for number in range(self.planned) if number in self._done)
        news = not self.decided and there > 1 and (there, paired) != self._taken
        self._taken = (there, paired)
        return news

    def judge(self, precision: Precision, baseline: Sample | None) -> PointSummary:
        """Return the answer from the planned replications that are there; raises PointFailed when a check fails."""
        self.summary = self.asked.answer(self.rows(), precision=precision, baseline=baseline)
        failed = [check["name"] for check in self.summary.checks if not check["passed"]]
        if failed:
            changes = json.dumps(dict(self.asked.point.overrides))
            raise PointFailed(f"point {self.index} ({changes}): the self-check {', '.join(failed)} failed")
        return self.summary

    def decide(self, summary: PointSummary, precision: Precision, most: int) -> bool:
        """Return whether ``summary`` stands: precise, unstable, without an interval, or from ``most`` replications. In
        stages precision is not asked: a precise point may still be too near to another."""
        hopeless = precision.metric not in summary.metrics
        precise = summary.status == "ok" and not self.stage
        self.decided = hopeless or precise or summary.status in ("unstable", "invalid") or self.planned >= most
        return self.decided

    def end(self, *, settled: bool) -> PointSummary | None:
        """End an undecided point that has an answer; ``settled``: enough is known, so it is not called imprecise."""
        if self.decided or self.summary is None:
            return None
        self.decided = True
        if settled and self.summary.status == "not_converged":
            self.summary = replace(self.summary, status="ok")
        return self.summary

    def forecast(self, precision: Precision, most: int) -> int:
        """Return how many replications the point will probably have in the end, as far as the last answer tells."""
        if self.decided or self.summary is None or self.stage:
            return self.planned
        return forecast(self.summary, precision, planned=self.planned, most=most)

    def plan_more(self, precision: Precision, most: int) -> None:
        """Plan the next round from the last answer."""
        if self.decided or self.summary is None:
            return
        if self.stage:
            self.planned = min(self.planned * self.stage, most)
        else:
            self.planned = next_round(self.summary, precision, planned=self.planned, most=most)

    def release(self) -> None:
        """Let go of the rows of a decided point."""
        self._batches.clear()
