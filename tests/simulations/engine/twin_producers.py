"""Producers in front of a bounded destination, written a second time: quotas, blocked sends, flow control."""

import math
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from simulations.engine.draws.numbers import Purpose
from simulations.engine.network.model import FlowControl, LimitBehaviour, Quota, Thresholds
from simulations.engine.network.results import Count
from simulations.engine.records.codes import Kind

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
    limit: float = 0.0
    evaluation: list[Any] | None = None

    @property
    def waits_for_room(self) -> bool:
        return self.blocked == "full"


class Marks:
    """The thresholds of a destination, or of a store that several share, and what is above them."""

    def __init__(self, given: Thresholds) -> None:
        self.given = given
        self.by_messages = self.by_bytes = False

    @property
    def armed(self) -> bool:
        return self.by_messages or self.by_bytes

    def judge(self, messages: float, size: float) -> bool:
        """Compare what is stored with the thresholds; say whether they are disarmed now."""
        before, given = self.armed, self.given
        if given.messages_high > 0:
            self.by_messages = self._between(messages, given.messages_low, given.messages_high, self.by_messages)
        if given.bytes_high > 0:
            self.by_bytes = self._between(size, given.bytes_low, given.bytes_high, self.by_bytes)
        return before and not self.armed

    @staticmethod
    def _between(value: float, low: float, high: float, before: bool) -> bool:  # noqa: FBT001 - the state so far
        return value > high or (before and value >= low)


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
        self.bytes = 0
        self.own = Marks(self.flow.marks) if self.flow else None
        self.shared = None if self.spec.store is None else twin.marks[self.spec.store]

    @property
    def _inside(self) -> int:
        return self.twin.inside[self.q]

    @property
    def _armed(self) -> bool:
        return any(marks.armed for marks in (self.own, self.shared) if marks)

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
            self._answer(producer)

    def left(self, message: "Message") -> None:
        """Take a message that has an outcome off the bytes."""
        self.bytes -= message.length

    def notice(self) -> None:
        """Let producers use room that has been made."""
        self._relieve()
        self.watch()

    def _send_held(self, producer: Producer) -> None:
        producer.planned = False
        producer.held -= 1
        self._send(producer)
        self._wake(producer)
        self._answer(producer)
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
        elif self.fits(producer) and not (self.quota.behaviour == LimitBehaviour.BLOCK_FIFO and self.line):
            self._accept(producer)
        else:
            self._overflow(producer)

    def _overflow(self, producer: Producer) -> None:
        behaviour, window = self.quota.behaviour, self.quota.one_way_window
        if behaviour in (LimitBehaviour.REMOVE_OLDEST, LimitBehaviour.REMOVE_LOW_PRIORITY):
            while not self.fits(producer) and self.remove_oldest():
                pass
            if self.fits(producer):
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

    def remove_oldest(self) -> bool:
        """Drop the oldest message that no thread has: at a credit window also one that was sent ahead."""
        low = self.quota.behaviour == LimitBehaviour.REMOVE_LOW_PRIORITY
        return (low and self._remove(least=True)) or self._remove(least=False)

    def _remove(self, *, least: bool) -> bool:
        """Drop the oldest of the messages that come first in their lines, of those that are not urgent if asked."""
        ports = self.twin.ports[self.q] if self.spec.window else []
        held = {id(port.prepared): port for port in ports}
        here = self.twin.destination[self.q][0]
        parts = [[one for one in here if self.twin.urgent(one) == urgent] for urgent in (True, False)]
        lines = [*((here, part) for part in parts), *((line, line) for p in ports for line in (p.assigned, p.prepared))]
        firsts = [
            (line, next((one for one in part if not (least and self.twin.urgent(one))), None)) for line, part in lines
        ]
        found = [(one.index, line, one) for line, one in firsts if one is not None]
        if not found:
            return False
        _, line, message = min(found, key=lambda item: item[0])
        line.remove(message)
        if id(line) in held:
            held[id(line)].inflight -= 1
        self.twin.entry.drop(message)
        return True

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
        return self.size_of(producer.sent * len(self.producers) + self.producers.index(producer))

    def size_of(self, number: int) -> float:
        if self.spec.arrivals.sizes:
            return self.spec.arrivals.sizes[number % len(self.spec.arrivals.sizes)]
        if self.spec.size_law is None:
            return self.spec.message_size
        return math.floor(min(self.twin.draw(Purpose.SIZE, self.q, number, self.spec.size_law), 2**31 - 1))

    def _accept(self, producer: Producer) -> None:
        message = self.twin.create(self.q)
        message.length = int(producer.size)
        self.bytes += message.length
        self.twin.counts.add(self.q, Count.ADMITTED)
        self.twin.put(message)

    def fits(self, producer: Producer) -> bool:
        if 0 < self.quota.messages <= self._inside:
            return False
        return self.quota.bytes == 0 or self.bytes + producer.size <= self.quota.bytes

    def _may_resume(self) -> bool:
        active = sum(producer.blocked != "paused" for producer in self.producers)
        free = self.quota.messages - self._inside
        if self.quota.messages > 0 and (free <= 0 or free <= active * self.batch):
            return False
        free_bytes = self.quota.bytes - self.bytes
        return self.quota.bytes == 0 or (free_bytes > 0 and free_bytes > active * self.quota.producer_bytes)

    def _relieve(self) -> None:
        for producer in list(self.line):
            if producer.blocked == "paused":
                if not self._may_resume():
                    return
                producer.granted = self.batch
                self._leave_line(producer)
            elif self.fits(producer):
                if self.twin.choice.full(self.q):
                    self.twin.entry.refuse(self.q)
                else:
                    self._accept(producer)
                self._pace(producer)
                self._leave_line(producer)
                self._answer(producer)
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
        if self._is_new_after(producer):
            self._free(producer)
        producer.allowed = self.twin.now + (1.0 / producer.limit if producer.limit > 0 else 0.0)

    # --- flow control

    def _is_new_after(self, producer: Producer) -> bool:
        """Whether a new producer takes the place of this one after the message it has just sent."""
        lifetime = self.flow.messages_per_producer if self.flow else 0
        return lifetime > 0 and producer.sent % lifetime == 0

    def watch(self) -> None:
        if self.own and self.own.judge(self._inside, self.bytes):
            self._free_those_at_the_maximum()
        if self.shared:
            sharing = [other for other in self.twin.producers.values() if other.shared is self.shared]
            if self.shared.judge(sum(other._inside for other in sharing), sum(other.bytes for other in sharing)):
                for other in sharing:
                    other._free_those_at_the_maximum()

    def _free_those_at_the_maximum(self) -> None:
        for producer in self.producers:
            if self.flow and not self._armed and (self.flow.interval == 0 or producer.limit == self.flow.maximum):
                self._free(producer)

    def _free(self, producer: Producer) -> None:
        producer.limit = 0.0
        if producer.evaluation:
            producer.evaluation[4] = None

    def _answer(self, producer: Producer) -> None:
        """Tell the producer, whose send has been made, whether it must limit itself."""
        self.watch()
        answered = producer.sent % self.quota.one_way_window == 0 and not producer.waits_for_room
        if self.flow and self._armed and answered and producer.limit == 0 and not self._is_new_after(producer):
            producer.limit = self.flow.maximum
            self._plan_evaluation(producer, self.flow)

    def _plan_evaluation(self, producer: Producer, flow: FlowControl) -> None:
        time = self.twin.now + flow.interval / flow.steps
        producer.evaluation = self.twin.at(time, EVALUATION, producer.number, partial(self._evaluate, producer, flow))

    def _evaluate(self, producer: Producer, flow: FlowControl) -> None:
        if self._armed and flow.interval == 0:
            producer.limit = flow.minimum
        elif self._armed:
            producer.limit = max(flow.minimum, producer.limit * (flow.minimum / flow.maximum) ** (1 / flow.steps))
        else:
            producer.limit = min(flow.maximum, producer.limit + (flow.maximum - flow.minimum) / flow.steps)
        if not self._armed and producer.limit >= flow.maximum:
            producer.limit = 0.0
        if producer.limit > 0 and flow.interval > 0:
            self._plan_evaluation(producer, flow)
