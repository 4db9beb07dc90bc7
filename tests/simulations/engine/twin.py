"""The slow twin: the same rules written a second time, plainly, with lists and a heap of callbacks.

It shares nothing with the compiled loop but the random address function. ``simulate`` returns the trace: rows of
(seconds, step, stream, message, messages in flight at the port).
"""

import heapq
import itertools
from collections.abc import Callable
from typing import Any

import numpy as np

from simulations.engine.draws.numbers import Purpose, stream_key, uniform
from simulations.engine.network.model import ArrivalKind, Law, NetworkSpec
from simulations.engine.records.codes import Step
from tests.simulations.engine.twin_chains import Chains
from tests.simulations.engine.twin_choice import Choice
from tests.simulations.engine.twin_counts import Counts
from tests.simulations.engine.twin_dispatcher import Dispatcher
from tests.simulations.engine.twin_endings import Endings
from tests.simulations.engine.twin_entry import Entry
from tests.simulations.engine.twin_laws import DEFINED, ROUNDED, number
from tests.simulations.engine.twin_outages import Outages
from tests.simulations.engine.twin_polling import Polling
from tests.simulations.engine.twin_producers import Marks, Producers
from tests.simulations.engine.twin_service import Service
from tests.simulations.engine.twin_staging import Staging
from tests.simulations.engine.twin_state import Message, Port, Row, Thread
from tests.simulations.engine.twin_threads import Threads


class Twin:
    """One replication."""

    def __init__(self, network: NetworkSpec, seed: int, replication: int, steps: int, *, exact: bool) -> None:
        self.network, self.steps, self.exact = network, steps, exact
        self.functions = ROUNDED if exact else DEFINED
        self.now = 0.0
        self.trace: list[Row] = []
        self.heap: list[list[Any]] = []
        self.order, self.tickets, self.serial = itertools.count(1), itertools.count(1), itertools.count()
        self.starts = itertools.count(1)
        self.seed, self.replication = seed, replication
        self.keys = {(purpose, q): self.key(purpose, q) for q in range(len(network.streams)) for purpose in Purpose}
        count = len(network.streams)
        self.destination: list[list[list[Message]]] = []
        """By stream: one queue, or one of each instance."""
        self.next_index, self.next_time = [0] * count, [0.0] * count
        self.rotation, self.session_rotation = [0] * count, [0] * count
        self.stopped, self.returned = [False] * count, [False] * count
        self.inside, self.arrivals = [0] * count, [0] * count
        self.delayed: list[list[tuple[float, Message]]] = [[] for _ in range(count)]
        self.members: list[list[Thread]] = []
        self.pool_of: list[int] = []
        self.cpu: list[dict[Thread, float]] = []
        self.cpu_since: list[float] = []
        self.cpu_event: list[list[Any] | None] = []
        self.resource: dict[tuple[int, int], tuple[list[Thread], list[Thread]]] = {}
        self.ports: list[list[Port]] = [[] for _ in range(count)]
        self._build()
        self.counts = Counts(self)
        self.entry = Entry(self)
        self.staging = Staging(self)
        self.polling = Polling(self)
        self.dispatcher = Dispatcher(self)
        self.service = Service(self)
        self.endings = Endings(self)
        self.threads = Threads(self)
        self.choice = Choice(self, seed, replication)
        self.outages = Outages(self)
        self.chains, self.sent = Chains(self), [False] * count
        self.marks = [Marks(thresholds) for thresholds in network.stores]
        controlled = [q for q, spec in enumerate(network.streams) if spec.quota or spec.flow]
        self.producers = {q: Producers(self, q) for q in controlled}

    def key(self, purpose: Purpose, entity: int) -> np.uint64:
        return np.uint64(stream_key(self.seed, self.replication, int(purpose), entity))

    def _build(self) -> None:
        for index, pool in enumerate(self.network.pools):
            for instance in range(pool.instances):
                m = len(self.members)
                machine = m if pool.host is None else self.pool_of.index(pool.host) + instance
                self.members.append([Thread(m, machine) for _ in range(pool.threads)])
                self.pool_of.append(index)
                self.cpu.append({})
                self.cpu_since.append(0.0)
                self.cpu_event.append(None)
                for q, spec in enumerate(self.network.streams):
                    if spec.pool == index:
                        port = Port(q, m, instance)
                        port.credit = spec.window.limit if spec.window else 0
                        port.batch = spec.transaction.batch if spec.transaction else 1
                        sessions = spec.concurrency or pool.threads
                        port.sessions = [[] for _ in range(sessions if spec.pipeline else 0)]
                        self.ports[q].append(port)
        for spec in self.network.streams:
            queues = self.network.pools[spec.pool].instances if spec.copies else 1
            self.destination.append([[] for _ in range(queues)])

    def at(self, time: float, kind: int, entity: int, action: Callable[[], None]) -> list[Any]:
        entry = [time, kind, entity, next(self.serial), action]
        heapq.heappush(self.heap, entry)
        return entry

    def run(self) -> list[Row]:
        for q in range(len(self.network.streams)):
            self.entry.plan_arrival(q)
        for port in (port for m in range(len(self.members)) for port in self.ports_of(m)):
            self.polling.start_pollers(port)
        self.threads.start()
        self.outages.start()
        for q in range(len(self.network.streams)):
            self.staging.feed(q)
        for m in range(len(self.members)):
            self.dispatcher.dispatch(m)
        end = self.network.horizon.time
        while self.heap and len(self.trace) < self.steps and self.heap[0][0] < end:
            entry = heapq.heappop(self.heap)
            if entry[4] is not None:
                self.counts.pass_time(entry[0])
                self.now = entry[0]
                entry[4]()
        self.counts.pass_time(end)
        return self.trace[: self.steps]

    def note(self, step: Step, message: Message, inflight: int) -> None:
        self.trace.append((self.now, int(step), message.stream, message.index, inflight))
        self.counts.note(step, message)

    def draw(self, purpose: Purpose, q: int, index: int, law: Law) -> float:
        return number(law, self.keys[purpose, q], index, self.functions)

    def mark(self, purpose: Purpose, q: int, index: int) -> float:
        return float(uniform(self.keys[purpose, q], index))

    def end(self, message: Message) -> None:
        self.inside[message.stream] -= 1
        self.outages.note_end(message.stream)
        if message.stream in self.producers:
            self.producers[message.stream].left(message)

    def create(self, q: int) -> Message:
        message = Message(q, self.next_index[q], self.now, next(self.tickets), mark=self.now, began=self.now)
        self.next_index[q] += 1
        self.inside[q] += 1
        self.note(Step.ARRIVE, message, 0)
        return message

    def source(self, port: Port) -> list[Message]:
        """Return the queue that the port takes its messages from."""
        lines = self.destination[port.stream]
        return lines[port.instance % len(lines)]

    def waits(self, port: Port) -> bool:
        saturated = self.network.streams[port.stream].arrivals.kind == ArrivalKind.SATURATED
        return bool(self.source(port)) or saturated

    def take(self, port: Port) -> Message:
        line = self.source(port)
        return line.pop(0) if line else self.create(port.stream)

    def home(self, message: Message) -> list[Message]:
        """Return the queue that the message stands in and comes back to."""
        return self.destination[message.stream][message.copy]

    def urgent(self, message: Message) -> bool:
        share = self.network.streams[message.stream].urgent_share
        return share > 0 and self.mark(Purpose.PRIORITY, message.stream, message.index) < share

    def put(self, message: Message, *, back: bool = False) -> None:
        """Put a message last among those of its priority, or bring it ``back`` as the first of them."""
        line = self.home(message)
        urgent = sum(self.urgent(other) for other in line)
        first, last = (0, urgent) if self.urgent(message) else (urgent, len(line))
        line.insert(first if back else last, message)

    def ports_of(self, m: int) -> list[Port]:
        return [port for ports in self.ports for port in ports if port.member == m]

    def number(self, port: Port) -> int:
        """Ports are numbered by member, then in the order of the streams."""
        before = sum(len(self.ports_of(m)) for m in range(port.member))
        return before + self.ports_of(port.member).index(port)


def simulate(network: NetworkSpec, *, seed: int, replication: int, steps: int, exact: bool) -> tuple[list[Row], Counts]:
    """Return the first ``steps`` rows of the trace of one replication, and what was counted up to there.

    An ``exact`` twin rounds draws and shared CPUs as the compiled loop does, and instants are equal to the last bit;
    the other one has both from their definitions.
    """
    twin = Twin(network, seed, replication, steps, exact=exact)
    return twin.run(), twin.counts
