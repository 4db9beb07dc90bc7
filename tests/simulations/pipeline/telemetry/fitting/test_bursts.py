"""Bursts: found where they are, with their rates and lengths, and nowhere else."""

import numpy as np
import pytest
from numpy.typing import NDArray

from simulations.pipeline.telemetry.fitting.bursts import Bursts, bursts_fit, grouped

WIDTH = 0.1
HOUR = 3_600.0


def switching(seed: int, truth: Bursts, seconds: float = HOUR) -> NDArray[np.float64]:
    """Return the instants of a Poisson process that switches between the two rates of ``truth``."""
    random = np.random.default_rng(seed)
    parts, now, on = [], 0.0, bool(random.random() < truth.mean_on / truth.cycle)
    while now < seconds:
        length = random.exponential(truth.mean_on if on else truth.mean_off)
        count = random.poisson((truth.on_rate if on else truth.off_rate) * length)
        parts.append(now + np.sort(random.random(count)) * length)
        now, on = now + length, not on
    instants = np.concatenate(parts)
    return np.asarray(instants[instants < seconds], np.float64)


def counted(instants: NDArray[np.float64]) -> NDArray[np.int64]:
    return np.bincount(np.floor(instants / WIDTH).astype(np.int64)).astype(np.int64)


@pytest.mark.parametrize(
    "truth",
    [Bursts(100, 10, 0.5, 2.0), Bursts(80, 20, 5.0, 20.0), Bursts(60, 20, 40.0, 80.0), Bursts(50, 30, 10.0, 10.0)],
    ids=lambda truth: f"{truth.mean_on} s",
)
def test_rates_and_lengths_of_bursts_are_found(truth: Bursts) -> None:
    fit = bursts_fit(counted(switching(3, truth)), WIDTH)
    assert fit is not None
    assert fit.on_rate == pytest.approx(truth.on_rate, rel=0.1)
    assert fit.off_rate == pytest.approx(truth.off_rate, rel=0.15)
    cycles = HOUR / truth.cycle
    assert fit.mean_on == pytest.approx(truth.mean_on, rel=0.2 + 3 / cycles**0.5)
    assert fit.mean_off == pytest.approx(truth.mean_off, rel=0.2 + 3 / cycles**0.5)


def test_the_dispersion_of_the_formula_is_that_of_the_counts() -> None:
    truth = Bursts(80, 20, 5.0, 20.0)
    counts = np.concatenate([counted(switching(seed, truth))[:35_000] for seed in range(20)])
    for times in (1, 10, 100, 1_000):
        parts = grouped(counts, times)
        assert parts.var() / parts.mean() == pytest.approx(truth.dispersion(times * WIDTH), rel=0.12)


def test_independent_arrivals_show_no_bursts() -> None:
    found = [bursts_fit(np.random.default_rng(seed).poisson(2.0, 20_000), WIDTH) for seed in range(20)]
    assert found == [None] * 20


def test_irregular_times_without_memory_are_no_bursts() -> None:
    random = np.random.default_rng(5)
    assert bursts_fit(counted(random.gamma(4.0, 1 / 80, 60_000).cumsum()), WIDTH) is None
    assert bursts_fit(counted(random.lognormal(-3.5, 1.0, 60_000).cumsum()), WIDTH) is None


def test_a_log_of_few_bursts_or_few_windows_says_nothing_of_them() -> None:
    assert bursts_fit(counted(switching(3, Bursts(60, 20, 300.0, 600.0))), WIDTH) is None
    assert bursts_fit(np.array([0, 9] * 50), WIDTH) is None
    assert bursts_fit(np.zeros(1_000, np.int64), WIDTH) is None


def test_the_arrivals_of_a_scenario() -> None:
    body = Bursts(100.123456789, 0.5, 2.0, 3.0).body
    assert body == {"kind": "on_off", "on_rate": 100.12346, "off_rate": 0.5, "mean_on": 2.0, "mean_off": 3.0}
