"""Bursts that last: a Poisson process whose rate switches between two values (a two-state MMPP), fitted to counts.

Counts in equal windows are a hidden Markov model with Poisson emissions as long as a window is short beside both
periods; its likelihood is maximized directly (Zucchini, MacDonald and Langrock, *Hidden Markov Models for Time
Series*, 2016, chapter 3). It is taken only where it foretells the counts that it has not seen better than independent
counts do, Poisson or negative binomial.
"""

import math
from dataclasses import dataclass
from operator import itemgetter
from typing import Any

import numpy as np
import scipy  # scipy.stats loads when it is first used: half a second of each start
from numba import njit
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.special import gammaln

Counts = NDArray[np.int64] | NDArray[np.float64]
FITTED = 0.7
"""Share of the windows that the choice is fitted to; the rest judges it."""
ADVANTAGE = 5.0
"""Least advantage in log likelihood over what was held out (natural logarithm)."""
FEWEST_CYCLES = 10
"""Periods of bursts that the log must hold."""
LONGEST_WINDOW = 0.6
"""Longest window, as a share of the shorter period."""
FEWEST_WINDOWS = 200
COARSER = 8
"""Each width that is tried is so many times the one before it."""
SHARES, CYCLES = (0.1, 0.3, 0.5), (10.0, 40.0, 160.0)
"""Shares of time in bursts, and windows from one burst to the next, from which the search starts."""


@dataclass(frozen=True)
class Bursts:
    """Rates in messages per second, mean lengths of the two periods in seconds."""

    on_rate: float
    off_rate: float
    mean_on: float
    mean_off: float

    @property
    def cycle(self) -> float:
        """Mean seconds from one burst to the next."""
        return self.mean_on + self.mean_off

    @property
    def body(self) -> dict[str, Any]:
        """The arrivals of a scenario."""
        return {"kind": "on_off", **{name: short(value) for name, value in vars(self).items()}}

    def dispersion(self, seconds: float) -> float:
        """Return the variance of the arrivals in ``seconds`` divided by their mean (Fischer, Meier-Hellstern 1993)."""
        share, change = self.mean_on / self.cycle, 1 / self.mean_on + 1 / self.mean_off
        mean = share * self.on_rate + (1 - share) * self.off_rate
        spread = share * (1 - share) * (self.on_rate - self.off_rate) ** 2
        settled = 1 - (1 - math.exp(-change * seconds)) / (change * seconds)
        return 1 + 2 * spread / (mean * change) * settled


def bursts_fit(counts: Counts, width: float) -> Bursts | None:
    """Return the bursts that counts in windows of ``width`` seconds show; None where they show none that last."""
    passed = []
    while len(counts) >= FEWEST_WINDOWS:
        values = counts.astype(np.float64)
        advantage, bursts = _candidate(values, width)
        if bursts and advantage >= ADVANTAGE:
            passed.append((advantage, values, width, [bursts]))
        counts, width = grouped(counts, COARSER), width * COARSER
    return _fitted(*max(passed, key=itemgetter(0))[1:]) if passed else None


def short(value: float) -> float:
    """Return the value with eight digits, as scenarios hold it."""
    return float(f"{value:.8g}")


def grouped(counts: Counts, times: int) -> NDArray[np.float64]:
    """Return the counts of windows ``times`` as long; a last part of one is left out."""
    size = len(counts) // times
    sums: NDArray[np.float64] = counts[: size * times].reshape(size, times).sum(axis=1)
    return sums


def _candidate(counts: NDArray[np.float64], width: float) -> tuple[float, Bursts | None]:
    """Bursts, and the log likelihood of what was held out over independent counts (-inf where there are none)."""
    size = int(FITTED * len(counts))
    first, rest = counts[:size], counts[size:]
    starts = [start for share in SHARES for cycle in CYCLES if (start := _start(first, width, share, cycle * width))]
    if not starts:
        return -math.inf, None
    bursts = _fitted(first, width, starts)
    shorter = min(bursts.mean_on, bursts.mean_off)
    if width > LONGEST_WINDOW * shorter or FEWEST_CYCLES * bursts.cycle > len(counts) * width:
        return -math.inf, None
    ahead = _likelihood(counts, width, bursts) - _likelihood(first, width, bursts) - float(gammaln(rest + 1).sum())
    return ahead - _independent(first, rest), bursts


def _start(counts: NDArray[np.float64], width: float, share: float, cycle: float) -> Bursts | None:
    """Rates that have the mean and the variance of the counts when bursts fill ``share`` of each ``cycle`` seconds."""
    mean, extra = counts.mean(), counts.var() - counts.mean()
    if extra <= 0:
        return None
    gap = math.sqrt(extra / (share * (1 - share)))
    off = max(mean - share * gap, 0.02 * mean)
    on = (mean - (1 - share) * off) / share
    return Bursts(on / width, off / width, share * cycle, (1 - share) * cycle)


def _fitted(counts: NDArray[np.float64], width: float, starts: list[Bursts]) -> Bursts:
    """The likeliest bursts, from the likeliest of ``starts``."""

    def loss(logs: NDArray[np.float64]) -> float:
        return -_likelihood(counts, width, Bursts(*np.exp(logs)))

    logs = [np.log([start.on_rate, start.off_rate, start.mean_on, start.mean_off]) for start in starts]
    best = minimize(loss, min(logs, key=loss), method="Nelder-Mead", options={"xatol": 1e-3, "fatol": 0.05})
    on, off, mean_on, mean_off = (float(value) for value in np.exp(best.x))
    return Bursts(on, off, mean_on, mean_off) if on >= off else Bursts(off, on, mean_off, mean_on)


def _independent(first: NDArray[np.float64], rest: NDArray[np.float64]) -> float:
    """Log likelihood of ``rest`` for counts without memory that have the mean and the variance of ``first``."""
    mean, variance = first.mean(), first.var()
    plain = float(scipy.stats.poisson.logpmf(rest, mean).sum())
    if variance <= mean:
        return plain
    return max(plain, float(scipy.stats.nbinom.logpmf(rest, mean**2 / (variance - mean), mean / variance).sum()))


def _likelihood(counts: NDArray[np.float64], width: float, bursts: Bursts) -> float:
    """Log likelihood of the counts but for their factorials, the first state drawn from the long run."""
    values = (bursts.on_rate * width, bursts.off_rate * width, bursts.mean_on, bursts.mean_off)
    if not all(1e-12 < value < 1e12 for value in values):
        return -math.inf
    share = bursts.mean_on / bursts.cycle
    stays = math.exp(-width * (1 / bursts.mean_on + 1 / bursts.mean_off))
    return float(_forward(counts, values[0], values[1], share, stays))


@njit(cache=True)
def _forward(counts, on, off, share, stays):  # type: ignore[no-untyped-def]
    """Sum the log likelihood window by window; ``inside`` is the probability of being in a burst."""
    total, inside = 0.0, share
    change = math.log(on) - math.log(off)
    for count in counts:
        ratio = count * change - (on - off)
        weight = 1.0 / (1.0 + (1.0 - inside) / max(inside, 1e-300) * math.exp(min(-ratio, 700.0)))
        if ratio > 0:
            total += count * math.log(on) - on + math.log(inside + (1.0 - inside) * math.exp(-ratio))
        else:
            total += count * math.log(off) - off + math.log((1.0 - inside) + inside * math.exp(ratio))
        inside = share + (weight - share) * stays
    return total
