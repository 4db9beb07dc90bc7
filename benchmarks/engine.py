"""Events per second of the compiled loop by mechanism, beside SimPy on the same model in the same run."""

import time
from collections.abc import Callable, Generator
from random import Random
from typing import Any

import simpy

from simulations.engine.network import (
    ArrivalKind,
    ArrivalSpec,
    Gate,
    Horizon,
    Law,
    LawKind,
    NetworkSpec,
    Pool,
    Stream,
    Timeouts,
    Transaction,
    Window,
)
from simulations.engine.replicate import replicate

MESSAGES = 1_000_000
ROUNDS = 3


def _network(**settings: Any) -> NetworkSpec:
    arrivals = ArrivalSpec(ArrivalKind.POISSON, rate=81.0)
    given = {"arrivals": arrivals, "service": Law(LawKind.EXPONENTIAL, a=0.2), **settings}
    return NetworkSpec((Pool(cpus=2, threads_per_servant=18),), (Stream("q", 0, **given),), Horizon(messages=MESSAGES))


NETWORKS = {
    "throttle": _network(gate=Gate(36, 18)),
    "throttle with agent and timeouts": _network(gate=Gate(36, 18, 0.002), timeouts=Timeouts(queue=100.0)),
    "no throttle": _network(),
    "processor sharing": _network(gate=Gate(36, 18), cpu_share=0.05),
    "credit window": _network(window=Window(36, 18)),
    "batches": _network(transaction=Transaction(2, commit_time=0.001)),
}


def _best(run: Callable[[], int]) -> float:
    """Return the most events per second of CPU time in a few rounds."""
    speeds = []
    for _ in range(ROUNDS):
        start = time.process_time()
        events = run()
        speeds.append(events / (time.process_time() - start))
    return max(speeds)


def _simpy(messages: int = 20_000) -> int:
    """Simulate the queue without a throttle in SimPy; return arrivals plus completions."""
    random, environment = Random(1), simpy.Environment()
    threads = simpy.Resource(environment, 18)

    def message() -> Generator[Any, Any, None]:
        with threads.request() as thread:
            yield thread
            yield environment.timeout(random.expovariate(5.0))

    def arrivals() -> Generator[Any, Any, None]:
        for _ in range(messages):
            yield environment.timeout(random.expovariate(81.0))
            environment.process(message())

    environment.process(arrivals())
    environment.run()
    return 2 * messages


def main() -> None:
    """Print a line per network."""
    reference = _best(_simpy)
    print(f"{'SimPy':35s} {reference / 1e6:8.3f} M events/s")
    for name, network in NETWORKS.items():
        start = time.perf_counter()
        replicate(network, seed=1, replication=0)
        first = time.perf_counter() - start
        speed = _best(lambda network=network: replicate(network, seed=1, replication=0).events)  # type: ignore[misc]
        print(
            f"{name:35s} {speed / 1e6:8.1f} M events/s {1e9 / speed:7.1f} ns/event "
            f"{speed / reference:7.0f} x SimPy, first call {first:5.1f} s"
        )


if __name__ == "__main__":
    main()
