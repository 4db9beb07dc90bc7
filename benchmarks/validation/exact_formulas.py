"""Formulas that nothing but the validation asks: percentiles of M/G/1, arrivals in phases, rollbacks of a session.

For arrivals in phases: M. F. Neuts, Matrix-Geometric Solutions in Stochastic Models (1981), chapter 1.
"""

from collections.abc import Sequence

import numpy as np
from scipy.integrate import cumulative_simpson

from simulations.analysis.replications.measures import Floats
from simulations.analysis.theory.laws import law_mean, survival
from simulations.analysis.theory.mechanisms import rollback_probability
from simulations.analysis.theory.queues import MMc
from simulations.engine.network.model import Law

STEPS = 100
"""Points per mean service time of the lattice on which percentiles are computed."""
SIZE = 2**18
"""Points of the lattice: it reaches over 2,600 mean service times, beyond which almost nothing may lie."""
PRECISION = 1e-15
"""Largest change of a probability at which an iteration ends."""


def mg1_percentiles(rate: float, service: Law, shares: Sequence[float]) -> tuple[float, ...]:
    """Return the latencies in M/G/1 that ``shares`` (between 0 and 1) of the messages do not exceed, in seconds.

    The wait is a geometric sum of residual services (Pollaczek and Khinchine), added up by fast Fourier transform.
    Right to 1e-4 for loads up to 0.95 and squared coefficients of variation of a few units. Raises ValueError for a
    load of 1 or more.
    """
    mean = law_mean(service)
    load = rate * mean
    _check(load)
    step = mean / STEPS
    edges = np.append(0.0, (np.arange(SIZE) + 0.5) * step)  # a value within half a step counts as the lattice point
    served = np.diff(1 - survival(service, edges))
    residual = np.diff(cumulative_simpson(survival(service, edges), x=edges, initial=0)) / mean
    residual /= residual.sum()
    whole = np.fft.rfft(served) * (1 - load) / (1 - load * np.fft.rfft(residual))
    latency = np.fft.irfft(whole, SIZE).cumsum()
    places = np.searchsorted(latency, shares)
    below = np.where(places > 0, latency[places - 1], 0.0)
    part = (np.asarray(shares) - below) / (latency[places] - below)
    return tuple(float(value) for value in (places - 0.5 + part) * step)


def rollbacks_per_message(rate: float, receive_timeout: float, lifetime: float, service: float) -> float:
    """Return the transactions of one non-ASF session that outlive their limit, per completed message.

    Only the first message of a busy period can find the session waiting. It is served 1 + p times, p the probability of
    ``rollback_probability``, so that a busy period has (1 + u p) / (1 - u) messages, u = rate x service. Exact for
    constant service. Raises ValueError for a load of 1 or more.
    """
    share, load = rollback_probability(rate, receive_timeout, lifetime, service), rate * service
    _check(load)
    return share * (1 - load) / (1 + load * share)


def urgent_latency(rate: float, urgent_share: float, service: float, threads: int) -> float:
    """Return the mean latency of urgent messages in M/M/c that are served before all others, none being interrupted.

    A. Cobham (1954): they wait for the thread that becomes free next, W0, and for their own kind: W0 / (1 - load of the
    urgent). W0 is the mean wait in M/M/c times 1 - load. Raises ValueError for a load of 1 or more.
    """
    load = rate * service / threads
    _check(load)
    return MMc(rate, service, threads).mean_wait * (1 - load) / (1 - load * urgent_share) + service


def on_off_mean_latency(rate: float, rate_off: float, mean_on: float, mean_off: float, service: float) -> float:
    """Return the mean seconds in MMPP/M/1, one server behind a Poisson source that a Markov chain switches. Exact.

    Service is exponential with the mean ``service``. With k messages inside, the probabilities of the two phases are
    pi(k) = pi(0) R^k, R the least solution of R^2 A2 + R A1 + A0 = 0.
    ``rate`` and ``rate_off`` messages per second while on and off, exponential times of ``mean_on`` and ``mean_off``
    seconds between the switches. Raises ValueError for a load of 1 or more.
    """
    average = (rate * mean_on + rate_off * mean_off) / (mean_on + mean_off)
    _check(average * service)
    switching = np.array([[-1 / mean_on, 1 / mean_on], [1 / mean_off, -1 / mean_off]])
    arriving, serving = np.diag([rate, rate_off]), np.eye(2) / service
    growth = _growth(arriving, switching - arriving - serving, serving)
    beyond: Floats = np.linalg.inv(np.eye(2) - growth).astype(np.float64)
    empty = _empty(switching - arriving + growth @ serving, beyond)
    inside = float((empty @ growth @ beyond @ beyond).sum())
    return inside / average


def _check(load: float) -> None:
    """Refuse a queue without a steady state, for which the iteration below would never end."""
    if load >= 1:
        raise ValueError(f"no steady state: the load is {load:.4g} and must be below 1")


def _growth(up: Floats, stay: Floats, down: Floats) -> Floats:
    """Return R by the iteration R = -(A0 + R^2 A2) A1^-1, which rises to it from 0."""
    inverse, growth = np.linalg.inv(stay), np.zeros_like(up)
    while True:
        better: Floats = -(up + growth @ growth @ down) @ inverse
        if np.abs(better - growth).max() < PRECISION:
            return better
        growth = better


def _empty(balance: Floats, beyond: Floats) -> Floats:
    """Return pi(0): it balances the empty states, and all probabilities sum to 1."""
    equations = np.column_stack([balance[:, 0], beyond.sum(axis=1)])
    return np.linalg.solve(equations.T, np.array([0.0, 1.0]))
