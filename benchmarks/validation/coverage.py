"""How often a nominal 95 % interval holds the truth, measured on models whose answer is known."""

import math
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from functools import partial

from simulations.analysis.estimates.intervals import Precision
from simulations.analysis.estimates.point import KnownPoint, next_round, summarize
from simulations.analysis.estimates.summary import Estimate
from simulations.analysis.replications.rows import ReplicationRow, compact
from simulations.engine.network.model import NetworkSpec
from simulations.engine.network.results import ReplicationResult

Simulate = Callable[[NetworkSpec, int, int], ReplicationResult]
"""Network, seed and replication number to one replication."""


@dataclass(frozen=True)
class Coverage:
    """The outcome for one metric over ``experiments`` independent experiments.

    Attributes:
        covered: experiments whose interval held the truth.
        half_width: mean half-width, relative to the truth.
        bias: mean error of the value, relative to the truth.
        replications: mean number that an experiment had.
    """

    experiments: int
    covered: int
    half_width: float
    bias: float
    replications: float

    @property
    def share(self) -> float:
        """Measured coverage."""
        return self.covered / self.experiments

    @property
    def margin(self) -> tuple[float, float]:
        """95 % interval of the coverage itself (Wilson's)."""
        n, p, z = self.experiments, self.share, 1.959964
        center, denominator = p + z * z / (2 * n), 1 + z * z / n
        half = z * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
        return (center - half) / denominator, (center + half) / denominator


@dataclass(frozen=True)
class Stopping:
    """When an experiment ends: after ``least`` replications, or where ``precision`` or ``most`` of them is reached."""

    least: int
    most: int = 0
    precision: Precision | None = None


def measure_coverage(
    network: NetworkSpec,
    truth: Mapping[str, float],
    simulate: Simulate,
    *,
    experiments: int,
    stopping: Stopping,
    first_seed: int = 1,
) -> dict[str, Coverage]:
    """Return the coverage of each metric in ``truth`` (name -> exact value).

    Each experiment has its own seed and goes the way of every answer: warm-up rule, merging, verdict, interval, rounds.
    One that does not yield the metric, for example because it calls the queue unstable, does not hold the truth.
    """
    estimates, used = [], 0
    for seed in range(first_seed, first_seed + experiments):
        metrics, replications = _experiment(network, partial(simulate, network, seed), list(truth), stopping)
        estimates.append(metrics)
        used += replications
    return {
        name: _summed([metrics[name] for metrics in estimates if name in metrics], value, experiments, used)
        for name, value in truth.items()
    }


def _experiment(
    network: NetworkSpec, simulate: Callable[[int], ReplicationResult], only: Collection[str], stopping: Stopping
) -> tuple[Mapping[str, Estimate], int]:
    """Return the estimates of one experiment and its replications, which come in the rounds of a run."""
    point, precision, planned = KnownPoint(0, {}, network, [], {}, {}), stopping.precision, stopping.least
    rows: list[ReplicationRow] = []
    while True:
        rows += [compact(simulate(number)) for number in range(len(rows), planned)]
        summary = summarize(point, rows, precision=precision, only=only)
        if precision is None or summary.status != "not_converged" or planned >= stopping.most:
            return summary.metrics, planned
        planned = next_round(summary, precision, planned=planned, most=stopping.most)


def _summed(estimates: list[Estimate], truth: float, experiments: int, replications: int) -> Coverage:
    size = max(len(estimates), 1)
    return Coverage(
        experiments=experiments,
        covered=sum(estimate.low <= truth <= estimate.high for estimate in estimates),
        half_width=sum(estimate.high - estimate.low for estimate in estimates) / (2 * size * truth),
        bias=sum(estimate.value for estimate in estimates) / (size * truth) - 1,
        replications=replications / experiments,
    )
