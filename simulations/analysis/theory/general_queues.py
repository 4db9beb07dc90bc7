"""Queues with other than exponential service. ``cv2`` is the squared coefficient of variation (variance / mean²).

Sources: F. Pollaczek (1930), A. Khinchine (1932); Kleinrock, Queueing Systems, volumes 1 and 2; A. O. Allen,
Probability, Statistics and Queueing Theory (1990), section 5.4 for the formula of Allen and Cunneen. Numbers are those
that the declarations let through, and less arrives than can be served.
"""

import math

from scipy.optimize import brentq

from simulations.analysis.theory.laws import transform
from simulations.analysis.theory.markov_queues import MMc
from simulations.engine.network.model import Law


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
    """Return the approximate mean seconds in G/G/c by Allen and Cunneen: S + Wq(M/M/c) (ca2 + cs2) / 2.

    Exact for M/M/c and M/G/1, an approximation elsewhere (it is best near saturation and for variations up to 1).
    """
    return service + MMc(rate, service, servers).mean_wait * (arrival_cv2 + service_cv2) / 2


def drain_time_constant(messages: int, service: float, servers: int) -> float:
    """Return the seconds in which ``servers`` work off ``messages`` of equal ``service``: ceil(n / c) S. Exact."""
    return math.ceil(messages / servers) * service


def drain_time_exponential(messages: int, service: float, servers: int) -> float:
    """Return the mean seconds in which ``servers`` work off ``messages`` with exponential service of mean S. Exact.

    While k >= c messages are left, the next ends after S / c; the last ones after S / k: a sum over k of S / min(k, c).
    """
    return service * math.fsum(1 / min(left, servers) for left in range(1, messages + 1))
