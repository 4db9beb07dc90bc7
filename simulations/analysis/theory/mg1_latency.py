"""Percentiles of the latency of M/G/1, first come first served.

The wait is a geometric sum of residual services (Pollaczek and Khinchine). It is added up here by fast Fourier
transform, on a lattice fine enough for four digits of the percentiles.
"""

from collections.abc import Sequence

import numpy as np
from scipy.integrate import cumulative_simpson

from simulations.analysis.theory.checks import positive, stable
from simulations.analysis.theory.laws import law_mean, survival
from simulations.engine.network.model import Law

STEPS = 100
"""Points of the lattice per mean service time."""
SIZE = 2**18
"""Points of the lattice: it reaches over 2,600 mean service times, beyond which almost nothing may lie."""


def mg1_percentiles(rate: float, service: Law, shares: Sequence[float]) -> tuple[float, ...]:
    """Return the latencies in seconds that each of ``shares`` (between 0 and 1) of the messages do not exceed.

    Right to 1e-4 for loads up to 0.95 and squared coefficients of variation of a few units. Raises Unstable for a load
    of 1 or more and ValueError for a rate or mean that is not above 0.
    """
    mean = law_mean(service)
    positive(rate=rate, service=mean)
    load = rate * mean
    stable(load)
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
