"""Windows with hysteresis in front of c threads, with high mark h and low mark l: what they carry, and their latency.

Before a source that is never empty (throttle, credit window, thresholds alike) the law is our own: between two refills
the messages inside fall from the high to the low mark one by one, with k inside the next completion takes 1 / min(k, c)
service times, and all h - l completions of a cycle are then refilled at once.

With Poisson arrivals and exponential service the throttle is a Markov chain, solved exactly. State: messages in flight
n, gate open or blocked, messages waiting w on the destination. Open: n < h and w = 0, because an open gate lets
everything pass at once. Blocked: l < n <= h. Rules: block at n = h, open at n <= l, then admit up to h - n of the
waiting. Only w is unbounded; it is cut where its probability no longer counts.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array
from scipy.sparse.linalg import spsolve

CUT_PROBABILITY = 1e-10
"""Largest probability of the last waiting level that is kept."""
MOST_STATES = 2_000_000


def window_mean_busy(high: int, low: int, threads: int) -> float:
    """Return the mean busy threads: (h - l) / sum over k = l+1..h of 1 / min(k, c); min(h, c) when l >= c - 1.

    Exact for exponential service, instant refill and a source that is never empty; when l >= c - 1 for any service.
    ``low`` = ``high`` refills after each completion, like ``high`` - 1.
    """
    low = min(low, high - 1)
    if low >= threads - 1:
        return float(min(high, threads))
    falling = math.fsum(1 / k for k in range(low + 1, min(high, threads) + 1))
    return (high - low) / (falling + max(0, high - threads) / threads)


@dataclass(frozen=True)
class ThrottleAnswer:
    """Stationary means."""

    throughput: float
    latency: float
    blocked_fraction: float
    busy_threads: float
    idle_blocked_threads: float
    blocks_per_second: float
    in_flight: float


def throttle_chain(rate: float, service: float, threads: int, high: int, low: int) -> ThrottleAnswer:
    """Return the stationary means of the throttle; ``rate`` per second, mean ``service`` in seconds.

    ``idle_blocked_threads``: idle threads while the gate is blocked and messages wait behind it.
    Raises ValueError for a queue so close to saturation that its chain has more than two million states.
    """
    chain = _Chain(rate * service, threads, high, min(low, high - 1))
    longest = 64
    while True:
        shares = chain.solve(longest)
        if shares[chain.high + longest * chain.width :].sum() < CUT_PROBABILITY:
            return _answer(chain, shares, rate, service)
        longest *= 4
        if chain.width * longest > MOST_STATES:
            raise ValueError("the queue is too close to saturation for the exact chain")


class _Chain:
    """States in order: open with n = 0..h-1, then for w = 0, 1, ... blocked with n = l+1..h. Time in service times."""

    def __init__(self, load: float, threads: int, high: int, low: int) -> None:
        self.load, self.threads, self.high, self.low = load, threads, high, low
        self.width = high - low

    def blocked(self, in_flight: int, waiting: int) -> int:
        """Position of a blocked state."""
        return self.high + waiting * self.width + in_flight - self.low - 1

    def released(self, waiting: int) -> int:
        """Position of the state after the gate opened at n = l with ``waiting`` messages behind it."""
        passed = min(waiting, self.width)
        return self.blocked(self.high, waiting - passed) if passed == self.width else self.low + passed

    def solve(self, longest: int) -> NDArray[np.float64]:
        """Return the stationary probabilities with at most ``longest`` messages waiting; later ones are turned away."""
        start, end, speed = (np.array(part) for part in zip(*self._moves(longest), strict=True))
        size = self.high + (longest + 1) * self.width
        leaving = np.bincount(start, speed, size)
        rows = np.concatenate([end, np.arange(size)])
        columns = np.concatenate([start, np.arange(size)])
        flows = coo_array((np.concatenate([speed, -leaving]), (rows, columns)), shape=(size, size)).tocsr()
        # The balance equations sum to 0: the first is dropped by fixing the first probability, then all are scaled.
        rest = spsolve(flows[1:, 1:].tocsc(), -flows[1:, [0]].toarray().ravel())
        shares = np.concatenate([[1.0], rest])
        return shares / shares.sum()  # type: ignore[no-any-return]

    def _moves(self, longest: int) -> list[tuple[int, int, float]]:
        moves = []
        for n in range(self.high):
            moves.append((n, n + 1 if n + 1 < self.high else self.blocked(self.high, 0), self.load))
            if n:
                moves.append((n, n - 1, float(min(n, self.threads))))
        for waiting in range(longest + 1):
            for n in range(self.low + 1, self.high + 1):
                here = self.blocked(n, waiting)
                if waiting < longest:
                    moves.append((here, here + self.width, self.load))
                left = self.released(waiting) if n - 1 == self.low else here - 1
                moves.append((here, left, float(min(n, self.threads))))
        return moves


def _answer(chain: _Chain, shares: NDArray[np.float64], rate: float, service: float) -> ThrottleAnswer:
    opened, blocked = shares[: chain.high], shares[chain.high :].reshape(-1, chain.width)
    inside_open, inside_blocked = np.arange(chain.high), np.arange(chain.low + 1, chain.high + 1)
    by_inside = blocked.sum(axis=0)
    busy = opened @ np.minimum(inside_open, chain.threads) + by_inside @ np.minimum(inside_blocked, chain.threads)
    held_back = blocked[1:].sum(axis=0)
    in_flight = float(opened @ inside_open + by_inside @ inside_blocked)
    waiting = float(blocked.sum(axis=1) @ np.arange(len(blocked)))
    refills = blocked[chain.width :, 0].sum() * min(chain.low + 1, chain.threads)
    blocks = (opened[-1] * chain.load + refills) / service
    return ThrottleAnswer(
        throughput=float(busy) / service,
        latency=(in_flight + waiting) / rate,
        blocked_fraction=float(blocked.sum()),
        busy_threads=float(busy),
        idle_blocked_threads=float(held_back @ np.maximum(chain.threads - inside_blocked, 0)),
        blocks_per_second=float(blocks),
        in_flight=in_flight,
    )
