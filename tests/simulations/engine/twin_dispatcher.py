"""The twin's dispatcher: which port gets the next thread, and how a delivery begins."""

import math
from functools import partial
from typing import TYPE_CHECKING

from simulations.engine.records.codes import Step
from tests.simulations.engine.twin_state import DISPATCH, REJECT, Message, Port, Thread

if TYPE_CHECKING:
    from tests.simulations.engine.twin import Twin


class Dispatcher:
    """Of one replication."""

    def __init__(self, twin: "Twin") -> None:
        self.twin = twin

    def wants(self, port: Port) -> bool:
        spec = self.twin.network.streams[port.stream]
        sessions = spec.poller.sessions if spec.poller else math.inf
        if port.away or self.twin.stopped[port.stream] or port.threads >= min(spec.concurrency or math.inf, sessions):
            return False
        if self.twin.polling.polled(spec):
            return port.wanted > 0
        if spec.pipeline:
            return bool(port.ready)
        if spec.gate or spec.window:
            return bool(port.prepared)
        return self.twin.waits(port)

    def head(self, port: Port) -> Message | None:
        """Return the message that the port offers; None when it makes one up or wants a poller."""
        spec = self.twin.network.streams[port.stream]
        if self.twin.polling.polled(spec):
            return None
        if spec.pipeline:
            return port.sessions[port.ready[0]][0]
        line = port.prepared if spec.gate or spec.window else self.twin.source(port)
        return line[0] if line else None

    def ticket(self, port: Port) -> int:
        head = self.head(port)
        return head.ticket if head else port.ticket

    def dispatch(self, m: int) -> None:
        while True:
            if not self.twin.threads.idle(m):
                if self.twin.outages.away[m] or self.twin.threads.all_exist(m) or self.twin.choice.choose(m) is None:
                    return
                self.twin.threads.grow(m)
            port = self.twin.choice.choose(m) if self.twin.threads.idle(m) else None
            if port is None:
                return
            if self.twin.staging.too_old(port):
                if not port.rejecting:
                    port.rejecting = True
                    self.twin.at(self.twin.now, REJECT, self.twin.number(port), partial(self.twin.staging.reject, port))
                return
            self.start(port)

    def start(self, port: Port) -> None:
        spec = self.twin.network.streams[port.stream]
        thread = self.twin.threads.take(port.member)
        thread.began = self.twin.now
        if self.twin.polling.polled(spec):
            port.wanted -= 1
            port.pollers += 1
            if self.twin.waits(port):
                self.twin.polling.poll(thread, port)
            else:
                port.waiters.append(thread)
            return
        self.occupy(port)
        session = port.ready.pop(0) if spec.pipeline else None
        if session is not None:
            port.busy.add(session)
        self.begin(thread, port, session)

    def occupy(self, port: Port) -> None:
        self.twin.choice.charge(port, 1)
        port.starts += 1
        port.threads += 1

    def begin(self, thread: Thread, port: Port, session: int | None) -> None:
        spec = self.twin.network.streams[port.stream]
        if session is not None:
            message = port.sessions[session].pop(0)
        elif spec.gate or spec.window:
            message = port.prepared.pop(0)
        else:
            message = self.twin.take(port)
            port.inflight += 1
            message.ready = self.twin.now
            port.ticket = next(self.twin.tickets)
        thread.port, thread.message, thread.session, thread.alone = port, message, session, message.alone
        self.twin.note(Step.START, message, port.inflight)
        if session is not None:
            self.twin.staging.prefetch(port.stream)
        thread.start = next(self.twin.starts)
        if spec.timeouts and spec.timeouts.dispatch > 0:
            limit = max(message.ready + spec.timeouts.dispatch, self.twin.now)
            port.watched.append((limit, thread, thread.start, message.ready))
            self.twin.at(limit, DISPATCH, self.twin.number(port), partial(self.twin.endings.overrun, port))
        self.twin.service.serve(thread)
