"""The throttle in SimPy as its documentation builds models: a Store for the destination, a Resource for the threads.

``analysis.peers`` has the same model by hand, on SimPy's clock alone, which is three times as fast; both say the same.
"""

from collections.abc import Generator
from typing import Any

import simpy

from benchmarks.validation.peers import ThrottledThreads
from simulations.engine.network.model import NetworkSpec


class ThreadResource(ThrottledThreads):
    """A listener port with its throttle before threads of exponential service."""

    def __init__(self, network: NetworkSpec, seed: int) -> None:
        super().__init__(network, seed)
        self.destination = simpy.Store(self.environment)
        self.threads = simpy.Resource(self.environment, capacity=network.pools[0].threads)
        self.open = self.environment.event()
        self.environment.process(self._listen())

    def _arrive(self, messages: int) -> Generator[Any, Any, None]:
        for number in range(messages):
            yield self.environment.timeout(self.random.expovariate(self.rate))
            self.arrived.append(self.environment.now)
            yield self.destination.put(number)

    def _listen(self) -> Generator[Any, Any, None]:
        while True:
            number = yield self.destination.get()
            self.inflight += 1
            self.environment.process(self._serve(number))
            if self.inflight >= self.high:
                self.blocked = True
                yield self.open

    def _serve(self, number: int) -> Generator[Any, Any, None]:
        with self.threads.request() as thread:
            yield thread
            yield self.environment.timeout(self.random.expovariate(1 / self.mean))
        self.left[number] = self.environment.now
        self.inflight -= 1
        if self.blocked and self.inflight <= self.low:
            self.blocked = False
            self.open.succeed()
            self.open = self.environment.event()
