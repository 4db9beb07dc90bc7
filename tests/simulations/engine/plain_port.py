"""The throttle with agent and queue timeout in a few lines that share nothing with the engine."""

import dataclasses
import heapq
import math
import random
from collections import deque


@dataclasses.dataclass
class PlainPort:
    """One port of 18 threads with exponential service of ``mean`` seconds; ``waiting`` messages are there at first."""

    high: int
    draws: random.Random
    mean: float
    waiting: int
    timeout: float = math.inf
    threads: int = 18
    agent_time: float = 0.002
    now: float = 0.0
    inflight: int = 0
    closed: bool = False
    carrying: bool = False
    rejected: int = 0
    prepared: deque[float] = dataclasses.field(default_factory=deque)
    agenda: list[tuple[float, bool]] = dataclasses.field(default_factory=list)

    def run(self, completions: int) -> float:
        """Return when as many messages are completed; the agenda holds ends of services and of the agent's work."""
        self.carry()
        while completions > 0:
            self.now, of_agent = heapq.heappop(self.agenda)
            if of_agent:
                self.put_down()
            else:
                completions -= 1
                self.threads += 1
                self.leave()
            self.begin()
            self.carry()
        return self.now

    def carry(self) -> None:
        if self.waiting > 0 and not self.closed and not self.carrying:
            self.waiting -= 1
            self.carrying = True
            heapq.heappush(self.agenda, (self.now + self.agent_time, True))

    def put_down(self) -> None:
        self.carrying = False
        self.prepared.append(self.now)
        self.inflight += 1
        self.closed = self.closed or self.inflight >= self.high

    def leave(self) -> None:
        self.inflight -= 1
        self.closed = self.closed and self.inflight > self.high // 2

    def begin(self) -> None:
        while self.threads > 0 and self.prepared:
            if self.now > self.prepared.popleft() + self.timeout:
                self.rejected += 1
                self.waiting += 1
                self.leave()
            else:
                self.threads -= 1
                heapq.heappush(self.agenda, (self.now + self.draws.expovariate(1.0 / self.mean), False))
