"""Whether a delivery takes longer the more are in process: shared CPUs, or a limit behind the threads.

Independent service times do not depend on how many are in process when they begin: a slope shows that they do.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

FEWEST = 1_000
SURE = 4.0
"""Standard errors that the slope must be away from zero."""
SPREAD = (0.1, 0.9)
"""Shares of the deliveries that begin with few or less, and with many or less in process."""


@dataclass(frozen=True)
class Dependence:
    """Deliveries take ``growth`` ± ``half`` (95 %) times as long with many in process as with few."""

    growth: float
    half: float
    sentence: str


def dependence_fit(started: Mapping[int, int], micros: Mapping[int, int], cv: float) -> Dependence | None:
    """Return how the time of a delivery depends on the number in process; None where it shows no dependence.

    ``started``: deliveries by the number in process just after they began, themselves included; ``micros``: their time
    in all, in microseconds; ``cv``: coefficient of variation of a single time.
    """
    if sum(started.values()) < FEWEST:
        return None
    numbers = np.array(sorted(started))
    counts, total = (np.array([found[number] for number in numbers.tolist()]) for found in (started, micros))
    few, many = (int(numbers[np.searchsorted(counts.cumsum(), share * counts.sum())]) for share in SPREAD)
    if many == few or not total.sum():
        return None
    weights = counts**0.5 / (cv * total.sum() / counts.sum())
    (slope, base), variances = np.polyfit(numbers, total / counts, 1, w=weights, cov="unscaled")
    error, least = variances[0, 0] ** 0.5, base + slope * few
    if least <= 0 or abs(slope) < SURE * error:
        return None
    growth, half = 1 + slope * (many - few) / least, 1.96 * error * (many - few) / least
    why = "CPUs are shared, or something behind the threads is waited for" if slope > 0 else "the work differs"
    size = f"{growth:.3g} ± {half:.2g} times as long with {many} in process as with {few}"
    return Dependence(float(growth), float(half), f"deliveries take {size}: {why}")
