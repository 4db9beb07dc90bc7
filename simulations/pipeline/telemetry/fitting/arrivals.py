"""How messages arrive: the rate over time, how bursty they come, and the arrivals of a scenario that say so."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import chdtri

from simulations.pipeline.telemetry.fitting.bursts import Bursts, Counts, bursts_fit, grouped, short
from simulations.pipeline.telemetry.fitting.families import Fit, chosen
from simulations.pipeline.telemetry.fitting.questions import bin_time

Covered = NDArray[np.bool_]
MONDAY = 4 * 86_400.0
"""The first Monday after the epoch."""
MINUTE = 60.0
SIGNIFICANCE = 0.001
"""Chance of calling a steady rate changing."""
POISSON = (0.85, 1.2)
"""Indices of dispersion that are called Poisson."""
FEWEST_WINDOWS = 30
PROFILE_MESSAGES = 1_000
"""Messages of a part of a profile."""
MOST_POINTS = 288
MOST_MINUTES = 1_440


@dataclass(frozen=True)
class Arrivals:
    """What is known of a queue's arrivals. Rates in messages per second.

    ``dispersion``: variance divided by mean of the arrivals in windows, by their width in seconds; 1 for Poisson.
    ``local``: the same from neighboring windows, which a slow change of the rate does not enlarge.
    ``bursts``: two rates that take turns, where the counts show them; ``expected``: the dispersion that the process
    has, where a formula tells it.
    ``minutes``: pairs of instant (s from the start) and rate; ``week``: by hour from Monday 0:00 UTC, None = no data.
    """

    rate: float
    low: float
    high: float
    dispersion: dict[float, float]
    local: float
    bursts: Bursts | None
    expected: dict[float, float]
    steady: bool
    minutes: list[tuple[float, float]]
    week: list[float | None]
    intervals: Fit | None
    body: dict[str, Any]


def arrivals_fit(
    counts: Counts, width: float, start: float, intervals: dict[int, int], covered: Covered | None = None
) -> Arrivals:
    """Return what the arrivals in windows of ``width`` seconds from the instant ``start`` say.

    ``intervals``: bins of times between arrivals (``questions``) and how many there are; none of them in samples.
    ``covered``: windows that were watched all the time; without it all but the last, which may be cut.
    """
    if covered is None:
        covered = np.arange(len(counts)) < max(1, len(counts) - 1)
    known = counts[covered]
    total, seconds = float(known.sum()), len(known) * width
    rate = total / seconds
    local = _local(known)
    bursts = None if _smooth(known) else bursts_fit(known, width)
    spread = max(local, bursts.dispersion(seconds) if bursts else 1.0)
    half = 1.96 * (spread * total) ** 0.5 / seconds
    steady = _steady(known, width, local, bursts)
    gaps = _gaps(intervals)
    dispersion = _dispersion(known, width)
    if not steady:
        body = _profile(counts, covered, width)
    else:
        body = bursts.body if bursts else _body(known, width, rate, local, gaps)
    return Arrivals(
        rate=rate,
        low=max(0.0, rate - half),
        high=rate + half,
        dispersion=dispersion,
        local=local,
        bursts=bursts,
        expected=_expected(dispersion, body, bursts),
        steady=steady,
        minutes=_curve(counts, covered, width, min(max(MINUTE, seconds / MOST_MINUTES), seconds / FEWEST_WINDOWS)),
        week=_week(counts, covered, width, start),
        intervals=gaps,
        body=body,
    )


def _local(counts: Counts) -> float:
    """From windows with about ten arrivals: half the mean square of neighbors' differences, over the mean."""
    parts = grouped(counts, max(1, round(10 / max(counts.mean(), 1e-9))))
    if len(parts) < FEWEST_WINDOWS:
        parts = counts.astype(np.float64)
    if len(parts) < 2 or parts.mean() == 0:
        return 1.0
    return float((np.diff(parts) ** 2).mean() / 2 / parts.mean())


def _smooth(counts: Counts) -> bool:
    """Whether a line through the rates of a profile's parts leaves no more than independent arrivals around it."""
    size = max(1, len(counts) // _parts(counts))
    means = grouped(counts, size) / size
    expected = np.interp(np.arange(len(counts)), (np.arange(len(means)) + 0.5) * size, means)
    for messages in (10, PROFILE_MESSAGES // 4):
        times = max(1, round(messages / max(counts.mean(), 1e-9)))
        around, line = grouped(counts, times), grouped(expected, times)
        if len(around) < FEWEST_WINDOWS or ((around - line) ** 2).sum() > POISSON[1] * line.sum():
            return False
    return True


def _steady(counts: Counts, width: float, local: float, bursts: Bursts | None) -> bool:
    times = max(1, len(counts) // 40)
    parts = grouped(counts, times)
    if len(parts) < 3 or parts.mean() == 0:
        return True
    spread = bursts.dispersion(times * width) if bursts else max(local, 0.1)
    statistic = ((parts - parts.mean()) ** 2).sum() / (parts.mean() * spread)
    return bool(statistic <= chdtri(len(parts) - 1, SIGNIFICANCE))


def _dispersion(counts: Counts, width: float) -> dict[float, float]:
    found, times = {}, 1
    while len(counts) // times >= FEWEST_WINDOWS:
        parts = grouped(counts, times)
        if parts.mean() > 0:
            found[round(width * times, 6)] = float(parts.var() / parts.mean())
        times *= 2
    return found


def _expected(dispersion: dict[float, float], body: dict[str, Any], bursts: Bursts | None) -> dict[float, float]:
    if body["kind"] == "on_off" and bursts:
        return {at: bursts.dispersion(at) for at in dispersion}
    return dict.fromkeys(dispersion, 1.0) if body["kind"] == "poisson" else {}


def _curve(counts: Counts, covered: Covered, width: float, wanted: float) -> list[tuple[float, float]]:
    """Mean rate in steps of about ``wanted`` seconds, where at least half of the step was watched."""
    times = max(1, round(wanted / width))
    messages, watched = grouped(np.where(covered, counts, 0), times), grouped(covered.astype(np.int64), times)
    step = width * times
    return [
        (step * (index + 0.5), float(count) / (float(seen) * width))
        for index, (count, seen) in enumerate(zip(messages, watched, strict=True))
        if 2 * seen >= times
    ]


def _week(counts: Counts, covered: Covered, width: float, start: float) -> list[float | None]:
    """Mean rate of each hour of the week that the log covers; windows count to the hour of their middle."""
    middle = start + (np.flatnonzero(covered) + 0.5) * width - MONDAY
    hours = (middle // 3600 % 168).astype(np.int64)
    seconds = np.bincount(hours, minlength=168) * width
    messages = np.bincount(hours, weights=counts[covered], minlength=168)
    return [float(m / s) if s else None for m, s in zip(messages, seconds, strict=True)]


def _gaps(intervals: dict[int, int]) -> Fit | None:
    if sum(intervals.values()) < FEWEST_WINDOWS:
        return None
    counts = np.zeros(max(intervals) + 1, np.int64)
    counts[list(intervals)] = list(intervals.values())
    used = np.flatnonzero(counts)
    times, weights = bin_time(used), counts[used] / counts.sum()
    mean = float((times * weights).sum())
    cv = float(((times - mean) ** 2 * weights).sum() ** 0.5 / mean)
    return chosen(counts, mean, cv)


def _body(counts: Counts, width: float, rate: float, local: float, gaps: Fit | None) -> dict[str, Any]:
    long = list(_dispersion(counts, width).values())[-4:-3] or [local]  # from some hundreds of windows
    plain = POISSON[0] <= local <= POISSON[1] and long[0] <= 2 * POISSON[1]
    if plain or (gaps is None and counts.sum() < FEWEST_WINDOWS):
        return {"kind": "poisson", "rate": short(rate)}
    interval: dict[str, Any]
    if gaps is None and local < POISSON[0]:
        interval = {"kind": "gamma", "mean": short(1 / rate), "cv": short(max(local, 1e-4) ** 0.5)}
    elif gaps is None or max(long[0], local) > max(1.05, 1.3 * gaps.cv**2):
        cv = min(100.0, max(long[0], local) ** 0.5)
        interval = {"kind": "hyperexponential", "mean": short(1 / rate), "cv": short(cv)}
    else:
        interval = gaps.scaled(1 / rate).body
    return {"kind": "renewal", "interval": interval}


def _profile(counts: Counts, covered: Covered, width: float) -> dict[str, Any]:
    """A line through the rates of up to 288 parts, each with a thousand messages; it repeats after the log's end."""
    points = _curve(counts, covered, width, len(counts) * width / _parts(counts[covered]))
    end = len(counts) * width
    line = [(0.0, points[0][1]), *points, (end, points[-1][1])]
    return {"kind": "profile", "points": [[short(instant), short(rate)] for instant, rate in line]}


def _parts(counts: Counts) -> int:
    return max(2, min(MOST_POINTS, int(counts.sum()) // PROFILE_MESSAGES))
