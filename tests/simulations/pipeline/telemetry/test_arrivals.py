"""What arrivals are called: steady, bursty or changing with time."""

import math

import numpy as np
import pytest
from numpy.typing import NDArray

from simulations.pipeline.telemetry.arrivals import MONDAY, Arrivals, arrivals_fit
from simulations.pipeline.telemetry.slices import BIN, SHORTEST
from simulations.scenario import parse
from tests.planner.conftest import SURGE

WIDTH = 1.0


def fitted(instants: NDArray[np.float64], start: float = 0.0) -> Arrivals:
    counts = np.bincount(np.floor(instants / WIDTH).astype(np.int64))
    bins = np.floor(np.log(np.maximum(np.diff(instants), SHORTEST) / SHORTEST) / math.log1p(BIN)).astype(int)
    found = dict(zip(*(part.tolist() for part in np.unique(bins, return_counts=True)), strict=True))
    fit = arrivals_fit(counts.astype(np.int64), WIDTH, start, found)
    parse({**SURGE, "queues": [{**SURGE["queues"][0], "arrivals": fit.body}], "sweep": []})
    return fit


def test_independent_arrivals_are_poisson() -> None:
    fit = fitted(np.random.default_rng(1).exponential(1 / 40, 80_000).cumsum())
    assert (fit.body["kind"], fit.steady) == ("poisson", True)
    assert fit.low <= 40 <= fit.high
    assert all(index == pytest.approx(1, abs=0.35) for index in fit.dispersion.values())


def test_regular_arrivals_are_a_renewal_process_with_their_variation() -> None:
    fit = fitted(np.random.default_rng(2).gamma(8, 1 / 320, 80_000).cumsum())
    assert fit.body["kind"] == "renewal"
    assert fit.body["interval"]["kind"] == "gamma"
    assert fit.body["interval"]["cv"] == pytest.approx(8**-0.5, rel=0.05)
    assert fit.local < 0.3


def test_bursts_are_a_renewal_process_of_large_variation() -> None:
    starts = np.random.default_rng(3).exponential(2.0, 4_000).cumsum()
    fit = fitted(np.sort((starts[:, None] + np.arange(20) * 0.001).ravel()))
    assert fit.body["kind"] == "renewal"
    assert fit.intervals is not None
    assert fit.intervals.cv > 3
    assert fit.local > 10


def test_a_rate_that_swings_becomes_a_profile_that_follows_it() -> None:
    random = np.random.default_rng(4)
    seconds = 4_000
    rates = 40 * (1 + 0.6 * np.sin(np.arange(seconds) / seconds * math.tau))
    instants = np.sort(np.concatenate([second + random.random(random.poisson(r)) for second, r in enumerate(rates)]))
    fit = fitted(instants)
    assert (fit.body["kind"], fit.steady) == ("profile", False)
    assert fit.local == pytest.approx(1, abs=0.15)
    points = np.array(fit.body["points"])
    truth = 40 * (1 + 0.6 * np.sin(points[:, 0] / seconds * math.tau))
    assert np.abs(points[1:-1, 1] - truth[1:-1]).max() < 6


def test_hours_of_the_week_are_counted_from_monday() -> None:
    instants = np.concatenate([np.linspace(0, 3599, 3_600), np.linspace(3_600, 7_199, 7_200)])
    fit = fitted(instants, start=MONDAY + 7 * 86_400 + 2 * 3_600)
    assert [hour for hour, rate in enumerate(fit.week) if rate is not None] == [2, 3]
    assert fit.week[2] == pytest.approx(1, rel=0.01)
    assert fit.week[3] == pytest.approx(2, rel=0.01)
