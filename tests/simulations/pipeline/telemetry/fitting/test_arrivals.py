"""What arrivals are called: steady, bursty or changing with time."""

import math

import numpy as np
import pytest
from numpy.typing import NDArray

from simulations.pipeline.telemetry.fitting.arrivals import MONDAY, Arrivals, arrivals_fit
from simulations.pipeline.telemetry.fitting.slices import BIN, SHORTEST
from simulations.scenario.spec import parse
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
    for width, index in fit.dispersion.items():
        assert index == pytest.approx(1, abs=4 * (2 * width / 2_000) ** 0.5)
    assert fit.expected == dict.fromkeys(fit.dispersion, 1.0)


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


def test_windows_that_were_not_watched_count_as_unknown_and_not_as_empty() -> None:
    counts = np.random.default_rng(5).poisson(40, 2_000).astype(np.float64)
    covered = np.ones(2_000, np.bool_)
    covered[500:900] = False
    counts[500:900] = 0
    fit = arrivals_fit(counts, WIDTH, MONDAY, {}, covered)
    assert fit.low <= 40 <= fit.high
    assert (fit.body["kind"], fit.steady) == ("poisson", True)
    assert not any(530 < time < 870 for time, _ in fit.minutes)
    assert fit.week[0] == pytest.approx(40, rel=0.02)


@pytest.mark.parametrize(("per_burst", "kind"), [(20, "hyperexponential"), (1, "poisson")])
def test_bursts_shorter_than_a_window_show_in_counts_alone(per_burst: int, kind: str) -> None:
    """The index of dispersion of equal bursts that come by chance is their size, and the squared variation too."""
    counts = per_burst * np.random.default_rng(6).poisson(40 / per_burst, 4_000).astype(np.float64)
    fit = arrivals_fit(counts, WIDTH, 0.0, {})
    body = fit.body.get("interval", fit.body)
    assert body["kind"] == kind
    assert fit.local == pytest.approx(per_burst, rel=0.1)
    if per_burst > 1:
        assert body["cv"] ** 2 == pytest.approx(per_burst, rel=0.2)


def test_arrivals_more_regular_than_chance_show_in_counts_alone() -> None:
    instants = np.random.default_rng(7).gamma(8, 1 / 320, 80_000).cumsum()
    fit = arrivals_fit(np.bincount(np.floor(instants).astype(np.int64)), WIDTH, 0.0, {})
    assert (fit.body["kind"], fit.body["interval"]["kind"]) == ("renewal", "gamma")
    assert fit.body["interval"]["cv"] ** 2 == pytest.approx(1 / 8, rel=0.2)


def test_short_logs_that_are_a_little_regular_make_a_scenario() -> None:
    kinds = {fitted(np.random.default_rng(seed).gamma(1.5, 1 / 60, 400).cumsum()).body["kind"] for seed in range(40)}
    assert kinds == {"renewal", "poisson"}


def test_a_smooth_swing_of_the_rate_is_no_burst() -> None:
    seconds, random = 2_000, np.random.default_rng(8)
    instants = np.sort(random.random(120_000)) * seconds
    kept = random.random(len(instants)) * 1.5 < 1 + 0.5 * np.sin(instants / 500 * math.tau)
    fit = fitted(instants[kept])
    assert (fit.body["kind"], fit.bursts) == ("profile", None)
