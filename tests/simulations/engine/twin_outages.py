"""Outages of servers and of what deliveries need, and failures of an overloaded WLM queue, written a second time."""

import math
from functools import partial
from typing import TYPE_CHECKING, Any

from simulations.engine.records.codes import Kind

if TYPE_CHECKING:
    from tests.simulations.engine.twin import Twin
    from tests.simulations.engine.twin_state import Port, Thread

FAILURE, OUTAGE, RETURN, BREAKDOWN, ABSENCE = map(
    int, (Kind.FAILURE, Kind.OUTAGE, Kind.RETURN, Kind.BREAKDOWN, Kind.ABSENCE)
)


class Outages:
    """Of one replication."""

    def __init__(self, twin: "Twin") -> None:
        self.twin = twin
        members = len(twin.members)
        self.away = [False] * members
        self.failing = [False] * members
        self.gone: list[list[Thread]] = [[] for _ in range(members)]
        self.returns: list[list[Any] | None] = [None] * members
        self.pools = [twin.network.pools[twin.pool_of[m]] for m in range(members)]
        self.instance = [twin.pool_of[:m].count(twin.pool_of[m]) for m in range(members)]
        streams = twin.network.streams
        self.broken = [False] * len(streams)
        self.awaited: list[tuple[int, float] | None] = [None] * len(streams)
        """By stream that has not recovered: messages inside before its outage, and when that ends."""
        struck = [one.outage or one.absence or twin.network.pools[one.pool].outage for one in streams]
        self.recovery = [math.inf if outage else 0.0 for outage in struck]
        self.absent = [False] * len(streams)

    def start(self) -> None:
        for m, pool in enumerate(self.pools):
            outage = pool.outage
            if outage and (pool.outage_instances == 0 or self.instance[m] < pool.outage_instances):
                self.twin.at(outage.start, OUTAGE, m, partial(self._leave, m, outage.duration))
        for q, stream in enumerate(self.twin.network.streams):
            if stream.outage:
                self.twin.at(stream.outage.start, BREAKDOWN, q, partial(self._break_down, q, stream.outage.duration))
            if stream.absence:
                lose = partial(self._lose_broker, q, stream.absence.duration)
                self.twin.at(stream.absence.start, ABSENCE, q, lose)

    def _lose_broker(self, q: int, seconds: float) -> None:
        """Let the consumers of the stream give back all they hold, and their threads to the pool."""
        self.absent[q], stopped = True, self.twin.stopped[q]
        self._expect(q, self.twin.now + seconds)
        self.twin.at(self.twin.now + seconds, ABSENCE, q, partial(self._find_broker, q))
        for port in self.twin.ports[q]:
            if not self.away[port.member]:
                self._empty(port)
                for thread in self.twin.threads.crews[port.member].threads:
                    if thread.port is port or thread in port.waiters:
                        self.twin.endings.lose(thread)
                        self.twin.threads.crews[port.member].idle.append(thread)
        self.twin.stopped[q] = stopped
        self._feed(q)

    def _find_broker(self, q: int) -> None:
        self.absent[q] = False
        for port in self.twin.ports[q]:
            if not self.away[port.member]:
                self._open(port)
        self._feed(q)

    def _feed(self, q: int) -> None:
        if q in self.twin.producers:
            self.twin.producers[q].notice()
        self.twin.staging.feed(q)

    def _break_down(self, q: int, seconds: float) -> None:
        def mend() -> None:
            self.broken[q] = False

        self.broken[q] = True
        self._expect(q, self.twin.now + seconds)
        self.twin.at(self.twin.now + seconds, BREAKDOWN, q, mend)

    def _expect(self, q: int, end: float) -> None:
        before, other = self.awaited[q] or (self.twin.inside[q], end)
        self.awaited[q] = (before, max(end, other))
        self.recovery[q] = math.inf

    def note_end(self, q: int) -> None:
        """Note how long after its outage the stream has no more messages inside than before."""
        awaited = self.awaited[q]
        if awaited and self.twin.inside[q] <= awaited[0] and self.twin.now >= awaited[1]:
            self.recovery[q], self.awaited[q] = self.twin.now - awaited[1], None

    def watch(self, q: int) -> None:
        """Plan the failure of the servers of stream ``q`` that have too much prepared."""
        for port in self.twin.ports[q]:
            m = port.member
            if self.pools[m].queue_capacity and not self.failing[m] and self._overloaded(m):
                self.failing[m] = True
                self.twin.at(self.twin.now, FAILURE, m, partial(self._fail, m))

    def _overloaded(self, m: int) -> bool:
        return sum(len(port.prepared) for port in self.twin.ports_of(m)) > self.pools[m].queue_capacity

    def _fail(self, m: int) -> None:
        self.failing[m] = False
        if self._overloaded(m):
            self._go(m, self.pools[m].restart_time)
        self._go_on(m)

    def _leave(self, m: int, seconds: float) -> None:
        for port in self.twin.ports_of(m):
            self._expect(port.stream, self.twin.now + seconds)
        self._go(m, seconds)
        self._go_on(m)

    def _go_on(self, m: int) -> None:
        for port in self.twin.ports_of(m):
            self._feed(port.stream)

    def _go(self, m: int, seconds: float) -> None:
        planned = self.returns[m]
        if planned:
            planned[4] = None
        self.returns[m] = self.twin.at(self.twin.now + seconds, RETURN, m, partial(self._come_back, m))
        if not self.away[m]:
            self._stop(m)

    def _stop(self, m: int) -> None:
        """Empty the server; its threads are away with it."""
        self.away[m], stopped = True, list(self.twin.stopped)
        crew = self.twin.threads.crews[m]
        for port in self.twin.ports_of(m):
            if not port.away:
                self._empty(port)
        for event in crew.coming:
            event[4] = None
        crew.starting = False
        self.gone[m] = [thread for thread in crew.threads if thread not in crew.parked]
        for thread in self.gone[m]:
            if thread.port is not None or any(thread in port.waiters for port in self.twin.ports_of(m)):
                self.twin.endings.lose(thread)
        crew.idle.clear()
        self.twin.stopped[:] = stopped

    def _empty(self, port: "Port") -> None:
        """Bring back what no thread has: from the agent, granted, prepared, and behind the sessions."""
        spec = self.twin.network.streams[port.stream]
        port.away = True
        for event in port.timers.values():
            event[4] = None
        for message in reversed(port.assigned):
            self.twin.put(message, back=True)
        port.assigned = []
        port.credit, port.asked, port.unanswered, port.halted, port.answering = 0, 0, 0, False, False
        if port.agent is not None:
            assert port.agent_event
            assert spec.gate
            port.agent_event[4] = None
            if spec.gate.from_start:
                self.twin.staging.left(port)
            self.twin.put(port.agent, back=True)
            port.agent = None
        port.ready.clear()
        for held in (port.prepared, *port.sessions):
            prepared = list(held)
            held.clear()
            for message in prepared if spec.redelivery.delay > 0 else reversed(prepared):
                self.twin.staging.left(port)
                self.twin.endings.bring_back(message, delivered=False)

    def _open(self, port: "Port") -> None:
        """Make the port a new consumer."""
        window = self.twin.network.streams[port.stream].window
        port.away, port.credit = False, window.limit if window else 0
        self.twin.polling.start_pollers(port)

    def _come_back(self, m: int) -> None:
        self.away[m] = False
        for port in self.twin.ports_of(m):
            if not self.absent[port.stream]:
                self._open(port)
        self.twin.threads.crews[m].idle.extend(self.gone[m])
        self._go_on(m)
