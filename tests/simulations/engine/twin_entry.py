"""The twin's arrivals: when messages come, and what the destination does with them."""

import math
from functools import partial
from typing import TYPE_CHECKING

from simulations.engine.draws.numbers import Purpose
from simulations.engine.network.model import ArrivalKind, Stream
from simulations.engine.network.results import Count
from simulations.engine.records.codes import Step
from tests.simulations.engine.twin_laws import on_off
from tests.simulations.engine.twin_state import ARRIVAL, Message

if TYPE_CHECKING:
    from tests.simulations.engine.twin import Twin


class Entry:
    """Of one replication."""

    def __init__(self, twin: "Twin") -> None:
        self.twin = twin
        self.course = {
            q: (on_off if spec.arrivals.kind == ArrivalKind.ON_OFF else twin.functions.profile)(
                spec.arrivals, partial(twin.mark, Purpose.ARRIVAL, q), twin.functions.log
            )
            for q, spec in enumerate(twin.network.streams)
        }

    def plan_arrival(self, q: int) -> None:
        self.twin.next_time[q] = self._arrival_after(q, self.twin.network.streams[q])
        if self.twin.next_time[q] < math.inf:
            self.twin.at(self.twin.next_time[q], ARRIVAL, q, lambda: self.arrive(q))

    def _arrival_after(self, q: int, spec: Stream) -> float:
        arrivals, k = spec.arrivals, self.twin.arrivals[q]
        if arrivals.kind in (ArrivalKind.ON_OFF, ArrivalKind.PROFILE):
            return next(self.course[q])
        if arrivals.kind == ArrivalKind.PERIODIC:
            return arrivals.start + (k // arrivals.count) * arrivals.period
        if arrivals.kind == ArrivalKind.TRACE:
            return arrivals.start + arrivals.instants[k] if k < len(arrivals.instants) else math.inf
        if arrivals.kind == ArrivalKind.RENEWAL:
            assert arrivals.law
            last = self.twin.next_time[q] if k else arrivals.start
            return last + self.twin.draw(Purpose.ARRIVAL, q, k, arrivals.law)
        if arrivals.kind == ArrivalKind.CONSTANT:
            return arrivals.start + (k + 1) / arrivals.rate
        if arrivals.kind == ArrivalKind.SURGE and k < arrivals.count:
            return arrivals.start
        if arrivals.kind in (ArrivalKind.SATURATED, ArrivalKind.NONE) or arrivals.rate == 0.0:
            return math.inf
        last = self.twin.next_time[q] if k else arrivals.start
        return last + -self.twin.functions.log(self.twin.mark(Purpose.ARRIVAL, q, k)) / arrivals.rate

    def arrive(self, q: int) -> None:
        while self.twin.next_time[q] <= self.twin.now:
            self._put(q)
            self.twin.arrivals[q] += 1
            self.twin.next_time[q] = self._arrival_after(q, self.twin.network.streams[q])
        if self.twin.next_time[q] < math.inf:
            self.twin.at(self.twin.next_time[q], ARRIVAL, q, lambda: self.arrive(q))
        self.twin.staging.feed(q, settled=True)

    def _put(self, q: int) -> None:
        if q in self.twin.producers:
            self.twin.producers[q].intend()
        elif self.twin.choice.full(q):
            self.refuse(q)
        else:
            for copy in range(len(self.twin.destination[q])):
                message = self.twin.create(q)
                message.copy = copy
                self.twin.put(message)

    def refuse(self, q: int, column: Count = Count.REJECTED) -> None:
        self.drop(self.twin.create(q), column)

    def drop(self, message: Message, column: Count = Count.DROPPED) -> None:
        self.twin.counts.add(message.stream, column)
        self.twin.end(message)
        self.twin.note(Step.DROP, message, 0)
