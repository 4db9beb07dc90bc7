"""The same models in independent simulators, SimPy and Ciw (requirements-dev.txt): do they agree with the engine?

SimPy: https://simpy.readthedocs.io. Ciw: https://ciw.readthedocs.io. Each peer draws its own numbers, so that answers
agree within their intervals, never exactly.
"""

from collections import deque
from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass
from math import hypot
from random import Random
from typing import Any, NamedTuple

import numpy as np

from benchmarks.validation.coverage import Simulate
from benchmarks.validation.reference_models import coverage_models, oracles
from simulations.analysis.estimates.intervals import mean_estimate
from simulations.analysis.estimates.point import KnownPoint, summarize
from simulations.analysis.estimates.summary import Estimate
from simulations.analysis.replications.measures import Floats
from simulations.analysis.replications.rows import compact
from simulations.engine.network.model import Law, LawKind, NetworkSpec

try:
    import ciw
    import simpy
except ModuleNotFoundError as missing:
    raise ImportError(f"{missing.name} is not installed: make setup-dev brings the other simulators") from missing

WARM_UP = 0.1
"""Share of the messages, first in order of arrival, that a peer leaves out."""
MODELS = {
    "SimPy": ("18 sessions for 18 threads, 60/s", "M/M/18 behind 36 sessions", "M/M/18 behind 100 sessions"),
    "Ciw": ("M/M/18, load 0.9", "M/G/1, lognormal service", "processor sharing on 2 CPUs"),
}
"""Names of reference models by the simulator that can express them."""


class Peer(NamedTuple):
    """One model: the engine's network and another program's replication, as latencies in order of arrival."""

    simulator: str
    model: str
    network: NetworkSpec
    latencies: Callable[[NetworkSpec, int, int], Floats]
    """Network, number of messages and seed to seconds."""


class ThrottledThreads:
    """SimPy: a listener port with its throttle before threads of exponential service."""

    def __init__(self, network: NetworkSpec, seed: int) -> None:
        stream = network.streams[0]
        if stream.gate is None:
            raise ValueError("this model has a throttle; the network has none")
        self.random = Random(seed)
        self.environment = simpy.Environment()
        self.rate, self.mean = stream.arrivals.rate, stream.service.a
        self.high, self.low = stream.gate.high, stream.gate.low
        self.inflight, self.blocked, self.idle = 0, False, network.pools[0].threads
        self.waiting: deque[int] = deque()
        self.prepared: deque[int] = deque()
        self.arrived: list[float] = []
        self.left: dict[int, float] = {}

    def run(self, messages: int) -> Floats:
        """Return the latencies of ``messages`` Poisson arrivals in order of arrival."""
        self.environment.process(self._arrive(messages))
        self.environment.run()
        return np.array([self.left[number] - arrived for number, arrived in enumerate(self.arrived)])

    def _arrive(self, messages: int) -> Generator[Any, Any, None]:
        for number in range(messages):
            yield self.environment.timeout(self.random.expovariate(self.rate))
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
        yield self.environment.timeout(self.random.expovariate(1 / self.mean))
        self.left[number] = self.environment.now
        self.idle, self.inflight = self.idle + 1, self.inflight - 1
        self.blocked = self.blocked and self.inflight > self.low
        self._go_on()


def _in_simpy(network: NetworkSpec, messages: int, seed: int) -> Floats:
    return ThrottledThreads(network, seed).run(messages)


def _in_ciw(network: NetworkSpec, messages: int, seed: int) -> Floats:
    """Simulate a single queue; service that is all CPU is shared by all, however many they are."""
    pool, stream = network.pools[0], network.streams[0]
    sharing = {"ps_thresholds": [pool.cpus]} if stream.cpu_share else {}
    line = ciw.create_network(
        arrival_distributions=[ciw.dists.Exponential(stream.arrivals.rate)],
        service_distributions=[_distribution(stream.service)],
        number_of_servers=[float("inf") if sharing else pool.threads],
        **sharing,
    )
    ciw.seed(seed)
    simulation = ciw.Simulation(line, node_class=ciw.PSNode if sharing else ciw.Node)
    simulation.simulate_until_max_customers(messages, method="Complete")
    records = sorted(simulation.get_all_records(), key=lambda record: record.arrival_date)
    return np.array([record.exit_date - record.arrival_date for record in records])


def _distribution(service: Law) -> Any:
    if service.kind == LawKind.EXPONENTIAL:
        return ciw.dists.Exponential(1 / service.a)
    if service.kind == LawKind.LOGNORMAL:
        return ciw.dists.Lognormal(service.a, service.b)
    raise ValueError(f"no distribution of Ciw is paired with {service.kind.name}")


def peers(messages: int) -> tuple[Peer, ...]:
    """Return the models; the engine's side simulates ``messages`` per replication."""
    networks = {**oracles(messages), **coverage_models(messages)}
    simulators = {"SimPy": _in_simpy, "Ciw": _in_ciw}
    return tuple(
        Peer(name, model, networks[model], simulators[name]) for name, models in MODELS.items() for model in models
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
    ours = summarize(KnownPoint(0, {}, peer.network, ["server"], {}, {}), rows).metrics
    theirs = _theirs([peer.latencies(peer.network, messages, seed + number) for number in range(replications)])
    return [
        Agreement(peer.simulator, peer.model, metric, _with_half_width(ours[metric]), _with_half_width(estimate))
        for metric, estimate in theirs.items()
    ]


def _theirs(replications: list[Floats]) -> Mapping[str, Estimate]:
    kept = [latencies[int(WARM_UP * len(latencies)) :] for latencies in replications]
    return {
        "latency.mean": mean_estimate(np.array([latencies.mean() for latencies in kept]), "s"),
        "latency.p95": mean_estimate(np.array([np.quantile(latencies, 0.95) for latencies in kept]), "s"),
    }


def _with_half_width(estimate: Estimate) -> tuple[float, float]:
    return estimate.value, (estimate.high - estimate.low) / 2
