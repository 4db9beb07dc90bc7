"""Single mechanisms: what a receive timeout rolls back, what batches carry, the steps of producer flow control.

Flow control: the limit of one producer decays geometrically while the destination is armed and climbs linearly
afterwards, one step every interval / steps seconds. Rates are in messages per second.
"""

import math


def rollback_probability(rate: float, receive_timeout: float, lifetime: float, service: float) -> float:
    """Return the share of delivered messages whose transaction outlives its limit in non-ASF mode.

    The transaction begins with receive(). A wait w <= R in receive() and ``service`` S end it too late when
    w + S > T; arrivals to one session are Poisson with ``rate`` per second, so w is exponential, cut off at R:
    (e^(-rate (T - S)) - e^(-rate R)) / (1 - e^(-rate R)), 0 when R + S <= T and 1 when S > T. Exact for constant S and
    sessions that wait when a message comes. ``receive_timeout`` R, ``lifetime`` T in seconds.
    """
    spare = lifetime - service
    if spare < 0:
        return 1.0
    if receive_timeout <= spare:
        return 0.0
    late = math.exp(-rate * spare) * -math.expm1(-rate * (receive_timeout - spare))
    return late / -math.expm1(-rate * receive_timeout)


def batch_capacity(batch: int, service: float, commit: float, threads: int = 1) -> float:
    """Return the messages per second of ``threads`` that commit after each full ``batch``: c b / (commit + b S). The
    ceiling when batches are always full; times in seconds."""
    return threads * batch / (commit + batch * service)


def descent(maximum: float, minimum: float, steps: int) -> tuple[float, ...]:
    """Return the limits at the start and after each of ``steps`` evaluations: f(k) = max r^k, r = (min/max)^(1/steps).
    The last is ``minimum`` exactly."""
    ratio = math.pow(minimum / maximum, 1 / steps)
    return (*(maximum * math.pow(ratio, k) for k in range(steps)), float(minimum))


def ascent(maximum: float, minimum: float, steps: int) -> tuple[float, ...]:
    """Return the limits from ``minimum`` back to ``maximum``, each (max - min) / steps above the one before."""
    step = (maximum - minimum) / steps
    return (*(minimum + step * k for k in range(steps)), float(maximum))


def admitted(limits: tuple[float, ...], interval: float) -> float:
    """Return the messages one producer may send while ``limits`` (of ``descent`` or ``ascent``) run over ``interval``.
    Each limit but the last holds for interval / steps seconds."""
    return sum(limits[:-1]) * interval / (len(limits) - 1)
