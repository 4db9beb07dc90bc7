"""The twin's way from the destination to a port: gates, windows, session pipelines, and straight to a thread."""

from functools import partial
from typing import TYPE_CHECKING

from simulations.engine.network.model import ArrivalKind, Window
from simulations.engine.network.results import Count
from simulations.engine.records.codes import Step
from tests.simulations.engine.twin_state import AGENT, ANSWER, GRANT, Message, Port

if TYPE_CHECKING:
    from tests.simulations.engine.twin import Twin


class Staging:
    """Of one replication."""

    def __init__(self, twin: "Twin") -> None:
        self.twin = twin

    def feed(self, q: int, *, settled: bool = False) -> None:
        """Move the messages of stream ``q`` on; ``settled``: no thread is due unless one of them gets nearer to it."""
        spec, before = self.twin.network.streams[q], len(self.twin.trace)
        if spec.gate:
            self._admit(q)
            self.twin.outages.watch(q)
        elif spec.window:
            self._deliver(q)
        elif self.twin.polling.polled(spec):
            self.twin.polling.wake_pollers(q)
        elif spec.pipeline:
            self.prefetch(q)
        else:
            self._offer(q)
        staged = spec.gate or spec.window or spec.pipeline
        if not staged or not settled or any(row[1] == Step.PREPARE for row in self.twin.trace[before:]):
            for port in self.twin.ports[q]:
                self.twin.dispatcher.dispatch(port.member)

    def in_turn(self, q: int) -> list[Port]:
        first = self.twin.rotation[q] % len(self.twin.ports[q])
        return self.twin.ports[q][first:] + self.twin.ports[q][:first]

    def _offer(self, q: int) -> None:
        while True:
            if len(self.twin.destination[q]) == 1 and not self.twin.waits(self.twin.ports[q][0]):
                return
            able = (
                p
                for p in self.in_turn(q)
                if self.twin.threads.idle(p.member) and self.twin.choice.choose(p.member) is p
            )
            port = next(able, None)
            if port is None:
                return
            self.twin.rotation[q] = port.instance + 1
            self.twin.dispatcher.start(port)

    def _admit(self, q: int) -> None:
        spec = self.twin.network.streams[q]
        while not self.twin.stopped[q]:
            able = [p for p in self.in_turn(q) if self._may_admit(p)]
            if not able:
                return
            port = able[0]
            self.twin.rotation[q] = port.instance + 1
            message = self.twin.take(port)
            if spec.gate and spec.gate.agent_time > 0:
                port.agent = message
                if spec.gate.from_start:
                    self._count_in(port)
                port.agent_event = self.twin.at(
                    self.twin.now + spec.gate.agent_time, AGENT, self.twin.number(port), partial(self._put_down, port)
                )
            else:
                self._prepare(port, message)

    def _may_admit(self, port: Port) -> bool:
        return not port.away and not port.closed and port.agent is None and self.twin.waits(port)

    def _count_in(self, port: Port) -> None:
        spec = self.twin.network.streams[port.stream]
        port.inflight += 1
        if spec.gate and port.inflight >= spec.gate.high:
            port.closed = True
            self.twin.counts.add(port.stream, Count.BLOCKS)

    def _put_down(self, port: Port) -> None:
        message, port.agent = port.agent, None
        assert message is not None
        self._prepare(port, message)
        self.feed(port.stream)

    def _prepare(self, port: Port, message: Message) -> None:
        spec = self.twin.network.streams[port.stream]
        message.ready = message.mark = self.twin.now
        message.ticket = next(self.twin.tickets)
        port.prepared.append(message)
        if not (spec.gate and spec.gate.from_start and spec.gate.agent_time > 0):
            self._count_in(port)
        self.twin.note(Step.PREPARE, message, port.inflight)

    def too_old(self, port: Port) -> bool:
        timeouts = self.twin.network.streams[port.stream].timeouts
        if not timeouts or not timeouts.queue or not port.prepared:
            return False
        return self.twin.now > port.prepared[0].ready + timeouts.queue

    def reject(self, port: Port) -> None:
        port.rejecting = False
        while self.too_old(port):
            message = port.prepared.pop(0)
            self.left(port)
            self.twin.note(Step.EXPIRE, message, port.inflight)
            self.twin.endings.bring_back(message, delivered=False)
        self.settle(port)

    def left(self, port: Port) -> None:
        spec = self.twin.network.streams[port.stream]
        port.inflight -= 1
        if spec.gate and port.closed and port.inflight <= spec.gate.low:
            port.closed = False
            self.twin.counts.add(port.stream, Count.RELEASES)

    def _deliver(self, q: int) -> None:
        """Give every consumer in turn its grant, whole; the connection lets through what it may, the rest later."""
        spec = self.twin.network.streams[q]
        window = spec.window
        assert window
        endless = spec.arrivals.kind == ArrivalKind.SATURATED
        for port in self.in_turn(q):
            if port.away:
                continue
            while not self.twin.stopped[q]:
                if port.assigned and self._open(port, window):
                    self._send(port, port.assigned.pop(0), window)
                elif port.credit and self.twin.waits(port) and (self._open(port, window) or not endless):
                    port.credit -= 1
                    port.assigned.append(self.twin.take(port))
                    self.twin.rotation[q] = port.instance + 1
                else:
                    break
            self._answer(port, window)
            if not (port.credit or port.assigned or port.asked) and port.inflight <= window.threshold:
                port.asked = window.limit - port.inflight
                port.timers["grant"] = self.twin.at(
                    self.twin.now + window.round_trip, GRANT, self.twin.number(port), partial(self._grant, port)
                )

    def _open(self, port: Port, window: Window) -> bool:
        """Whether the connection takes one more message."""
        full = 0 < window.connection_limit <= port.inflight
        return not port.halted and not (full and window.connection_count == 0)

    def _send(self, port: Port, message: Message, window: Window) -> None:
        self._prepare(port, message)
        port.unanswered += 1
        port.halted = 0 < window.connection_count <= port.unanswered
        self._answer(port, window)

    def _answer(self, port: Port, window: Window) -> None:
        """Let the client of a halted connection that has room answer."""
        room = window.connection_limit == 0 or port.inflight < window.connection_limit
        if port.halted and room and not port.answering:
            port.answering = True
            port.timers["answer"] = self.twin.at(
                self.twin.now + window.round_trip, ANSWER, self.twin.number(port), partial(self._answered, port)
            )

    def _answered(self, port: Port) -> None:
        port.unanswered, port.halted, port.answering = 0, False, False
        self.feed(port.stream)

    def _grant(self, port: Port) -> None:
        self.twin.counts.add(port.stream, Count.TOPUPS)
        self.twin.counts.add(port.stream, Count.GRANTED, port.asked)
        port.credit, port.asked = port.asked, 0
        self.feed(port.stream)

    def prefetch(self, q: int) -> None:
        ports, depth = self.twin.ports[q], self.twin.network.streams[q].pipeline
        total = len(ports) * len(ports[0].sessions)
        while not self.twin.stopped[q]:
            turns = [(self.twin.session_rotation[q] + i) % total for i in range(total)]
            able = [
                t
                for t in turns
                if len(ports[t % len(ports)].sessions[t // len(ports)]) < depth
                and self.twin.waits(ports[t % len(ports)])
                and not ports[t % len(ports)].away
            ]
            if not able:
                return
            self.twin.session_rotation[q] = able[0] + 1
            port, s = ports[able[0] % len(ports)], able[0] // len(ports)
            self._prepare(port, self.twin.take(port))
            port.sessions[s].append(port.prepared.pop())
            if s not in port.busy and s not in port.ready:
                port.ready.append(s)

    def settle(self, port: Port) -> None:
        self.twin.dispatcher.dispatch(port.member)
        if self.twin.sent[port.stream]:
            self.twin.sent[port.stream] = False
            self.twin.chains.feed(port.stream)
        if port.stream in self.twin.producers:
            self.twin.producers[port.stream].notice()
            self.feed(port.stream)
        direct = not (self.twin.network.streams[port.stream].gate or self.twin.network.streams[port.stream].window)
        spec = self.twin.network.streams[port.stream]
        goes_on = self.twin.polling.polled(spec) or spec.pipeline if direct else not port.closed
        if self.twin.returned[port.stream] or goes_on:
            settled = not self.twin.returned[port.stream]
            self.twin.returned[port.stream] = False
            self.feed(port.stream, settled=settled)
