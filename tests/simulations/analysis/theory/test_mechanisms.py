"""Non-ASF rollbacks and batches: the acceptance jobs' numbers and a direct simulation."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulations.analysis.theory.mechanisms import (
    admitted,
    ascent,
    batch_capacity,
    descent,
    rollback_probability,
)


@pytest.mark.parametrize(("rate", "percent"), [(1 / 600, 4.16), (1 / 60, 1.65), (1 / 10, 0.001)])
def test_rollbacks_by_arrival_rate(rate: float, percent: float) -> None:
    assert 100 * rollback_probability(rate, 110, 120, 15) == pytest.approx(percent, rel=0.1, abs=5e-3)


def test_no_rollback_below_the_safe_timeout() -> None:
    assert rollback_probability(1 / 60, 104, 120, 15) == 0
    assert rollback_probability(1 / 60, 105, 120, 15) == 0
    assert rollback_probability(1 / 60, 110, 120, 121) == 1


def test_rollbacks_against_drawn_waits() -> None:
    wait = np.random.default_rng(1).exponential(60, 4_000_000)
    received = wait[wait <= 110]  # longer waits end without a message
    share = float((received + 15 > 120).mean())
    assert rollback_probability(1 / 60, 110, 120, 15) == pytest.approx(share, rel=0.02)


@pytest.mark.parametrize(("batch", "carried"), [(1, 40.0), (2, 66.7), (5, 111.1), (10, 142.9)])
def test_two_phase_batches_of_j8(batch: int, carried: float) -> None:
    assert batch_capacity(batch, 0.005, 0.020) == pytest.approx(carried, abs=0.05)


def test_unbatched_one_phase_carries_less_than_batches_of_five() -> None:
    assert batch_capacity(1, 0.005, 0.008) == pytest.approx(76.9, abs=0.05)
    assert batch_capacity(5, 0.005, 0.020, threads=3) == pytest.approx(3 * 111.1, abs=0.1)


DOWN = [
    500,
    397.164117,
    315.478672,
    250.593617,
    199.053585,
    158.113883,
    125.594322,
    99.763116,
    79.244660,
    62.946271,
    50,
]


def test_the_defaults_decay_in_ten_steps() -> None:
    assert descent(500, 50, 10) == pytest.approx(DOWN, abs=1e-6)


def test_the_text_book_example_halves() -> None:
    assert descent(100, 12.5, 3) == pytest.approx([100, 50, 25, 12.5], abs=1e-9)


def test_the_defaults_climb_by_45() -> None:
    assert ascent(500, 50, 10) == pytest.approx([50, 95, 140, 185, 230, 275, 320, 365, 410, 455, 500], abs=1e-9)


def test_messages_admitted_in_the_first_minute() -> None:
    assert admitted(descent(500, 50, 10), 60) == pytest.approx(13127.7, abs=0.05)
    assert admitted(ascent(500, 50, 10), 60) == pytest.approx(15150)


@given(st.floats(1, 1e6), st.floats(0.001, 1), st.integers(1, 200))
def test_limits_fall_from_maximum_to_minimum_and_back(maximum: float, part: float, steps: int) -> None:
    minimum = maximum * part
    down, up = descent(maximum, minimum, steps), ascent(maximum, minimum, steps)
    assert (down[0], down[-1]) == (maximum, minimum)
    assert (up[0], up[-1]) == (minimum, maximum)
    assert list(down) == sorted(down, reverse=True)
    assert list(up) == sorted(up)
