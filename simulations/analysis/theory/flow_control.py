"""Producer flow control: the limit of one producer decays geometrically while the destination is armed and climbs
linearly afterwards, one step every interval / steps seconds. Rates in messages per second.
"""

import math

from simulations.analysis.theory.checks import positive, whole


def descent(maximum: float, minimum: float, steps: int) -> tuple[float, ...]:
    """Return the limits at the start and after each of ``steps`` evaluations: f(k) = max r^k, r = (min/max)^(1/steps).

    The last is ``minimum`` exactly. Raises ValueError unless 0 < minimum <= maximum and steps >= 1.
    """
    _check(maximum, minimum, steps)
    ratio = math.pow(minimum / maximum, 1 / steps)
    return (*(maximum * math.pow(ratio, k) for k in range(steps)), float(minimum))


def ascent(maximum: float, minimum: float, steps: int) -> tuple[float, ...]:
    """Return the limits from ``minimum`` back to ``maximum``, each (max - min) / steps above the one before.

    Raises ValueError unless 0 < minimum <= maximum and steps >= 1.
    """
    _check(maximum, minimum, steps)
    step = (maximum - minimum) / steps
    return (*(minimum + step * k for k in range(steps)), float(maximum))


def admitted(limits: tuple[float, ...], interval: float) -> float:
    """Return the messages one producer may send while ``limits`` (of ``descent`` or ``ascent``) run over ``interval``.

    Each limit but the last holds for interval / steps seconds. Raises ValueError for an interval of 0 or less.
    """
    positive(interval=interval)
    return sum(limits[:-1]) * interval / (len(limits) - 1)


def _check(maximum: float, minimum: float, steps: int) -> None:
    positive(maximum=maximum, minimum=minimum)
    whole(steps=steps)
    if minimum > maximum:
        msg = f"minimum must not exceed maximum = {maximum}, but is {minimum}"
        raise ValueError(msg)
