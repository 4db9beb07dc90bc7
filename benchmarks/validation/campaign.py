"""The validation: oracles with theory, simulation and interval, other simulators, the coverage of intervals."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from benchmarks.validation.coverage import Coverage, Simulate, Stopping, measure_coverage
from benchmarks.validation.exact_formulas import mg1_percentiles
from benchmarks.validation.mechanism_models import FlowStep, Mechanism, flow_network, flow_steps, mechanisms
from benchmarks.validation.peers import Agreement, compare_peer, peers
from benchmarks.validation.reference_models import STOPPED_BY_PRECISION, coverage_models, oracles
from simulations.analysis.estimates.formula_answers import formula_answer
from simulations.analysis.estimates.intervals import Precision, mean_estimate
from simulations.analysis.estimates.metrics import PERCENTILES
from simulations.analysis.estimates.point import KnownPoint, summarize
from simulations.analysis.estimates.summary import Estimate
from simulations.analysis.replications.rows import compact
from simulations.engine.network.model import NetworkSpec

END_EFFECT = 1e-4
"""Relative slack: a run that ends with a completion counts a few messages more or less per second than an endless one.
Only rates under regular arrivals have intervals narrow enough to see it."""
MOST_REPLICATIONS = 200
"""Where an experiment ends that does not reach its precision: the default of a run."""
Spread = Callable[[Callable[[Any], Any], Iterable[Any]], Iterable[Any]]
"""What calls a function with each of several arguments, as ``map`` does; other processes may do it."""
COVERED = ("latency.mean", "latency.p95", "latency.p99")


@dataclass(frozen=True)
class Effort:
    """How much is simulated.

    Messages and replications of an oracle or experiment, experiments per coverage model, messages per replication of
    another simulator, which is a hundred times slower.
    """

    messages: int = 200_000
    replications: int = 10
    experiments: int = 500
    peer_messages: int = 20_000
    seed: int = 1


@dataclass(frozen=True)
class Findings:
    """All that the report shows."""

    comparisons: tuple["Comparison", ...]
    steps: tuple[FlowStep, ...]
    agreements: tuple[Agreement, ...]
    coverage: Mapping[str, Mapping[str, Coverage]]
    stopped: Mapping[str, Mapping[str, Coverage]]


@dataclass(frozen=True)
class Comparison:
    """One metric of one oracle."""

    model: str
    formula: str
    metric: str
    theory: float
    simulated: Estimate

    @property
    def inside(self) -> bool:
        """Whether the exact value lies in the simulated interval, give or take the end effect."""
        slack = END_EFFECT * abs(self.theory)
        return self.simulated.low - slack <= self.theory <= self.simulated.high + slack


def validate(simulate: Simulate, effort: Effort, spread: Spread = map) -> Findings:
    """Return everything; an hour of several cores with the default effort, nearly all of it coverage, by ``spread``."""
    models = coverage_models(effort.messages)
    stopped = {name: models[name] for name in STOPPED_BY_PRECISION}
    most, precision = MOST_REPLICATIONS, Precision()
    return Findings(
        comparisons=compare_oracles(simulate, effort),
        steps=flow_steps(simulate(flow_network(), effort.seed, 0)),
        agreements=compare_peers(simulate, effort),
        coverage=_measure(models, simulate, effort, Stopping(effort.replications), spread),
        stopped=_measure(stopped, simulate, effort, Stopping(effort.replications, most, precision), spread),
    )


def compare_oracles(simulate: Simulate, effort: Effort) -> tuple[Comparison, ...]:
    """Return every metric for which there is an exact value; each model has random numbers of its own."""
    plain = {model: exact_answer(network) for model, network in oracles(effort.messages).items()}
    every = plain | dict(mechanisms(effort.messages))
    return tuple(
        comparison
        for place, (model, known) in enumerate(every.items())
        for comparison in compare(model, known, simulate, replace(effort, seed=effort.seed + place))
    )


def exact_answer(network: NetworkSpec) -> Mechanism:
    """Return what formulas say exactly about a plain queue; raises LookupError when none applies to it."""
    answer = formula_answer(network, 0)
    if answer is None or not answer.exact:
        msg = f"no exact formula applies to {network.streams[0]}"
        raise LookupError(msg)
    theory = {name: estimate.value for name, estimate in answer.metrics.items()}
    if answer.formula == "M/G/1":
        stream = network.streams[0]
        exact = mg1_percentiles(stream.arrivals.rate, stream.service, list(PERCENTILES.values()))
        theory |= {f"latency.{name}": value for name, value in zip(PERCENTILES, exact, strict=True)}
    return Mechanism(answer.formula, network, theory)


def compare(model: str, known: Mechanism, simulate: Simulate, effort: Effort) -> Iterator[Comparison]:
    """Yield the comparisons of one model."""
    results = [simulate(known.network, effort.seed, number) for number in range(effort.replications)]
    servers = ["server"] * len(known.network.pools)
    metrics = summarize(KnownPoint(0, {}, known.network, servers, {}, {}), [compact(one) for one in results]).metrics
    for metric, exact in known.theory.items():
        reading = known.readings.get(metric)
        simulated = metrics[metric] if reading is None else mean_estimate(np.array([*map(reading, results)]), "1")
        yield Comparison(model, known.formula, metric, exact, simulated)


def compare_peers(simulate: Simulate, effort: Effort) -> tuple[Agreement, ...]:
    """Return what the other simulators say about their models and what the engine says."""
    return tuple(
        agreement
        for place, peer in enumerate(peers(effort.messages))
        for agreement in compare_peer(
            peer,
            simulate,
            messages=effort.peer_messages,
            replications=effort.replications,
            seed=effort.seed + place * effort.replications,
        )
    )


def _measure(
    models: Mapping[str, NetworkSpec], simulate: Simulate, effort: Effort, stopping: Stopping, spread: Spread
) -> dict[str, dict[str, Coverage]]:
    """Return the coverage of mean, p95 and p99 on each model."""
    measured = spread(partial(_measured, simulate, effort, stopping), models.values())
    return dict(zip(models, measured, strict=True))


def _measured(simulate: Simulate, effort: Effort, stopping: Stopping, network: NetworkSpec) -> dict[str, Coverage]:
    theory = exact_answer(network).theory
    truth = {name: theory[name] for name in COVERED}
    return measure_coverage(
        network, truth, simulate, experiments=effort.experiments, stopping=stopping, first_seed=effort.seed
    )
