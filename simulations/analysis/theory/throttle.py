"""The throttle as a Markov chain, solved exactly: Poisson arrivals, exponential service, c threads, marks h and l.

State: messages in flight n, gate open or blocked, messages waiting w on the destination. Open: n < h and w = 0, because
an open gate lets everything pass at once. Blocked: l < n <= h. Rules: block at n = h, open at n <= l, then admit up to
h - n of the waiting. Only w is unbounded; it is cut where its probability no longer counts.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array
from scipy.sparse.linalg import spsolve

from simulations.analysis.theory.checks import positive, stable
from simulations.analysis.theory.windows import window_throughput

CUT_PROBABILITY = 1e-10
"""Largest probability of the last waiting level that is kept."""
MOST_STATES = 2_000_000


@dataclass(frozen=True)
class ThrottleAnswer:
    """Stationary means. ``cut``: probability of the longest queue that was kept; what lies beyond is of that order."""

    throughput: float
    latency: float
    blocked_fraction: float
    busy_threads: float
    idle_blocked_threads: float
    blocks_per_second: float
    in_flight: float
    waiting: float
    cut: float


def throttle_chain(rate: float, service: float, threads: int, high: int, low: int) -> ThrottleAnswer:
    """Return the stationary answer; ``rate`` per second, mean ``service`` in seconds.

    ``idle_blocked_threads``: idle threads while the gate is blocked and messages wait behind it.
    Raises Unstable when the window carries less than arrives, ValueError for impossible numbers or a queue so close to
    saturation that its chain has more than two million states.
    """
    positive(rate=rate, service=service)
    stable(rate / window_throughput(high, low, threads, service))
    chain = _Chain(rate * service, threads, high, min(low, high - 1))
    longest = 64
    while True:
        shares = chain.solve(longest)
        cut = float(shares[chain.high + longest * chain.width :].sum())
        if cut < CUT_PROBABILITY:
            return _answer(chain, shares, rate, service, cut)
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
        if passed == self.width:
            return self.blocked(self.high, waiting - passed)
        return self.low + passed

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


def _answer(chain: _Chain, shares: NDArray[np.float64], rate: float, service: float, cut: float) -> ThrottleAnswer:
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
        waiting=waiting,
        cut=cut,
    )
