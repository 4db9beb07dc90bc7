"""Whether the time of a delivery depends on how many are in process."""

import numpy as np
import pytest

from simulations.pipeline.telemetry.fitting.fit import FEWEST_DELIVERIES, dependence_fit


def shown(seed: int, slope: float, size: int = 20_000) -> tuple[dict[int, int], dict[int, int]]:
    """Deliveries of exponential times whose mean grows by ``slope`` s with each one in process, from 0.1 s at one."""
    random = np.random.default_rng(seed)
    inside = random.integers(1, 9, size)
    times = random.exponential(0.1 + slope * (inside - 1))
    started = np.bincount(inside)
    micros = np.bincount(inside, weights=times * 1e6)
    return ({n: int(started[n]) for n in range(1, 9)}, {n: int(micros[n]) for n in range(1, 9)})


def test_times_that_grow_with_the_number_in_process_are_found() -> None:
    found = dependence_fit(*shown(1, 0.01), cv=1.0)
    assert found is not None
    assert found.growth == pytest.approx(1.7, abs=2 * found.half)
    assert "with 8 in process as with 1: CPUs are shared" in found.sentence


def test_times_that_shrink_are_other_work() -> None:
    found = dependence_fit(*shown(2, -0.005), cv=1.0)
    assert found is not None
    assert found.growth < 1
    assert "the work differs" in found.sentence


def test_independent_times_and_short_logs_show_nothing() -> None:
    assert [dependence_fit(*shown(seed, 0.0), cv=1.0) for seed in range(50)] == [None] * 50
    assert dependence_fit(*shown(1, 0.05, size=FEWEST_DELIVERIES // 2), cv=1.0) is None
    assert dependence_fit({3: 5_000}, {3: 10_000_000}, cv=1.0) is None
