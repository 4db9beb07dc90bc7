"""Who gets a free thread, written a second time: order of arrival, fair share, goals, lottery, constraints."""

from typing import TYPE_CHECKING

import numpy as np

from simulations.engine.draws.numbers import Purpose, stream_key, uniform
from simulations.engine.network.model import Constraint, Dispatch

if TYPE_CHECKING:
    from tests.simulations.engine.twin import Twin
    from tests.simulations.engine.twin_state import Port


class Choice:
    """The thread time of ports and the counts of constraints of one replication."""

    def __init__(self, twin: "Twin", seed: int, replication: int) -> None:
        self.twin = twin
        members = range(len(twin.members))
        self.floor = dict.fromkeys(members, 0.0)
        self.drawn = dict.fromkeys(members, 0)
        self.keys = {m: np.uint64(stream_key(seed, replication, int(Purpose.LOTTERY), m)) for m in members}
        self.running = {(m, c): 0 for m in members for c in range(len(self._pool(m).constraints))}

    def _pool(self, m: int):  # type: ignore[no-untyped-def]
        return self.twin.network.pools[self.twin.pool_of[m]]

    def charge(self, port: "Port", change: int) -> None:
        """Add up the thread time of ``port`` before its number of threads changes."""
        spent = port.threads * (self.twin.now - port.since)
        port.used += spent
        port.used_total += spent
        port.since = self.twin.now
        for c in self.twin.network.streams[port.stream].constraint:
            self.running[port.member, c] += change

    def _bounds(self, port: "Port") -> list[tuple[Constraint, int]]:
        constraints = self._pool(port.member).constraints
        named = self.twin.network.streams[port.stream].constraint
        return [(constraints[c], self.running[port.member, c]) for c in named]

    def full(self, q: int) -> bool:
        """Whether a capacity constraint refuses more work of stream ``q``."""
        streams = self.twin.network.streams
        pool = self.twin.network.pools[streams[q].pool]
        for c in streams[q].constraint:
            load = sum(
                self.twin.inside[other] * spec.constraint.count(c)
                for other, spec in enumerate(streams)
                if spec.pool == streams[q].pool
            )
            if 0 < pool.constraints[c].capacity * pool.instances <= load:
                return True
        return False

    def choose(self, m: int) -> "Port | None":
        """Return the port that gets the next thread of member ``m``."""
        wanting = [port for port in self.twin.ports_of(m) if self.twin.dispatcher.wants(port)]
        able = [port for port in wanting if all(not 0 < c.maximum <= n for c, n in self._bounds(port))]
        urgent = [port for port in able if any(n < c.minimum for c, n in self._bounds(port))]
        pool = self._pool(m)
        if urgent:
            return min(urgent, key=self.twin.dispatcher.ticket)
        if pool.dispatch == Dispatch.FIFO:
            return min(able, key=self.twin.dispatcher.ticket) if able else None
        if pool.dispatch == Dispatch.NEXT_THREAD:
            return self._lottery(m, able)
        streams = self.twin.network.streams
        if any(streams[port.stream].goal > 0 for port in self.twin.ports_of(m)):
            return max(able, key=self._overdue) if able else None
        for port in self.twin.ports_of(m):
            port.wanting = port.wanting and port in wanting
        return self._least_served(m, able)

    def _lottery(self, m: int, able: list["Port"]) -> "Port | None":
        if not able:
            return None
        weights = [self.twin.network.streams[port.stream].weight for port in able]
        point = float(uniform(self.keys[m], self.drawn[m])) * sum(weights)
        self.drawn[m] += 1
        for port, weight in zip(able, weights, strict=True):
            point -= weight
            if point < 0:
                return port
        return able[-1]

    def _overdue(self, port: "Port") -> float:
        self.charge(port, 0)
        spec = self.twin.network.streams[port.stream]
        tolerable = 1.0 / spec.weight
        if spec.goal > 0:
            tolerable = max(spec.goal - port.used_total / max(port.starts, 1), 1e-3)
        head = self.twin.dispatcher.head(port)
        return (self.twin.now - head.mark if head else 0.0) / tolerable

    def _least_served(self, m: int, able: list["Port"]) -> "Port | None":
        spent = {port.stream: self._virtual_time(m, port) for port in able}
        if not able:
            return None
        best = min(able, key=lambda port: spent[port.stream])
        self.floor[m] = max(self.floor[m], spent[best.stream])
        return best

    def _virtual_time(self, m: int, port: "Port") -> float:
        weight = self.twin.network.streams[port.stream].weight
        self.charge(port, 0)
        if not port.wanting:
            port.wanting = True
            port.used = max(port.used, self.floor[m] * weight)
        return port.used / weight
