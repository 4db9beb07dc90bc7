"""Producers in front of a bounded destination, written a second time: quotas, blocked sends, flow control."""

import math
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from simulations.engine.draws.numbers import Purpose
from simulations.engine.network.model import FlowControl, LimitBehaviour, Quota
from simulations.engine.network.results import Count
from simulations.engine.records.codes import Kind
from tests.simulations.engine import twin_laws

if TYPE_CHECKING:
    from tests.simulations.engine.twin import Twin
    from tests.simulations.engine.twin_state import Message

SEND, DEADLINE, EVALUATION = int(Kind.SEND), int(Kind.SEND_DEADLINE), int(Kind.EVALUATION)


@dataclass(eq=False)
class Producer:
    number: int
    allowed: float = 0.0
    deadline: float = 0.0
    held: int = 0
    sent: int = 0
    granted: int = 0
    size: float = 0.0
    planned: bool = False
    blocked: str = ""

    @property
    def waits_for_room(self) -> bool:
        return self.blocked == "full"


class Producers:
    """The producers of stream ``q``, which has a quota or flow control."""

    def __init__(self, twin: "Twin", q: int) -> None:
        self.twin, self.q = twin, q
        self.spec = twin.network.streams[q]
        self.quota = self.spec.quota or Quota()
        self.flow: FlowControl | None = self.spec.flow
        first = sum(other.producers for other in twin.network.streams[:q] if other.quota or other.flow)
        self.batch = max(self.quota.producer_batch, 1)
        self.producers = [Producer(first + j, granted=self.batch) for j in range(self.spec.producers)]
        self.line: list[Producer] = []
        self.intents = 0
        self.watching = False
        self.evaluation: list[Any] | None = None
        self.bytes = 0
        self.limit = 0.0
        self.by_messages = self.by_bytes = False

    @property
    def _inside(self) -> int:
        return self.twin.inside[self.q]

    @property
    def _armed(self) -> bool:
        return self.by_messages or self.by_bytes

    def intend(self) -> None:
        """Let the producer whose turn it is send, now or as soon as it may."""
        producer = self.producers[self.intents % len(self.producers)]
        self.intents += 1
        if producer.held or producer.blocked or self.twin.now < producer.allowed:
            producer.held += 1
            self.twin.counts.add(self.q, Count.BLOCKED_SENDS)
            self._wake(producer)
        else:
            self._send(producer)
            self.twin.counts.add(self.q, Count.BLOCKED_SENDS, int(producer.waits_for_room))
        self._watch()

    def left(self, message: "Message") -> None:
        """Take a message that has an outcome off the bytes."""
        self.bytes -= message.length

    def notice(self) -> None:
        """Let producers use room that has been made."""
        self._relieve()
        self._watch()

    def _send_held(self, producer: Producer) -> None:
        producer.planned = False
        producer.held -= 1
        self._send(producer)
        self._wake(producer)
        self._watch()
        self.twin.staging.feed(self.q)

    def _send(self, producer: Producer) -> None:
        producer.size = self._size(producer)
        producer.sent += 1
        self._pace(producer)
        if self.twin.choice.full(self.q):
            self.twin.entry.refuse(self.q)
        elif self.quota.behaviour == LimitBehaviour.FLOW_CONTROL:
            self._accept(producer)
            producer.granted -= 1
            if producer.granted == 0:
                producer.blocked = "paused"
                self.line.append(producer)
                self._relieve()
        elif self._fits(producer) and not (self.quota.behaviour == LimitBehaviour.BLOCK_FIFO and self.line):
            self._accept(producer)
        else:
            self._overflow(producer)

    def _overflow(self, producer: Producer) -> None:
        behaviour, window = self.quota.behaviour, self.quota.one_way_window
        if behaviour in (LimitBehaviour.REMOVE_OLDEST, LimitBehaviour.REMOVE_LOW_PRIORITY):
            while not self._fits(producer) and self.twin.destination[self.q][0]:
                self.twin.entry.drop(self.twin.destination[self.q][0].pop(0))
            if self._fits(producer):
                self._accept(producer)
            else:
                self.twin.entry.refuse(self.q)
        elif behaviour == LimitBehaviour.REJECT_NEWEST:
            self.twin.entry.refuse(self.q)
        elif window > 1 and producer.sent % window:
            self.twin.entry.refuse(self.q, Count.DROPPED)
        elif self.quota.send_timeout > 0:
            producer.deadline = self.twin.now + self.quota.send_timeout
            producer.blocked = "full"
            self.line.append(producer)
            self._plan_deadline(producer.deadline)
        else:
            self.twin.entry.refuse(self.q)

    def _plan_deadline(self, time: float) -> None:
        if not self.watching:
            self.watching = True
            self.twin.at(time, DEADLINE, self.q, self._expire)

    def _expire(self) -> None:
        self.watching = False
        while self.line:
            producer = self.line[0]
            if producer.deadline > self.twin.now:
                self._plan_deadline(producer.deadline)
                break
            self.twin.entry.refuse(self.q)
            self._leave_line(producer)
        self._relieve()
        self.twin.staging.feed(self.q)

    def _size(self, producer: Producer) -> float:
        """Return the bytes of the message that the producer sends next: they belong to its number in the stream."""
        number = producer.sent * len(self.producers) + self.producers.index(producer)
        if self.spec.arrivals.sizes:
            return self.spec.arrivals.sizes[number % len(self.spec.arrivals.sizes)]
        if self.spec.size_law is None:
            return self.spec.message_size
        return math.floor(
            min(twin_laws.number(self.spec.size_law, self.twin.keys[Purpose.SIZE, self.q], number), 2**31 - 1)
        )

    def _accept(self, producer: Producer) -> None:
        message = self.twin.create(self.q)
        message.length = int(producer.size)
        self.bytes += message.length
        self.twin.counts.add(self.q, Count.ADMITTED)
        self.twin.destination[self.q][0].append(message)

    def _fits(self, producer: Producer) -> bool:
        if 0 < self.quota.messages <= self._inside:
            return False
        return self.quota.bytes == 0 or self.bytes + producer.size <= self.quota.bytes

    def _may_resume(self) -> bool:
        reserve = self.spec.producers * self.batch
        if 0 < self.quota.messages <= self._inside + reserve:
            return False
        return self.quota.bytes == 0 or self.quota.bytes - self.bytes > reserve * self.spec.message_size

    def _relieve(self) -> None:
        for producer in list(self.line):
            if producer.blocked == "paused":
                if not self._may_resume():
                    return
                producer.granted = self.batch
                self._leave_line(producer)
            elif self._fits(producer):
                if self.twin.choice.full(self.q):
                    self.twin.entry.refuse(self.q)
                else:
                    self._accept(producer)
                self._pace(producer)
                self._leave_line(producer)
            elif self.quota.behaviour == LimitBehaviour.BLOCK_FIFO:
                return

    def _leave_line(self, producer: Producer) -> None:
        self.line.remove(producer)
        producer.blocked = ""
        self._wake(producer)

    def _wake(self, producer: Producer) -> None:
        if producer.held and not producer.blocked and not producer.planned:
            producer.planned = True
            time = max(producer.allowed, self.twin.now)
            self.twin.at(time, SEND, producer.number, partial(self._send_held, producer))

    def _pace(self, producer: Producer) -> None:
        producer.allowed = self.twin.now + (1.0 / self.limit if self.limit > 0 else 0.0)

    # --- flow control

    def _watch(self) -> None:
        flow = self.flow
        if flow is None:
            return
        before = self._armed
        if flow.messages_high > 0:
            self.by_messages = self._between(self._inside, flow.messages_low, flow.messages_high, self.by_messages)
        if flow.bytes_high > 0:
            self.by_bytes = self._between(self.bytes, flow.bytes_low, flow.bytes_high, self.by_bytes)
        if self._armed and not before and self.limit == 0:
            self.limit = flow.maximum
            self._plan_evaluation(flow)
        elif before and not self._armed and (flow.interval == 0 or self.limit == flow.maximum):
            self.limit = 0.0
            if self.evaluation:
                self.evaluation[4] = None

    def _plan_evaluation(self, flow: FlowControl) -> None:
        step = flow.interval / flow.steps
        self.evaluation = self.twin.at(self.twin.now + step, EVALUATION, self.q, self._evaluate)

    @staticmethod
    def _between(value: float, low: float, high: float, before: bool) -> bool:  # noqa: FBT001 - the state so far
        return value > high or (before and value >= low)

    def _evaluate(self) -> None:
        flow = self.flow
        assert flow
        if self._armed and flow.interval == 0:
            self.limit = flow.minimum
        elif self._armed:
            self.limit = max(flow.minimum, self.limit * (flow.minimum / flow.maximum) ** (1 / flow.steps))
        else:
            self.limit = min(flow.maximum, self.limit + (flow.maximum - flow.minimum) / flow.steps)
        if not self._armed and self.limit >= flow.maximum:
            self.limit = 0.0
        if self.limit > 0 and flow.interval > 0:
            self._plan_evaluation(flow)
