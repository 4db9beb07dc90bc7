"""What is shared behind the threads: CPUs, or something of limited size that the end of a delivery holds.

Deliveries in process are customers of a closed network: part of their work goes on at once, the rest needs one of so
many servers. The rate at which they end with n in process is its throughput with n customers (Norton's theorem of
queues: Chandy, Herzog and Woo, *Parametric Analysis of Queuing Networks*, 1975); of work that is all CPU it is
min(n, c) over the mean, whatever the distribution (Baskett, Chandy, Muntz and Palacios, 1975). The likeliest limit is
taken only where it explains the ends that were counted; elsewhere the log cannot tell.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from scipy.stats import chi2

from simulations.analysis.estimates.summary import percent
from simulations.analysis.replications.measures import Floats

SHARES = tuple(tenth / 10 for tenth in range(1, 11))
"""Shares of a delivery's work that are tried."""
MOST = 150
"""Most in process for which a limit is sought."""
ADVANTAGE = 8.0
"""Gain in log likelihood that it takes."""
SIGNIFICANCE = 0.001
"""Chance of turning a limit down that is the true one."""


@dataclass(frozen=True)
class Limit:
    """So many deliveries at a time are in the last ``share`` of their work, which takes ``mean`` seconds alone."""

    number: int
    share: float
    mean: float

    @property
    def cpus(self) -> bool:
        """Whether it is taken as CPUs: all of the work is shared."""
        return self.share == 1

    @property
    def words(self) -> str:
        """What is taken as the cause."""
        alone = self.number == 1
        if self.cpus:
            return f"all of the work is done by {self.number} CPU{'' if alone else 's'}"
        hold, their = ("holds", "its") if alone else ("hold", "their")
        return f"{self.number} at a time {hold} something for the last {percent(self.share)} of {their} work"


def limit_fit(left: Mapping[int, int], held: Mapping[int, int]) -> Limit | None:
    """Return the likeliest limit; None where it is no likelier than none, or does not explain what was counted.

    ``left``: ends by the number in process just before; ``held``: microseconds with so many in process.
    """
    most = max(held)
    if not 2 <= most <= MOST:
        return None
    numbers = range(1, most + 1)
    ends, seconds = np.array([left.get(n, 0) for n in numbers]), np.array([held.get(n, 0) / 1e6 for n in numbers])

    def gain(rates: Floats) -> float:
        return float((ends * np.log(rates)).sum() - ends.sum() * np.log((seconds * rates).sum()))

    rates = {(number, share): throughput(number, share, most) for number in range(1, most) for share in SHARES}
    best = max(rates, key=lambda pair: gain(rates[pair]))
    mean = float((seconds * rates[best]).sum() / ends.sum())
    expected = seconds * rates[best] / mean
    misfit = ((ends - expected) ** 2 / np.maximum(expected, 1)).sum()
    sure = gain(rates[best]) - gain(np.arange(1.0, most + 1)) > ADVANTAGE
    return Limit(*best, mean) if sure and misfit < chi2.isf(SIGNIFICANCE, most) else None


def throughput(limit: int, share: float, most: int) -> Floats:
    """Return the ends per mean work with 1 to ``most`` in process of which ``limit`` are in the last ``share``."""
    numbers = np.arange(1, most + 1)
    inside = np.append(1.0, (share / np.minimum(numbers, limit)).cumprod())
    beside = np.append(1.0, ((1 - share) / numbers).cumprod())
    weights = np.convolve(inside, beside)[: most + 1]
    rates: Floats = weights[:-1] / weights[1:]
    return rates
