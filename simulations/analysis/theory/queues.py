"""Queues: Erlang's formulas, M/M/c, and other than exponential service. ``cv2``: squared coefficient of variation.

Sources: A. K. Erlang (1917); F. Pollaczek (1930), A. Khinchine (1932); L. Kleinrock, Queueing Systems, volumes 1 (1975)
and 2; D. Gross, J. F. Shortle, J. M. Thompson, C. M. Harris, Fundamentals of Queueing Theory (2008), chapter 2; A. O.
Allen, Probability, Statistics and Queueing Theory (1990), section 5.4 for the formula of Allen and Cunneen. Numbers are
those that the declarations let through, and less arrives than can be served.
"""

import math
from dataclasses import dataclass

from scipy.optimize import brentq

from simulations.analysis.theory.laws import transform
from simulations.engine.network.model import Law


def erlang_b(servers: int, load: float) -> float:
    """Return the share of arrivals lost when nothing may wait (M/M/c/c, and M/G/c/c). B(0) = 1, B(k) = a B(k-1) / (k +
    a B(k-1)), with ``load`` a = arrival rate x service time in Erlang."""
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
        A mixture of two exponentials; at theta = mu the quotient is its limit t."""
        mu, gap = 1 / self.service, self._drain - 1 / self.service
        quotient = -math.expm1(-gap * seconds) / gap if gap else seconds
        return math.exp(-mu * seconds) * (1 + self.waiting_probability * mu * quotient)

    def percentile(self, share: float) -> float:
        """Return the latency in seconds that ``share`` (0 < share < 1) of the messages do not exceed."""
        highest = max(self.service, 1 / self._drain) * (2 - 2 * math.log1p(-share))
        while self.survival(highest) > 1 - share:
            highest *= 2
        return float(brentq(lambda t: self.survival(t) - (1 - share), 0.0, highest, xtol=1e-14, rtol=1e-13))


def mg1_mean_latency(rate: float, service: float, cv2: float) -> float:
    """Return the mean seconds in M/G/1 by Pollaczek and Khinchine: S + rho S (1 + cv2) / (2 (1 - rho)). Exact."""
    load = rate * service
    return service + load * service * (1 + cv2) / (2 * (1 - load))


def gm1_mean_latency(interval: Law, service: float) -> float | None:
    """Return the mean seconds in G/M/1: S / (1 - sigma), sigma the root below 1 of sigma = A*((1 - sigma) / S). Exact.

    A* is the Laplace transform of the intervals between arrivals; None where it has no closed form. The latency is
    exponential.
    """
    if transform(interval, 1.0) is None:
        return None

    def gap(sigma: float) -> float:
        return (transform(interval, (1 - sigma) / service) or 0.0) - sigma

    highest = 1 - 1e-12
    sigma = float(brentq(gap, 0.0, highest, xtol=1e-15)) if gap(highest) < 0 else highest
    return service / (1 - sigma)


def ggc_mean_latency(rate: float, service: float, servers: int, *, arrival_cv2: float, service_cv2: float) -> float:
    """Return the approximate mean seconds in G/G/c by Allen and Cunneen: S + Wq(M/M/c) (ca2 + cs2) / 2. Exact for M/M/c
    and M/G/1, an approximation elsewhere (it is best near saturation and for variations up to 1)."""
    return service + MMc(rate, service, servers).mean_wait * (arrival_cv2 + service_cv2) / 2


def drain_time_constant(messages: int, service: float, servers: int) -> float:
    """Return the seconds in which ``servers`` work off ``messages`` of equal ``service``: ceil(n / c) S. Exact."""
    return math.ceil(messages / servers) * service


def drain_time_exponential(messages: int, service: float, servers: int) -> float:
    """Return the mean seconds in which ``servers`` work off ``messages`` with exponential service of mean S. Exact.
    While k >= c messages are left, the next ends after S / c; the last ones after S / k: a sum over k of S / min(k,
    c)."""
    return service * math.fsum(1 / min(left, servers) for left in range(1, messages + 1))
