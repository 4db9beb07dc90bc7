"""The twin's way from the destination to a port: gates, windows, session pipelines, and straight to a thread."""

from functools import partial
from typing import TYPE_CHECKING

from simulations.engine.layout import Step
from tests.simulations.engine.twin_state import AGENT, GRANT, Message, Port

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
            able = [p for p in self.in_turn(q) if not p.closed and p.agent is None and self.twin.waits(p)]
            if not able:
                return
            port = able[0]
            self.twin.rotation[q] = port.instance + 1
            message = self.twin.take(port)
            if spec.gate and spec.gate.agent_time > 0:
                port.agent = message
                self.twin.at(
                    self.twin.now + spec.gate.agent_time, AGENT, self.twin.number(port), partial(self._put_down, port)
                )
            else:
                self._prepare(port, message)

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
        port.inflight += 1
        self.twin.note(Step.PREPARE, message, port.inflight)
        if spec.gate and port.inflight >= spec.gate.high:
            port.closed = True

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

    def _deliver(self, q: int) -> None:
        for port in self.in_turn(q):
            window = self.twin.network.streams[q].window
            assert window
            while not self.twin.stopped[q] and self.twin.waits(port) and port.credit > 0:
                port.credit -= 1
                self._prepare(port, self.twin.take(port))
                self.twin.rotation[q] = port.instance + 1
            if port.credit == 0 and port.asked == 0 and port.inflight <= window.threshold:
                port.asked = window.limit - port.inflight
                self.twin.at(
                    self.twin.now + window.round_trip, GRANT, self.twin.number(port), partial(self._grant, port)
                )

    def _grant(self, port: Port) -> None:
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
