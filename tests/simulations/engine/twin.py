"""The slow twin: the same rules written a second time, plainly, with lists and a heap of callbacks.

It shares nothing with the compiled loop but the random address function. ``simulate`` returns the trace: rows of
(seconds, step, stream, message, messages in flight at the port).
"""

import heapq
import itertools
import math
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np

from simulations.engine.layout import Step
from simulations.engine.network import (
    ArrivalKind,
    Exhausted,
    Law,
    LawKind,
    NetworkSpec,
    PollerKind,
    Stream,
    TimeoutAction,
)
from simulations.engine.streams import Purpose, stream_key, uniform
from tests.simulations.engine.twin_choice import Choice
from tests.simulations.engine.twin_producers import Producers
from tests.simulations.engine.twin_threads import Threads

CPU_END, SERVICE_END, SERVANT, AGENT, REJECT, DISPATCH, RETRY, GRANT, ANSWER, POLL = range(10)
ARRIVAL = 99
Row = tuple[float, int, int, int, int]


@dataclass(eq=False)
class Message:
    stream: int
    index: int
    arrived: float
    ticket: int
    ready: float = 0.0
    mark: float = 0.0
    deliveries: int = 0
    alone: bool = False
    length: int = 0


@dataclass(eq=False)
class Thread:
    member: int
    port: "Port | None" = None
    message: Message | None = None
    batch: list[Message] = field(default_factory=list)
    began: float = 0.0
    start: int = 0
    session: int | None = None
    alone: bool = False
    resuming: bool = False
    later: tuple[float, float] = (0.0, 0.0)
    stage: str = "last"
    event: list[Any] | None = None


@dataclass(eq=False)
class Port:
    stream: int
    member: int
    instance: int
    prepared: list[Message] = field(default_factory=list)
    running: list[Thread] = field(default_factory=list)
    sessions: list[list[Message]] = field(default_factory=list)
    busy: set[int] = field(default_factory=set)
    ready: list[int] = field(default_factory=list)
    watched: list[tuple[float, Thread, int]] = field(default_factory=list)
    waiters: list[Thread] = field(default_factory=list)
    inflight: int = 0
    threads: int = 0
    pollers: int = 0
    wanted: int = 0
    ticket: int = 0
    credit: int = 0
    asked: int = 0
    closed: bool = False
    rejecting: bool = False
    agent: Message | None = None
    batch: int = 1
    used: float = 0.0
    used_total: float = 0.0
    since: float = 0.0
    starts: int = 0
    wanting: bool = False


class Twin:
    """One replication."""

    def __init__(self, network: NetworkSpec, seed: int, replication: int, steps: int) -> None:
        self.network, self.steps = network, steps
        self.now = 0.0
        self.trace: list[Row] = []
        self.heap: list[list[Any]] = []
        self.order, self.tickets, self.serial = itertools.count(1), itertools.count(1), itertools.count()
        self.starts = itertools.count(1)
        self.keys = {
            (purpose, q): np.uint64(stream_key(seed, replication, int(purpose), q))
            for q in range(len(network.streams))
            for purpose in Purpose
        }
        count = len(network.streams)
        self.destination: list[list[list[Message]]] = []
        """By stream: one queue, or one of each instance."""
        self.next_index, self.next_time = [0] * count, [0.0] * count
        self.rotation, self.session_rotation = [0] * count, [0] * count
        self.stopped, self.returned = [False] * count, [False] * count
        self.inside, self.arrivals = [0] * count, [0] * count
        self.members: list[list[Thread]] = []
        self.pool_of: list[int] = []
        self.cpu: list[dict[Thread, float]] = []
        self.cpu_since: list[float] = []
        self.cpu_event: list[list[Any] | None] = []
        self.resource: dict[tuple[int, int], tuple[list[Thread], list[Thread]]] = {}
        self.ports: list[list[Port]] = [[] for _ in range(count)]
        self._build()
        self.threads = Threads(self)
        self.choice = Choice(self, seed, replication)
        controlled = [q for q, spec in enumerate(network.streams) if spec.quota or spec.flow]
        self.producers = {q: Producers(self, q) for q in controlled}

    def _build(self) -> None:
        for index, pool in enumerate(self.network.pools):
            for instance in range(pool.instances):
                m = len(self.members)
                self.members.append([Thread(m) for _ in range(pool.threads)])
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

    # --- time

    def at(self, time: float, kind: int, entity: int, action: Callable[[], None]) -> list[Any]:
        entry = [time, kind, entity, next(self.serial), action]
        heapq.heappush(self.heap, entry)
        return entry

    def run(self) -> list[Row]:
        for q in range(len(self.network.streams)):
            self._plan_arrival(q)
        for port in (port for m in range(len(self.members)) for port in self.ports_of(m)):
            self._start_pollers(port)
        self.threads.start()
        for q in range(len(self.network.streams)):
            self.feed(q)
        for m in range(len(self.members)):
            self.dispatch(m)
        end = self.network.horizon.time
        while self.heap and len(self.trace) < self.steps and self.heap[0][0] < end:
            entry = heapq.heappop(self.heap)
            if entry[4] is not None:
                self.now = entry[0]
                entry[4]()
        return self.trace[: self.steps]

    def note(self, step: Step, message: Message, inflight: int) -> None:
        self.trace.append((self.now, int(step), message.stream, message.index, inflight))

    def draw(self, purpose: Purpose, q: int, index: int, law: Law) -> float:
        if law.kind == LawKind.CONSTANT:
            return law.a
        return -math.log(float(uniform(self.keys[purpose, q], index))) * law.a

    def mark(self, purpose: Purpose, q: int, index: int) -> float:
        return float(uniform(self.keys[purpose, q], index))

    # --- arrivals

    def _plan_arrival(self, q: int) -> None:
        self.next_time[q] = self._arrival_after(q, self.network.streams[q])
        if self.next_time[q] < math.inf:
            self.at(self.next_time[q], ARRIVAL, q, lambda: self.arrive(q))

    def _arrival_after(self, q: int, spec: Stream) -> float:
        arrivals, k = spec.arrivals, self.arrivals[q]
        if arrivals.kind == ArrivalKind.CONSTANT:
            return arrivals.start + (k + 1) / arrivals.rate
        if arrivals.kind == ArrivalKind.SURGE and k < arrivals.count:
            return arrivals.start
        if arrivals.kind == ArrivalKind.SATURATED or arrivals.rate == 0.0:
            return math.inf
        last = self.next_time[q] if k else arrivals.start
        return last + -math.log(self.mark(Purpose.ARRIVAL, q, k)) / arrivals.rate

    def arrive(self, q: int) -> None:
        while self.next_time[q] <= self.now:
            self._put(q)
            self.arrivals[q] += 1
            self.next_time[q] = self._arrival_after(q, self.network.streams[q])
        if self.next_time[q] < math.inf:
            self.at(self.next_time[q], ARRIVAL, q, lambda: self.arrive(q))
        self.feed(q, settled=True)

    def _put(self, q: int) -> None:
        if q in self.producers:
            self.producers[q].intend()
        elif self.choice.full(q):
            self.refuse(q)
        else:
            for line in self.destination[q]:
                line.append(self.create(q))

    def refuse(self, q: int) -> None:
        self.drop(self.create(q))

    def drop(self, message: Message) -> None:
        self._end(message)
        self.note(Step.DROP, message, 0)

    def _end(self, message: Message) -> None:
        self.inside[message.stream] -= 1
        if message.stream in self.producers:
            self.producers[message.stream].left(message)

    def create(self, q: int) -> Message:
        message = Message(q, self.next_index[q], self.now, next(self.tickets), mark=self.now)
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
        """Return the queue that the message comes back to."""
        lines = self.destination[message.stream]
        return lines[message.index % len(lines)]

    # --- from the destination on

    def feed(self, q: int, *, settled: bool = False) -> None:
        """Move the messages of stream ``q`` on; ``settled``: no thread is due unless one of them gets nearer to it."""
        spec, before = self.network.streams[q], len(self.trace)
        if spec.gate:
            self._admit(q)
        elif spec.window:
            self._deliver(q)
        elif self._polled(spec):
            self._wake_pollers(q)
        elif spec.pipeline:
            self._prefetch(q)
        else:
            self._offer(q)
        staged = spec.gate or spec.window or spec.pipeline
        if not staged or not settled or any(row[1] == Step.PREPARE for row in self.trace[before:]):
            for port in self.ports[q]:
                self.dispatch(port.member)

    def _in_turn(self, q: int) -> list[Port]:
        first = self.rotation[q] % len(self.ports[q])
        return self.ports[q][first:] + self.ports[q][:first]

    def _offer(self, q: int) -> None:
        while True:
            if len(self.destination[q]) == 1 and not self.waits(self.ports[q][0]):
                return
            able = (p for p in self._in_turn(q) if self.threads.idle(p.member) and self.choice.choose(p.member) is p)
            port = next(able, None)
            if port is None:
                return
            self.rotation[q] = port.instance + 1
            self._start(port)

    def _admit(self, q: int) -> None:
        spec = self.network.streams[q]
        while not self.stopped[q]:
            able = [p for p in self._in_turn(q) if not p.closed and p.agent is None and self.waits(p)]
            if not able:
                return
            port = able[0]
            self.rotation[q] = port.instance + 1
            message = self.take(port)
            if spec.gate and spec.gate.agent_time > 0:
                port.agent = message
                self.at(self.now + spec.gate.agent_time, AGENT, self._number(port), partial(self._put_down, port))
            else:
                self._prepare(port, message)

    def _number(self, port: Port) -> int:
        """Ports are numbered by member, then in the order of the streams."""
        before = sum(len(self.ports_of(m)) for m in range(port.member))
        return before + self.ports_of(port.member).index(port)

    def _put_down(self, port: Port) -> None:
        message, port.agent = port.agent, None
        assert message is not None
        self._prepare(port, message)
        self.feed(port.stream)

    def _prepare(self, port: Port, message: Message) -> None:
        spec = self.network.streams[port.stream]
        message.ready = message.mark = self.now
        message.ticket = next(self.tickets)
        port.prepared.append(message)
        port.inflight += 1
        self.note(Step.PREPARE, message, port.inflight)
        if spec.gate and port.inflight >= spec.gate.high:
            port.closed = True

    def _too_old(self, port: Port) -> bool:
        timeouts = self.network.streams[port.stream].timeouts
        if not timeouts or not timeouts.queue or not port.prepared:
            return False
        return self.now > port.prepared[0].ready + timeouts.queue

    def _reject(self, port: Port) -> None:
        port.rejecting = False
        while self._too_old(port):
            message = port.prepared.pop(0)
            self._left(port)
            self.note(Step.EXPIRE, message, port.inflight)
            self._bring_back(message, delivered=False)
        self.settle(port)

    def _left(self, port: Port) -> None:
        spec = self.network.streams[port.stream]
        port.inflight -= 1
        if spec.gate and port.closed and port.inflight <= spec.gate.low:
            port.closed = False

    def _deliver(self, q: int) -> None:
        for port in self._in_turn(q):
            window = self.network.streams[q].window
            assert window
            while not self.stopped[q] and self.waits(port) and port.credit > 0:
                port.credit -= 1
                self._prepare(port, self.take(port))
                self.rotation[q] = port.instance + 1
            if port.credit == 0 and port.asked == 0 and port.inflight <= window.threshold:
                port.asked = window.limit - port.inflight
                self.at(self.now + window.round_trip, GRANT, self._number(port), partial(self._grant, port))

    def _grant(self, port: Port) -> None:
        port.credit, port.asked = port.asked, 0
        self.feed(port.stream)

    def _prefetch(self, q: int) -> None:
        ports, depth = self.ports[q], self.network.streams[q].pipeline
        total = len(ports) * len(ports[0].sessions)
        while not self.stopped[q]:
            turns = [(self.session_rotation[q] + i) % total for i in range(total)]
            able = [
                t
                for t in turns
                if len(ports[t % len(ports)].sessions[t // len(ports)]) < depth and self.waits(ports[t % len(ports)])
            ]
            if not able:
                return
            self.session_rotation[q] = able[0] + 1
            port, s = ports[able[0] % len(ports)], able[0] // len(ports)
            self._prepare(port, self.take(port))
            port.sessions[s].append(port.prepared.pop())
            if s not in port.busy and s not in port.ready:
                port.ready.append(s)

    # --- pollers

    def _polled(self, spec: Stream) -> bool:
        return spec.poller is not None and spec.poller.kind != PollerKind.ON_MESSAGE

    def _start_pollers(self, port: Port) -> None:
        spec = self.network.streams[port.stream]
        if not self._polled(spec) or spec.poller is None:
            return
        sessions = self._sessions(port)
        port.wanted = sessions if spec.poller.kind == PollerKind.EAGER else 1
        for _ in range(port.wanted):
            port.ticket = next(self.tickets)
        if spec.poller.kind == PollerKind.LEGACY:
            self.at(self.now + spec.poller.interval, POLL, self._number(port), lambda: self._cycle(port))

    def _sessions(self, port: Port) -> int:
        spec = self.network.streams[port.stream]
        assert spec.poller
        return min(spec.poller.sessions, len(self.members[port.member]))

    def _cycle(self, port: Port) -> None:
        spec = self.network.streams[port.stream]
        assert spec.poller
        if port.pollers + port.wanted < self._sessions(port) and self.waits(port):
            port.wanted += 1
            port.ticket = next(self.tickets)
        self.at(self.now + spec.poller.interval, POLL, self._number(port), lambda: self._cycle(port))
        self.dispatch(port.member)

    def _wake_pollers(self, q: int) -> None:
        while not self.stopped[q]:
            able = [p for p in self._in_turn(q) if p.waiters and self.waits(p)]
            if not able:
                return
            port = able[0]
            self.rotation[q] = port.instance + 1
            thread = port.waiters.pop(0)
            spec = self.network.streams[q]
            if spec.poller and spec.poller.receive_timeout > 0:
                thread.began = self.now - (self.now - thread.began) % spec.poller.receive_timeout
            self._received(port)
            self._occupy(port)
            self._begin(thread, port, None)

    def _received(self, port: Port) -> None:
        spec = self.network.streams[port.stream]
        token = spec.poller is not None and spec.poller.kind == PollerKind.TOKEN
        if token and not port.waiters and not port.wanted and port.pollers < self._sessions(port):
            port.wanted = 1
            port.ticket = next(self.tickets)

    def _poll(self, thread: Thread, port: Port) -> None:
        thread.began = self.now
        self._received(port)
        self._occupy(port)
        self._begin(thread, port, None)

    # --- threads

    def ports_of(self, m: int) -> list[Port]:
        return [port for ports in self.ports for port in ports if port.member == m]

    def wants(self, port: Port) -> bool:
        spec = self.network.streams[port.stream]
        sessions = spec.poller.sessions if spec.poller else math.inf
        if self.stopped[port.stream] or port.threads >= min(spec.concurrency or math.inf, sessions):
            return False
        if self._polled(spec):
            return port.wanted > 0
        if spec.pipeline:
            return bool(port.ready)
        if spec.gate or spec.window:
            return bool(port.prepared)
        return self.waits(port)

    def head(self, port: Port) -> Message | None:
        """Return the message that the port offers; None when it makes one up or wants a poller."""
        spec = self.network.streams[port.stream]
        if self._polled(spec):
            return None
        if spec.pipeline:
            return port.sessions[port.ready[0]][0]
        line = port.prepared if spec.gate or spec.window else self.source(port)
        return line[0] if line else None

    def ticket(self, port: Port) -> int:
        head = self.head(port)
        return head.ticket if head else port.ticket

    def dispatch(self, m: int) -> None:
        while True:
            if not self.threads.idle(m):
                if self.threads.all_exist(m) or self.choice.choose(m) is None:
                    return
                self.threads.grow(m)
            port = self.choice.choose(m) if self.threads.idle(m) else None
            if port is None:
                return
            if self._too_old(port):
                if not port.rejecting:
                    port.rejecting = True
                    self.at(self.now, REJECT, self._number(port), partial(self._reject, port))
                return
            self._start(port)

    def _start(self, port: Port) -> None:
        spec = self.network.streams[port.stream]
        thread = self.threads.take(port.member)
        thread.began = self.now
        if self._polled(spec):
            port.wanted -= 1
            port.pollers += 1
            if self.waits(port):
                self._poll(thread, port)
            else:
                port.waiters.append(thread)
            return
        self._occupy(port)
        session = port.ready.pop(0) if spec.pipeline else None
        if session is not None:
            port.busy.add(session)
        self._begin(thread, port, session)

    def _occupy(self, port: Port) -> None:
        self.choice.charge(port, 1)
        port.starts += 1
        port.threads += 1

    def _begin(self, thread: Thread, port: Port, session: int | None) -> None:
        spec = self.network.streams[port.stream]
        if session is not None:
            message = port.sessions[session].pop(0)
        elif spec.gate or spec.window:
            message = port.prepared.pop(0)
        else:
            message = self.take(port)
            port.inflight += 1
            message.ready = self.now
            port.ticket = next(self.tickets)
        thread.port, thread.message, thread.session, thread.alone = port, message, session, message.alone
        self.note(Step.START, message, port.inflight)
        if session is not None:
            self._prefetch(port.stream)
        thread.start = next(self.starts)
        if spec.timeouts and spec.timeouts.dispatch > 0:
            limit = max(message.ready + spec.timeouts.dispatch, self.now)
            port.watched.append((limit, thread, thread.start))
            self.at(limit, DISPATCH, self._number(port), partial(self._overrun, port))
        self._serve(thread)

    def _serve(self, thread: Thread) -> None:
        assert thread.message
        spec = self.network.streams[thread.message.stream]
        demand = self.draw(
            Purpose.SERVICE,
            thread.message.stream,
            thread.message.index + thread.message.deliveries * 2**40,
            spec.service,
        )
        order = next(self.order)
        on_cpu = demand * spec.cpu_share
        thread.stage = "last"
        if spec.downstream is None:
            self._work(thread, on_cpu, demand - on_cpu, order)
            return
        before = demand * (1.0 - spec.downstream.share)
        first_cpu = min(on_cpu, before)
        later_cpu = on_cpu - first_cpu
        thread.later = (later_cpu, demand - before - later_cpu)
        thread.stage = "before"
        if before > 0:
            self._work(thread, first_cpu, before - first_cpu, order)
        else:
            self._acquire(thread, order)

    def _work(self, thread: Thread, on_cpu: float, waiting: float, order: int) -> None:
        if on_cpu > 0:
            self._share_cpus(thread.member)
            self.cpu[thread.member][thread] = on_cpu
            thread.event = [waiting, order]
            self._plan_cpu(thread.member)
        else:
            thread.event = self.at(self.now + waiting, SERVICE_END, order, lambda: self._end_part(thread, order))

    def _share_cpus(self, m: int) -> None:
        """Let every thread on the CPUs of member ``m`` progress to the present."""
        cpus, passed = self.network.pools[self.pool_of[m]].cpus, self.now - self.cpu_since[m]
        rate = min(1.0, cpus / max(len(self.cpu[m]), 1))
        self.cpu[m] = {thread: left - rate * passed for thread, left in self.cpu[m].items()}
        self.cpu_since[m] = self.now

    def _plan_cpu(self, m: int) -> None:
        event = self.cpu_event[m]
        if event is not None:
            event[4] = None
        if self.cpu[m]:
            cpus = self.network.pools[self.pool_of[m]].cpus
            slow = max(1.0, len(self.cpu[m]) / cpus)
            left = max(min(self.cpu[m].values()), 0.0)
            self.cpu_event[m] = self.at(self.now + left * slow, CPU_END, m, lambda: self._end_cpu(m))

    def _end_cpu(self, m: int) -> None:
        self._share_cpus(m)
        thread = min(self.cpu[m], key=lambda t: self.cpu[m][t])
        del self.cpu[m][thread]
        self._plan_cpu(m)
        assert thread.event
        waiting, order = thread.event
        if waiting > 0:
            thread.event = self.at(self.now + waiting, SERVICE_END, order, lambda: self._end_part(thread, order))
        else:
            self._end_part(thread, order)

    def _acquire(self, thread: Thread, order: int) -> None:
        assert thread.message
        spec = self.network.streams[thread.message.stream]
        assert spec.downstream
        key = (thread.member, spec.downstream.resource)
        holders, line = self.resource.setdefault(key, ([], []))
        if len(holders) < self.network.resources[key[1]]:
            holders.append(thread)
            thread.stage = "last"
            self._work(thread, *thread.later, order)
        else:
            thread.stage = "queued"
            thread.event = [0.0, order]
            line.append(thread)

    def _give_back(self, thread: Thread) -> None:
        for holders, line in self.resource.values():
            if thread in holders:
                holders.remove(thread)
                if line:
                    following = line.pop(0)
                    holders.append(following)
                    following.stage = "last"
                    assert following.event
                    self._work(following, *following.later, following.event[1])

    # --- the end of a delivery

    def _end_part(self, thread: Thread, order: int) -> None:
        port = thread.port
        assert port
        if thread.resuming:
            thread.resuming = False
            self._serve(thread)
        elif thread.stage == "before":
            self._acquire(thread, order)
        elif thread.stage == "commit":
            self._commit(thread)
            self.settle(port)
        elif self._end_message(thread, order):
            self.settle(port)

    def _fails(self, message: Message) -> bool:
        spec, q = self.network.streams[message.stream], message.stream
        if spec.poison_rate > 0 and self.mark(Purpose.POISON, q, message.index) < spec.poison_rate:
            return True
        address = message.index + message.deliveries * 2**40
        return spec.failure_rate > 0 and self.mark(Purpose.FAILURE, q, address) < spec.failure_rate

    def _end_message(self, thread: Thread, order: int) -> bool:
        """End ``onMessage``; False when nothing else can move because of it."""
        port, message = thread.port, thread.message
        assert port
        assert message
        spec = self.network.streams[port.stream]
        if spec.downstream:
            self._give_back(thread)
        transaction = spec.transaction
        if transaction and transaction.lifetime > 0 and self.now - thread.began > transaction.lifetime:
            self.note(Step.OVERRUN, message, port.inflight)
            self._roll_back(thread, alone=False)
            port.batch = max(port.batch // 2, 1)
            return True
        if self._fails(message):
            return self._fail(thread, message, order)
        if transaction is None:
            self._finish(thread, [message])
            return True
        thread.batch.append(message)
        thread.message = None
        if self._batch_goes_on(thread, port, spec):
            self._begin(thread, port, thread.session)
            return True
        if transaction.commit_time == 0:
            self._commit(thread)
            return True
        thread.stage = "commit"
        thread.event = self.at(
            self.now + transaction.commit_time, SERVICE_END, order, lambda: self._end_part(thread, order)
        )
        return False

    def _batch_goes_on(self, thread: Thread, port: Port, spec: Stream) -> bool:
        if self.stopped[port.stream] or len(thread.batch) >= port.batch or thread.alone:
            return False
        line = self._line_of(thread, port, spec)
        if line:
            return not line[0].alone
        staged = spec.gate or spec.window or spec.pipeline
        return not staged and spec.arrivals.kind == ArrivalKind.SATURATED

    def _line_of(self, thread: Thread, port: Port, spec: Stream) -> list[Message]:
        if thread.session is not None:
            return port.sessions[thread.session]
        return port.prepared if spec.gate or spec.window else self.source(port)

    def _fail(self, thread: Thread, message: Message, order: int) -> bool:
        port = thread.port
        assert port
        spec = self.network.streams[port.stream]
        self.note(Step.FAIL, message, port.inflight)
        again = spec.redelivery
        last = again.limit > 0 and message.deliveries + 1 >= again.limit
        if again.in_place and not thread.batch and not last:
            message.deliveries += 1
            thread.resuming = True
            thread.event = self.at(self.now + again.delay, SERVICE_END, order, lambda: self._end_part(thread, order))
            return False
        alone = not again.in_place or bool(thread.batch)
        alone = alone and spec.transaction is not None and spec.transaction.batch > 1
        if alone and not thread.alone:
            left = max(port.batch - len(thread.batch) - 1, 0)  # it may have become smaller since the batch began
            following = self._line_of(thread, port, spec)[:left]
            for other in itertools.takewhile(lambda one: not one.alone, following):
                other.alone = True
        self._roll_back(thread, alone=alone)
        return True

    def _commit(self, thread: Thread) -> None:
        port = thread.port
        assert port
        transaction = self.network.streams[port.stream].transaction
        assert transaction
        port.batch = min(2 * port.batch, transaction.batch)
        done, thread.batch = thread.batch, []
        self._finish(thread, done)

    def _finish(self, thread: Thread, done: list[Message]) -> None:
        port = thread.port
        assert port
        for message in done:
            self._left(port)
            self._end(message)
            self.threads.crews[port.member].finished += 1
            self.note(Step.COMPLETE, message, port.inflight)
        self._release(thread)

    def _roll_back(self, thread: Thread, *, alone: bool, lost: bool = False) -> None:
        port = thread.port
        assert port
        batch = thread.batch + ([thread.message] if thread.message else [])
        thread.batch = []
        delayed = self.network.streams[port.stream].redelivery.delay > 0
        for message in batch if delayed else reversed(batch):
            message.alone = alone
            self._left(port)
            self._bring_back(message, delivered=True)
        self._release(thread, lost=lost)

    def _bring_back(self, message: Message, *, delivered: bool) -> None:
        again, q = self.network.streams[message.stream].redelivery, message.stream
        message.mark = self.now
        if delivered:
            message.deliveries += 1
            if again.limit > 0 and message.deliveries >= again.limit:
                self._exhaust(message, again.exhausted)
                return
        if again.delay > 0:
            self.at(self.now + again.delay, RETRY, q, lambda: self._retry(message))
        else:
            self.home(message).insert(0, message)
            self.returned[q] = True

    def _exhaust(self, message: Message, exhausted: Exhausted) -> None:
        if exhausted == Exhausted.STOP_STREAM:
            self.stopped[message.stream] = True
            self.home(message).insert(0, message)
        else:
            self._end(message)
            self.note(Step.DEAD if exhausted == Exhausted.DEAD_LETTER else Step.DROP, message, 0)

    def _retry(self, message: Message) -> None:
        message.mark = self.now
        self.home(message).insert(0, message)
        self.feed(message.stream)

    def _release(self, thread: Thread, *, lost: bool = False) -> None:
        port = thread.port
        assert port
        thread.port = thread.message = None
        self.choice.charge(port, -1)
        port.threads -= 1
        if thread.session is not None:
            port.busy.discard(thread.session)
            if port.sessions[thread.session]:
                port.ready.append(thread.session)
        if lost:
            self._lose_poller(port)
        elif not self._poll_on(thread, port):
            self.threads.give(thread)

    def _poll_on(self, thread: Thread, port: Port) -> bool:
        """Let a poller go on; False when its thread goes back to the pool."""
        spec = self.network.streams[port.stream]
        if not self._polled(spec) or not spec.poller:
            return False
        token_taken = spec.poller.kind == PollerKind.TOKEN and (port.waiters or port.wanted)
        if not self.stopped[port.stream] and self.waits(port):
            self._poll(thread, port)
        elif token_taken:
            port.pollers -= 1
            return False
        else:
            thread.began = self.now
            port.waiters.append(thread)
        return True

    def _lose_poller(self, port: Port) -> None:
        if self._polled(self.network.streams[port.stream]):
            port.pollers -= 1
            port.wanted += 1
            port.ticket = next(self.tickets)

    def _overrun(self, port: Port) -> None:
        """End all deliveries of the port that are due, before anything else moves."""
        due = [(thread, start) for limit, thread, start in port.watched if limit <= self.now]
        port.watched = [entry for entry in port.watched if entry[0] > self.now]
        timeouts = self.network.streams[port.stream].timeouts
        assert timeouts
        moved = False
        for thread, start in due:
            if thread.message is not None and thread.start == start:
                moved = True
                self.note(Step.OVERRUN, thread.message, port.inflight)
                if timeouts.action == TimeoutAction.RESTART_SERVANT:
                    self.threads.lose_servant(thread)
                else:
                    self._halt(thread)
        if moved:
            for other in self.ports_of(port.member):
                self.settle(other)

    def lose(self, thread: Thread) -> None:
        """End what a thread that is not idle does, for good: it waits for a message, or works."""
        for port in self.ports_of(thread.member):
            if thread in port.waiters:
                port.waiters.remove(thread)
                self._lose_poller(port)
                return
        self._halt(thread, lost=True)

    def _halt(self, thread: Thread, *, lost: bool = False) -> None:
        if thread in self.cpu[thread.member]:
            self._share_cpus(thread.member)
            del self.cpu[thread.member][thread]
            self._plan_cpu(thread.member)
        elif thread.event is not None and len(thread.event) > 2:
            thread.event[4] = None
        self._abandon(thread)
        thread.resuming = False
        self._roll_back(thread, alone=False, lost=lost)

    def _abandon(self, thread: Thread) -> None:
        if not thread.resuming:
            for _, line in self.resource.values():
                if thread in line:
                    line.remove(thread)
            self._give_back(thread)

    def settle(self, port: Port) -> None:
        self.dispatch(port.member)
        if port.stream in self.producers:
            self.producers[port.stream].notice()
            self.feed(port.stream)
        direct = not (self.network.streams[port.stream].gate or self.network.streams[port.stream].window)
        spec = self.network.streams[port.stream]
        goes_on = self._polled(spec) or spec.pipeline if direct else not port.closed
        if self.returned[port.stream] or goes_on:
            settled = not self.returned[port.stream]
            self.returned[port.stream] = False
            self.feed(port.stream, settled=settled)


def simulate(network: NetworkSpec, *, seed: int, replication: int, steps: int) -> list[Row]:
    """Return the first ``steps`` rows of the trace of one replication."""
    return Twin(network, seed, replication, steps).run()
