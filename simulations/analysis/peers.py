"""The same models in independent simulators, SimPy and Ciw (requirements-dev.txt): do they say what the engine says?

SimPy: https://simpy.readthedocs.io. Ciw: https://ciw.readthedocs.io. Each peer draws its own numbers, so that answers
agree within their intervals, never exactly.
"""

from collections import deque
from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass
from functools import partial
from math import hypot
from random import Random
from typing import Any, NamedTuple

import numpy as np

from simulations.analysis.columns import Floats
from simulations.analysis.coverage import Simulate
from simulations.analysis.estimators import Point, summarise
from simulations.analysis.intervals import reach
from simulations.analysis.rows import compact
from simulations.engine.network import ArrivalKind, ArrivalSpec, Gate, Horizon, Law, LawKind, NetworkSpec, Pool, Stream

try:
    import ciw
    import simpy
except ModuleNotFoundError as missing:
    raise ImportError(f"{missing.name} is not installed: make setup-dev brings the other simulators") from missing

WARM_UP = 0.1
"""Share of the messages, first in order of arrival, that a peer leaves out."""
RATE, MEAN, THREADS = 81.0, 0.2, 18
LOCATION, SCALE = -2.0, 0.8


class Peer(NamedTuple):
    """One model: the engine's network and another program's replication, as latencies in order of arrival."""

    simulator: str
    model: str
    network: NetworkSpec
    latencies: Callable[[int, int], Floats]
    """Number of messages and seed to seconds."""


class ThrottledThreads:
    """SimPy: a listener port of ``high`` sessions, open again at ``low``, before ``threads`` of exponential service."""

    def __init__(self, seed: int, high: int, low: int) -> None:
        self.random = Random(seed)  # noqa: S311 - a simulation, no secret
        self.environment = simpy.Environment()
        self.high, self.low = high, low
        self.inflight, self.blocked, self.idle = 0, False, THREADS
        self.waiting: deque[int] = deque()
        self.prepared: deque[int] = deque()
        self.arrived: list[float] = []
        self.left: dict[int, float] = {}

    def run(self, messages: int, rate: float) -> Floats:
        """Return the latencies of ``messages`` Poisson arrivals in order of arrival."""
        self.environment.process(self._arrive(messages, rate))
        self.environment.run()
        return np.array([self.left[number] - arrived for number, arrived in enumerate(self.arrived)])

    def _arrive(self, messages: int, rate: float) -> Generator[Any, Any, None]:
        for number in range(messages):
            yield self.environment.timeout(self.random.expovariate(rate))
            self.arrived.append(self.environment.now)
            self.waiting.append(number)
            self._go_on()

    def _go_on(self) -> None:
        while self.waiting and not self.blocked:
            self.prepared.append(self.waiting.popleft())
            self.inflight += 1
            self.blocked = self.inflight >= self.high
        while self.prepared and self.idle:
            self.idle -= 1
            self.environment.process(self._serve(self.prepared.popleft()))

    def _serve(self, number: int) -> Generator[Any, Any, None]:
        yield self.environment.timeout(self.random.expovariate(1 / MEAN))
        self.left[number] = self.environment.now
        self.idle, self.inflight = self.idle + 1, self.inflight - 1
        self.blocked = self.blocked and self.inflight > self.low
        self._go_on()


def _in_simpy(high: int, rate: float, messages: int, seed: int) -> Floats:
    return ThrottledThreads(seed, high, high // 2).run(messages, rate)


def _in_ciw(rate: float, service: Any, *, threads: float, shared: int = 0) -> Callable[[int, int], Floats]:
    """Return the replication of a single queue; ``shared`` > 0: processor sharing of so many CPUs."""

    def latencies(messages: int, seed: int) -> Floats:
        sharing = {"ps_thresholds": [shared]} if shared else {}
        network = ciw.create_network(
            arrival_distributions=[ciw.dists.Exponential(rate)],
            service_distributions=[service],
            number_of_servers=[threads],
            **sharing,
        )
        ciw.seed(seed)
        simulation = ciw.Simulation(network, node_class=ciw.PSNode if shared else ciw.Node)
        simulation.simulate_until_max_customers(messages, method="Complete")
        records = sorted(simulation.get_all_records(), key=lambda record: record.arrival_date)
        return np.array([record.exit_date - record.arrival_date for record in records])

    return latencies


def _network(
    rate: float, service: Law, pool: Pool, messages: int, *, gate: Gate | None, cpu: float = 0.0
) -> NetworkSpec:
    arrivals = ArrivalSpec(ArrivalKind.POISSON, rate=rate)
    stream = Stream("orders", 0, arrivals, service, gate=gate, cpu_share=cpu)
    return NetworkSpec((pool,), (stream,), Horizon(messages=messages))


def peers(messages: int) -> tuple[Peer, ...]:
    """Return the models; the engine's side simulates ``messages`` per replication."""
    pool, exponential = Pool(threads_per_servant=THREADS), Law(LawKind.EXPONENTIAL, MEAN)
    free = _network(RATE, exponential, pool, messages, gate=None)
    single = _network(3.0, Law(LawKind.LOGNORMAL, LOCATION, SCALE), Pool(threads_per_servant=1), messages, gate=None)
    sharing = _network(
        70.0, Law(LawKind.EXPONENTIAL, 0.02), Pool(cpus=2, threads_per_servant=200), messages, gate=None, cpu=1.0
    )
    throttles = tuple(
        Peer(
            "SimPy",
            f"{high} sessions before 18 threads, {rate:g}/s",
            _network(rate, exponential, pool, messages, gate=Gate(high, high // 2)),
            partial(_in_simpy, high, rate),
        )
        for high, rate in ((18, 60.0), (36, RATE), (100, RATE))
    )
    return (
        *throttles,
        Peer("Ciw", "M/M/18, 81/s", free, _in_ciw(RATE, ciw.dists.Exponential(1 / MEAN), threads=THREADS)),
        Peer("Ciw", "M/G/1, lognormal", single, _in_ciw(3.0, ciw.dists.Lognormal(LOCATION, SCALE), threads=1)),
        Peer(
            "Ciw",
            "2 CPUs shared by all, 70/s",
            sharing,
            _in_ciw(70.0, ciw.dists.Exponential(50.0), threads=float("inf"), shared=2),
        ),
    )


@dataclass(frozen=True)
class Agreement:
    """One metric of one model, in seconds: here and there, each with the half-width of its 95 % interval."""

    simulator: str
    model: str
    metric: str
    here: tuple[float, float]
    there: tuple[float, float]

    @property
    def agrees(self) -> bool:
        """Whether the difference is within the interval of a difference of independent values."""
        return abs(self.here[0] - self.there[0]) <= hypot(self.here[1], self.there[1])


def compare_peer(peer: Peer, simulate: Simulate, *, messages: int, replications: int, seed: int) -> list[Agreement]:
    """Return mean and 95th percentile of the latency on both sides; the peer simulates ``messages`` a replication."""
    rows = [compact(simulate(peer.network, seed, number)) for number in range(replications)]
    ours = summarise(Point(0, {}, peer.network, ["server"], {}, {}), rows).metrics
    theirs = _theirs([peer.latencies(messages, seed + number) for number in range(replications)])
    return [
        Agreement(
            peer.simulator, peer.model, metric, (ours[metric].value, (ours[metric].high - ours[metric].low) / 2), value
        )
        for metric, value in theirs.items()
    ]


def _theirs(replications: list[Floats]) -> Mapping[str, tuple[float, float]]:
    kept = [latencies[int(WARM_UP * len(latencies)) :] for latencies in replications]
    return {
        "latency.mean": _estimate([float(latencies.mean()) for latencies in kept]),
        "latency.p95": _estimate([float(np.quantile(latencies, 0.95)) for latencies in kept]),
    }


def _estimate(values: list[float]) -> tuple[float, float]:
    below, above = reach(np.array(values))
    return float(np.mean(values)), float((below + above) / 2)
