"""Message logs of systems of many kinds whose truth is hidden, at any load; made without the engine and the fitter."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
from numba import njit

from simulations.analysis.replications.measures import Floats
from tests.synthetic.messages import EPOCH

ON_SHARE, ON_TO_OFF = 0.25, 3.0
"""Share of time in bursts, and their rate relative to that between them."""
PARETO = 2.2
"""Exponent of the tail of ``pareto`` times."""
SLOW_SHARE, SLOW = 0.2, 6.0
"""Share of the slow class of ``classes``, and its mean relative to that of the fast one."""
NEVER = 10**6
"""A number of cores or connections that nobody waits for."""
GAP = (0.30, 0.33)
"""Share of the log's time that is lost where it has a gap."""


@dataclass(frozen=True)
class System:
    """A system: everything that decides its log. Times in seconds, rates in messages per second.

    ``cycle``: mean time from one burst to the next, 0 without; ``swing`` and ``period`` of a sine of the rate;
    ``batch``: mean messages that come at once. ``cores`` are shared by what is on threads; every message needs one of
    ``connections`` for ``downstream`` of its time. ``skew``: how late the clock of arrivals is; ``gap``: a part of the
    log is lost.
    """

    title: str
    messages: int
    rate: float
    mean: float
    threads: int
    seed: int
    service: str = "exponential"
    cv: float = 1.0
    cycle: float = 0.0
    swing: float = 0.0
    period: float = 1.0
    batch: float = 1.0
    cores: int = NEVER
    connections: int = NEVER
    downstream: float = 0.0
    skew: float = 0.0
    gap: bool = False


def logged(system: System) -> pa.Table:
    """Return the system's log at its own load, with its defects, in the order of arrival."""
    arrivals, starts, ends = served(system, 1.0, system.messages, system.seed)
    kept = np.ones(len(arrivals), np.bool_)
    if system.gap:
        kept = (arrivals < GAP[0] * arrivals[-1]) | (arrivals > GAP[1] * arrivals[-1])
    columns: dict[str, Any] = {
        "arrival": EPOCH + arrivals[kept] + system.skew,
        "start": EPOCH + starts[kept],
        "end": EPOCH + ends[kept],
        "queue": ["orders"] * int(kept.sum()),
    }
    return pa.table(columns)


def true_p95(system: System, load: float, times: int = 5) -> float:
    """Return the p95 of latency in seconds at ``load`` times the rate, from ``times`` logs of other chances in one."""
    arrivals, _, ends = served(system, load, times * system.messages, system.seed + 1_000_003)
    return float(np.quantile(ends - arrivals, 0.95))


def served(system: System, load: float, messages: int, seed: int) -> tuple[Floats, Floats, Floats]:
    """Return instants of arrival, start and end of about so many messages, in seconds from the beginning."""
    random = np.random.default_rng(seed)
    arrivals = _arrivals(system, load, messages, random)
    demands = _demands(system, len(arrivals), random)
    starts, ends = np.empty(len(arrivals)), np.empty(len(arrivals))
    away = demands * system.downstream
    _serve(arrivals, demands - away, away, system.threads, system.cores, system.connections, starts, ends)
    return arrivals, starts, ends


def _arrivals(system: System, load: float, messages: int, random: np.random.Generator) -> Floats:
    """A Poisson process at the highest rate, thinned to the rate of each instant; then batches."""
    seconds = messages / (system.rate * load)
    highest = _highest(system)
    count = random.poisson(seconds * system.rate * load * highest / system.batch)
    instants = np.sort(random.random(count)) * seconds
    if system.cycle:
        kept = random.random(count) * highest < _bursts(system, instants, seconds, random)
        instants = instants[kept]
    elif system.swing:
        wave = 1 + system.swing * np.sin(2 * np.pi * instants / system.period)
        instants = instants[random.random(count) * highest < wave]
    if system.batch > 1:
        instants = np.repeat(instants, random.geometric(1 / system.batch, len(instants)))
    return instants


def _highest(system: System) -> float:
    """The highest rate relative to the mean."""
    if system.cycle:
        return ON_TO_OFF / (ON_SHARE * ON_TO_OFF + 1 - ON_SHARE)
    return 1 + system.swing


def _bursts(system: System, instants: Floats, seconds: float, random: np.random.Generator) -> Floats:
    """The relative rate at each instant of a process that switches between two rates."""
    size = int(3 * seconds / system.cycle) + 20
    lengths = np.empty(2 * size)
    lengths[0::2] = random.exponential(system.cycle * (1 - ON_SHARE), size)
    lengths[1::2] = random.exponential(system.cycle * ON_SHARE, size)
    on = np.searchsorted(lengths.cumsum(), instants) % 2 == 1
    off_rate = 1 / (ON_SHARE * ON_TO_OFF + 1 - ON_SHARE)
    return np.where(on, ON_TO_OFF * off_rate, off_rate)


def _demands(system: System, size: int, random: np.random.Generator) -> Floats:
    mean = system.mean
    match system.service:
        case "lognormal":
            return _lognormal(mean, system.cv, size, random)
        case "pareto":
            return mean * (PARETO - 1) / PARETO * (1 + random.pareto(PARETO, size))
        case "classes":
            fast = mean / (SLOW_SHARE * SLOW + 1 - SLOW_SHARE)
            slow = random.random(size) < SLOW_SHARE
            return _lognormal(1.0, 0.3, size, random) * np.where(slow, SLOW * fast, fast)
        case _:
            return random.exponential(mean, size)


def _lognormal(mean: float, cv: float, size: int, random: np.random.Generator) -> Floats:
    spread = np.log1p(cv**2)
    return random.lognormal(np.log(mean) - spread / 2, spread**0.5, size)


@njit(cache=True)
def _serve(  # type: ignore[no-untyped-def] # noqa: C901
    arrivals, own, away, threads, cores, connections, starts, ends
):
    """Messages take threads in order, share the cores, then wait for a connection in order and hold it."""
    left, message, phase = np.zeros(threads), np.zeros(threads, np.int64), np.zeros(threads, np.int64)
    line, first, last = np.zeros(threads + 1, np.int64), 0, 0
    now, come, begun, done, computing, held = 0.0, 0, 0, 0, 0, 0
    while done < len(arrivals):
        speed = 1.0 if computing <= cores else cores / computing
        step, which = np.inf, -1
        if come < len(arrivals):
            step = arrivals[come] - now
        for thread in range(threads):
            if phase[thread] == 1 or phase[thread] == 3:
                needed = left[thread] / speed if phase[thread] == 1 else left[thread]
                if needed < step:
                    step, which = needed, thread
        now += step
        for thread in range(threads):
            if phase[thread] == 1:
                left[thread] -= step * speed
            elif phase[thread] == 3:
                left[thread] -= step
        if which < 0:
            come += 1
        elif phase[which] == 1 and away[message[which]] > 0:
            computing -= 1
            phase[which] = 2
            line[last] = which
            last = (last + 1) % (threads + 1)
        else:
            computing -= phase[which] == 1
            held -= phase[which] == 3
            ends[message[which]] = now
            phase[which] = 0
            done += 1
        while first != last and held < connections:
            thread = line[first]
            first = (first + 1) % (threads + 1)
            phase[thread], left[thread] = 3, away[message[thread]]
            held += 1
        for thread in range(threads):
            if begun < come and phase[thread] == 0:
                phase[thread], message[thread], left[thread] = 1, begun, own[begun]
                starts[begun] = now
                computing += 1
                begun += 1


def hidden_system(number: int, messages: int) -> System:
    """Return the system of that number; kinds take turns, everything else is drawn."""
    random = np.random.default_rng(91_000 + number)
    title = list(KINDS)[number % len(KINDS)]
    threads = int(random.integers(3, 13))
    mean = float(10 ** random.uniform(-1.3, -0.3))
    load = float(random.uniform(0.35, 0.55))
    more = KINDS[title](random, threads, mean, messages)
    settings = {"rate": load * threads / mean, "mean": mean, "threads": threads, **more}
    return System(title=title, messages=messages, seed=number, **settings)


def _burst(cycle: float) -> Any:
    """Bursts of a scale: a system slow enough that the log holds a hundred of them."""

    def made(random: np.random.Generator, threads: int, mean: float, messages: int) -> dict[str, Any]:
        rate = min(0.4 * threads / mean, messages / (100 * cycle))
        return {"cycle": cycle, "rate": rate, "mean": 0.4 * threads / rate}

    return made


def _profile(random: np.random.Generator, threads: int, mean: float, messages: int) -> dict[str, Any]:
    rate = 0.4 * threads / mean
    return {"swing": 0.5, "period": messages / rate / 4, "rate": rate}


def _two_limits(random: np.random.Generator, threads: int, mean: float, messages: int) -> dict[str, Any]:
    connections = max(2, threads // 2)
    return {"connections": connections, "downstream": 0.6, "rate": 0.5 * connections / (0.6 * mean)}


def _shared_cpu(random: np.random.Generator, threads: int, mean: float, messages: int) -> dict[str, Any]:
    cores = max(2, threads // 2)
    return {"cores": cores, "rate": 0.55 * cores / mean}


KINDS: dict[str, Any] = {
    "Poisson": lambda *_: {},
    "bursts of 0.2 s": _burst(0.8),
    "bursts of 2 s": _burst(8.0),
    "bursts of 15 s": _burst(60.0),
    "bursts of 60 s": _burst(240.0),
    "daily profile": _profile,
    "batches": lambda *_: {"batch": 4.0},
    "two limits": _two_limits,
    "heavy tail": lambda *_: {"service": "pareto"},
    "two classes": lambda *_: {"service": "classes"},
    "shared CPU": _shared_cpu,
    "lognormal, gap in the log": lambda *_: {"service": "lognormal", "cv": 1.5, "gap": True},
    "clocks 30 to 200 ms apart": lambda random, *_: {"skew": float(random.uniform(0.03, 0.2))},
}
"""What is special about a system -> its own settings, from chance, threads, mean time and messages."""
