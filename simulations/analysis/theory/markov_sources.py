"""A single server behind a Poisson source that is switched on and off by a Markov chain (MMPP/M/1).

Source: M. F. Neuts, Matrix-Geometric Solutions in Stochastic Models (1981), chapter 1: with k messages inside, the
probabilities of the two phases are pi(k) = pi(0) R^k, R the least solution of R^2 A2 + R A1 + A0 = 0.
"""

import numpy as np

from simulations.analysis.replications.columns import Floats
from simulations.analysis.theory.checks import not_negative, positive, stable

PRECISION = 1e-15


def on_off_mean_latency(rate: float, rate_off: float, mean_on: float, mean_off: float, service: float) -> float:
    """Return the mean seconds in the system for exponential service of mean ``service`` on one server. Exact.

    ``rate`` and ``rate_off`` messages per second while on and off, exponential times of ``mean_on`` and ``mean_off``
    seconds between the switches. Raises Unstable for a load of 1 or more and ValueError for impossible numbers.
    """
    positive(rate=rate, mean_on=mean_on, mean_off=mean_off, service=service)
    not_negative(rate_off=rate_off)
    average = (rate * mean_on + rate_off * mean_off) / (mean_on + mean_off)
    stable(average * service)
    switching = np.array([[-1 / mean_on, 1 / mean_on], [1 / mean_off, -1 / mean_off]])
    arriving, serving = np.diag([rate, rate_off]), np.eye(2) / service
    growth = _growth(arriving, switching - arriving - serving, serving)
    beyond: Floats = np.linalg.inv(np.eye(2) - growth).astype(np.float64)
    empty = _empty(switching - arriving + growth @ serving, beyond)
    inside = float((empty @ growth @ beyond @ beyond).sum())
    return inside / average


def _growth(up: Floats, stay: Floats, down: Floats) -> Floats:
    """Return R by the iteration R = -(A0 + R^2 A2) A1^-1, which rises to it from 0."""
    inverse, found = np.linalg.inv(stay), np.zeros_like(up)
    while True:
        better: Floats = -(up + found @ found @ down) @ inverse
        if np.abs(better - found).max() < PRECISION:
            return better
        found = better


def _empty(balance: Floats, beyond: Floats) -> Floats:
    """Return pi(0): it balances the empty states, and all probabilities sum to 1."""
    equations = np.column_stack([balance[:, 0], beyond.sum(axis=1)])
    return np.linalg.solve(equations.T, np.array([0.0, 1.0]))
