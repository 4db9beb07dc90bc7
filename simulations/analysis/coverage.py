"""How often a nominal 95 % interval holds the truth, measured on models whose answer is known."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from simulations.analysis.estimates import of_system
from simulations.analysis.rows import compact
from simulations.analysis.sample import gather
from simulations.analysis.summary import Estimate
from simulations.engine.network import NetworkSpec
from simulations.engine.results import ReplicationResult

Simulate = Callable[[NetworkSpec, int, int], ReplicationResult]
"""Network, seed and replication number to one replication."""


@dataclass(frozen=True)
class Coverage:
    """The outcome for one metric over ``experiments`` independent experiments.

    Attributes:
        covered: experiments whose interval held the truth.
        half_width: mean half-width, relative to the truth.
        bias: mean error of the value, relative to the truth.
    """

    experiments: int
    covered: int
    half_width: float
    bias: float

    @property
    def share(self) -> float:
        """Measured coverage."""
        return self.covered / self.experiments

    @property
    def margin(self) -> tuple[float, float]:
        """95 % interval of the coverage itself (Wilson's)."""
        n, p, z = self.experiments, self.share, 1.959964
        centre, denominator = p + z * z / (2 * n), 1 + z * z / n
        half = z * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
        return (centre - half) / denominator, (centre + half) / denominator


def measure_coverage(
    network: NetworkSpec,
    truth: Mapping[str, float],
    simulate: Simulate,
    *,
    experiments: int,
    replications: int,
    first_seed: int = 1,
) -> dict[str, Coverage]:
    """Return the coverage of each metric in ``truth`` (name -> exact value).

    Each experiment has its own seed and goes the way of every answer: warm-up rule, merging, interval.
    Raises KeyError when an experiment does not yield one of the metrics.
    """
    found = [_experiment(network, simulate, first_seed + number, replications) for number in range(experiments)]
    return {name: _summed([estimates[name] for estimates in found], value) for name, value in truth.items()}


def _experiment(network: NetworkSpec, simulate: Simulate, seed: int, replications: int) -> dict[str, Estimate]:
    rows = [compact(simulate(network, seed, number)) for number in range(replications)]
    return of_system(gather(network, rows), unstable=False)


def _summed(estimates: list[Estimate], truth: float) -> Coverage:
    size = len(estimates)
    return Coverage(
        experiments=size,
        covered=sum(estimate.low <= truth <= estimate.high for estimate in estimates),
        half_width=sum(estimate.high - estimate.low for estimate in estimates) / (2 * size * truth),
        bias=sum(estimate.value for estimate in estimates) / (size * truth) - 1,
    )
