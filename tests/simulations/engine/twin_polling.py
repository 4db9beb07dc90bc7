"""The twin's pollers: threads that ask for messages themselves."""

from functools import partial
from typing import TYPE_CHECKING

from simulations.engine.network.model import PollerKind, Stream
from tests.simulations.engine.twin_state import POLL, Port, Thread

if TYPE_CHECKING:
    from tests.simulations.engine.twin import Twin


class Polling:
    """Of one replication."""

    def __init__(self, twin: "Twin") -> None:
        self.twin = twin

    def polled(self, spec: Stream) -> bool:
        return spec.poller is not None and spec.poller.kind != PollerKind.ON_MESSAGE

    def start_pollers(self, port: Port) -> None:
        spec = self.twin.network.streams[port.stream]
        if not self.polled(spec) or spec.poller is None:
            return
        sessions = self._sessions(port)
        port.pollers = 0
        port.wanted = sessions if spec.poller.kind == PollerKind.EAGER else 1
        for _ in range(port.wanted):
            port.ticket = next(self.twin.tickets)
        if spec.poller.kind == PollerKind.LEGACY:
            self._plan(port, spec.poller.interval)

    def _plan(self, port: Port, interval: float) -> None:
        cycle = partial(self._cycle, port)
        port.timers["cycle"] = self.twin.at(self.twin.now + interval, POLL, self.twin.number(port), cycle)

    def _sessions(self, port: Port) -> int:
        spec = self.twin.network.streams[port.stream]
        assert spec.poller
        return min(spec.poller.sessions, len(self.twin.members[port.member]))

    def _cycle(self, port: Port) -> None:
        spec = self.twin.network.streams[port.stream]
        assert spec.poller
        if port.pollers + port.wanted < self._sessions(port) and self.twin.waits(port):
            port.wanted += 1
            port.ticket = next(self.twin.tickets)
        self._plan(port, spec.poller.interval)
        self.twin.dispatcher.dispatch(port.member)

    def wake_pollers(self, q: int) -> None:
        while not self.twin.stopped[q]:
            able = [p for p in self.twin.staging.in_turn(q) if p.waiters and self.twin.waits(p)]
            if not able:
                return
            port = able[0]
            self.twin.rotation[q] = port.instance + 1
            thread = port.waiters.pop(0)
            spec = self.twin.network.streams[q]
            timeout = spec.poller.receive_timeout if spec.poller else 0.0
            waited = self.twin.now - thread.began
            thread.began = self.twin.now - (waited % timeout if timeout > 0 else 0.0)
            self._received(port)
            self.twin.dispatcher.occupy(port)
            self.twin.dispatcher.begin(thread, port, None)

    def _received(self, port: Port) -> None:
        spec = self.twin.network.streams[port.stream]
        token = spec.poller is not None and spec.poller.kind == PollerKind.TOKEN
        if token and not port.waiters and not port.wanted and port.pollers < self._sessions(port):
            port.wanted = 1
            port.ticket = next(self.twin.tickets)

    def poll(self, thread: Thread, port: Port) -> None:
        thread.began = self.twin.now
        self._received(port)
        self.twin.dispatcher.occupy(port)
        self.twin.dispatcher.begin(thread, port, None)

    def poll_on(self, thread: Thread, port: Port) -> bool:
        """Let a poller go on; False when its thread goes back to the pool."""
        spec = self.twin.network.streams[port.stream]
        if not self.polled(spec) or not spec.poller:
            return False
        token_taken = spec.poller.kind == PollerKind.TOKEN and (port.waiters or port.wanted)
        if not self.twin.stopped[port.stream] and self.twin.waits(port) and not self._others_wait(port):
            self.poll(thread, port)
        elif token_taken:
            port.pollers -= 1
            return False
        else:
            thread.began = self.twin.now
            port.waiters.append(thread)
        return True

    def _others_wait(self, port: Port) -> bool:
        """A message that comes back goes to a poller inside receive(), not to the one that rolled it back."""
        source = self.twin.source(port)
        rivals = [other for other in self.twin.staging.in_turn(port.stream) if self.twin.source(other) is source]
        return self.twin.returned[port.stream] and any(other.waiters for other in rivals)

    def lose_poller(self, port: Port) -> None:
        if self.polled(self.twin.network.streams[port.stream]):
            port.pollers -= 1
            port.wanted += 1
            port.ticket = next(self.twin.tickets)
