"""What is shared behind the threads: CPUs, or something of limited size that the end of a delivery holds.

Deliveries in process are customers of a closed network: part of their work goes on at once, the rest needs one of so
many servers. The rate at which they end with n in process is its throughput with n customers (Norton's theorem of
queues: Chandy, Herzog and Woo, *Parametric Analysis of Queuing Networks*, 1975); of work that is all CPU it is
min(n, c) over the mean, whatever the distribution (Baskett, Chandy, Muntz and Palacios, 1975). The likeliest limit is
taken only where it explains the ends that were counted; elsewhere the log cannot tell. CPUs are taken where they are
about as likely as the likeliest.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import product

import numpy as np
from scipy.special import chdtri

from simulations.analysis.estimates.summary import percent, quantity
from simulations.analysis.replications.measures import Floats

SHARES = tuple(part / 100 for part in range(1, 101))
"""Shares of a delivery's work that are tried."""
MOST = 150
"""Most in process for which a limit is sought."""
ADVANTAGE = 8.0
"""Gain in log likelihood that it takes."""
SIGNIFICANCE = 0.001
"""Chance of turning a limit down that is the true one."""
LIKELY = 1.96**2 / 2
"""What is less likely by no more than that (natural logarithm) lies in the 95 % interval."""


@dataclass(frozen=True)
class Limit:
    """So many deliveries at a time are in the last ``share`` of their work, which takes ``mean`` seconds alone.
    ``rate``: deliveries per second that it allows, with its 95 % interval; number and share alone are known less
    well."""

    number: int
    share: float
    mean: float
    rate: float
    low: float
    high: float

    @property
    def cpus(self) -> bool:
        """Whether it is taken as CPUs: all of the work is shared."""
        return self.share == 1

    @property
    def words(self) -> str:
        """What is taken as the cause."""
        rate, low, high = (quantity(value, "/s") for value in (self.rate, self.low, self.high))
        part = "all of the work, taken as CPUs" if self.cpus else f"the last {percent(self.share)} of the work"
        return f"a limit of {self.number} for {part}, which allows {rate} ({low} to {high})"


def limit_fit(left: Mapping[int, int], held: Mapping[int, int]) -> Limit | None:
    """Return the likeliest limit; None where it is no likelier than none, or does not explain what was counted.
    ``left``: ends by the number in process just before; ``held``: microseconds with so many in process."""
    most = max(held)
    if not 2 <= most <= MOST:
        return None
    numbers, none = range(1, most + 1), (most, 1.0)
    ends, seconds = np.array([left.get(n, 0) for n in numbers]), np.array([held.get(n, 0) / 1e6 for n in numbers])
    total, pairs = ends.sum(), [*product(range(1, most), SHARES), none]
    rates = {pair: throughput(*pair, most) for pair in pairs}
    means = {pair: float((seconds * rates[pair]).sum() / total) for pair in pairs}
    gains = {pair: float((ends * np.log(rates[pair])).sum() - total * np.log(means[pair])) for pair in pairs}
    least = max(gains.values()) - LIKELY
    likely = [pair for pair in pairs if gains[pair] >= least]
    best = max(likely, key=lambda pair: (pair[1] == 1, gains[pair]))
    expected = seconds * rates[best] / means[best]
    misfit = ((ends - expected) ** 2 / np.maximum(expected, 1)).sum()
    if gains[best] - gains[none] <= ADVANTAGE or misfit >= chdtri(most, SIGNIFICANCE):
        return None
    allowed = {(number, share): number / share / means[number, share] for number, share in likely}
    chance = 1.96 / float(total) ** 0.5  # of the mean, with number and share as they are
    low, high = min(allowed.values()) * (1 - chance), max(allowed.values()) * (1 + chance)
    return Limit(*best, means[best], allowed[best], low, high)


def throughput(limit: int, share: float, most: int) -> Floats:
    """Return the ends per mean work with 1 to ``most`` in process of which ``limit`` are in the last ``share``."""
    numbers = np.arange(1, most + 1)
    inside = np.append(1.0, (share / np.minimum(numbers, limit)).cumprod())
    beside = np.append(1.0, ((1 - share) / numbers).cumprod())
    weights = np.convolve(inside, beside)[: most + 1]
    rates: Floats = weights[:-1] / weights[1:]
    return rates
