"""A window with hysteresis in front of c threads, its source never empty: throttle, credit window, thresholds.

The law is our own: between two refills the messages inside fall from the high to the low mark one by one, with k inside
the next completion takes 1 / min(k, c) service times, and all h - l completions of a cycle are then refilled at once.
"""

import math

from simulations.analysis.theory.checks import positive, whole


def window_mean_busy(high: int, low: int, threads: int) -> float:
    """Return the mean busy threads: (h - l) / sum over k = l+1..h of 1 / min(k, c); min(h, c) when l >= c - 1.

    Exact for exponential service, instant refill and a source that is never empty; when l >= c - 1 for any service.
    ``low`` = ``high`` refills after each completion, like ``high`` - 1.
    Raises ValueError unless 0 <= low <= high, high >= 1 and threads >= 1.
    """
    whole(high=high, threads=threads)
    if not 0 <= low <= high:
        msg = f"low must lie between 0 and high = {high}, not be {low}"
        raise ValueError(msg)
    low = min(low, high - 1)
    if low >= threads - 1:
        return float(min(high, threads))
    falling = math.fsum(1 / k for k in range(low + 1, min(high, threads) + 1))
    return (high - low) / (falling + max(0, high - threads) / threads)


def window_throughput(high: int, low: int, threads: int, service: float) -> float:
    """Return the messages per second that the window carries: mean busy threads / mean ``service`` in seconds.

    Exact under the conditions of ``window_mean_busy``; raises ValueError for impossible numbers.
    """
    positive(service=service)
    return window_mean_busy(high, low, threads) / service
