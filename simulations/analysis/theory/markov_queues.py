"""Queues that are Markov chains: Erlang's formulas and the latency of M/M/c.

Sources: A. K. Erlang (1917); L. Kleinrock, Queueing Systems, volume 1 (1975), chapter 3; D. Gross, J. F. Shortle,
J. M. Thompson, C. M. Harris, Fundamentals of Queueing Theory (2008), chapter 2.
"""

import math
from dataclasses import dataclass

from scipy.optimize import brentq


def erlang_b(servers: int, load: float) -> float:
    """Return the share of arrivals lost when nothing may wait (M/M/c/c, and M/G/c/c).

    B(0) = 1, B(k) = a B(k-1) / (k + a B(k-1)), with ``load`` a = arrival rate x service time in Erlang.
    """
    blocked = 1.0
    for k in range(1, servers + 1):
        blocked = load * blocked / (k + load * blocked)
    return blocked


def erlang_c(servers: int, load: float) -> float:
    """Return the probability that an arrival waits in M/M/c: C = B / (1 - rho (1 - B)), rho = a / c < 1."""
    blocked = erlang_b(servers, load)
    return blocked / (1 - load / servers * (1 - blocked))


@dataclass(frozen=True)
class MMc:
    """M/M/c, first come first served: ``rate`` arrivals per second, mean ``service`` seconds, enough ``servers``."""

    rate: float
    service: float
    servers: int

    @property
    def waiting_probability(self) -> float:
        """Probability that an arrival waits (Erlang C)."""
        return erlang_c(self.servers, self.rate * self.service)

    @property
    def _drain(self) -> float:
        """Rate at which the queue empties while all servers are busy, per second: c mu - lambda."""
        return self.servers / self.service - self.rate

    @property
    def mean_wait(self) -> float:
        """Mean seconds before service: C / (c mu - lambda)."""
        return self.waiting_probability / self._drain

    @property
    def mean_latency(self) -> float:
        """Mean seconds in the system: wait and service."""
        return self.mean_wait + self.service

    def survival(self, seconds: float) -> float:
        """Return P(latency > t) = e^(-mu t) (1 + C mu (1 - e^(-(theta - mu) t)) / (theta - mu)), theta = c mu - lambda.

        A mixture of two exponentials; at theta = mu the quotient is its limit t.
        """
        mu, gap = 1 / self.service, self._drain - 1 / self.service
        quotient = -math.expm1(-gap * seconds) / gap if gap else seconds
        return math.exp(-mu * seconds) * (1 + self.waiting_probability * mu * quotient)

    def percentile(self, share: float) -> float:
        """Return the latency in seconds that ``share`` (0 < share < 1) of the messages do not exceed."""
        if not 0 < share < 1:
            raise ValueError(f"share must lie between 0 and 1, not {share}")
        highest = max(self.service, 1 / self._drain) * (2 - 2 * math.log1p(-share))
        while self.survival(highest) > 1 - share:
            highest *= 2
        return float(brentq(lambda t: self.survival(t) - (1 - share), 0.0, highest, xtol=1e-14, rtol=1e-13))
