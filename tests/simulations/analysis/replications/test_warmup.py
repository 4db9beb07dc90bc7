"""The warm-up rule finds a built-in start and leaves a steady series alone."""

from dataclasses import replace

import numpy as np
import pytest

from simulations.analysis.replications.rows import compact, stacked
from simulations.analysis.replications.warmup import automatic, averaged, fixed, mser
from simulations.engine.network.results import Count, PoolSum
from tests.simulations.analysis.synthetic import network, replication

ROWS = [compact(replication(network(18, 81, 0.2, messages=8000), number)) for number in range(3)]
STACK = stacked(ROWS)


def brute_force(values: np.ndarray, batch: int) -> int:
    batches = len(values) // batch
    means = [values[k * batch : (k + 1) * batch].mean() for k in range(batches)]
    errors = [
        ((np.array(means[d:]) - np.mean(means[d:])) ** 2).sum() / (batches - d) ** 2 for d in range(batches // 2 + 1)
    ]
    return int(np.argmin(errors)) * batch


@pytest.mark.parametrize("seed", range(20))
def test_the_rule_is_the_published_one(seed: int) -> None:
    random = np.random.default_rng(seed)
    values = random.normal(0, 1, 503) - 4 * np.exp(-np.arange(503) / random.uniform(1, 80))
    assert mser(values) == brute_force(values, 5)


def test_a_ramp_is_cut_away() -> None:
    values = np.concatenate([np.linspace(0, 10, 200), np.full(800, 10.0)]) + np.random.default_rng(1).normal(
        0, 0.1, 1000
    )
    assert 150 <= mser(values) <= 210


def test_a_constant_series_is_not_cut() -> None:
    assert mser(np.full(1000, 0.1) * 3) == 0


def test_of_cuts_that_are_equal_but_for_rounding_the_first_is_taken() -> None:
    noise = np.random.default_rng(1).choice([-1e-16, 0.0, 1e-16], 1000)
    values = np.concatenate([np.linspace(0, 1, 40), np.ones(960)]) * (1 + noise) * 0.3
    assert mser(values) == 40


def test_a_series_of_a_few_groups_is_not_cut() -> None:
    assert mser(np.arange(19.0)) == 0


def test_replications_with_other_group_sizes_are_averaged_on_the_coarsest() -> None:
    fine = np.array([[1, 1.0], [1, 3.0], [1, 5.0], [1, 7.0]])
    coarse = np.array([[2, 8.0], [2, 16.0], [0, 0.0], [0, 0.0]])
    assert averaged(np.stack([fine, coarse])).tolist() == [(4 + 8) / 4, (12 + 16) / 4]


def test_a_queue_without_messages_has_no_series() -> None:
    assert averaged(np.zeros((2, 4, 2))).size == 0


def test_at_least_one_and_at_most_half_of_the_segments_go() -> None:
    cut = automatic(STACK)
    assert 1 <= cut.segments <= 8
    assert cut.fraction == cut.segments / 16
    assert cut.seconds == pytest.approx(np.mean([row.durations[: cut.segments].sum() for row in ROWS]))


def test_a_given_length_is_rounded_up_to_a_segment() -> None:
    segment = float(np.mean([row.durations[0] for row in ROWS]))
    assert fixed(STACK, 0).segments == 0
    assert fixed(STACK, 0.5 * segment).segments == 1
    assert fixed(STACK, segment).segments == 1
    assert fixed(STACK, 1.01 * segment).segments == 2


def test_a_warmup_longer_than_the_run_leaves_one_segment_and_says_so() -> None:
    cut = fixed(STACK, 1e9)
    assert (cut.segments, cut.at_limit) == (15, True)


@pytest.mark.parametrize(
    ("growth", "verdict"), [(0.0, "settled"), (0.002, "settled"), (-0.03, "short"), (0.03, "short")]
)
def test_a_run_that_still_gets_faster_or_slower_at_its_end_is_too_short(growth: float, verdict: str) -> None:
    """Three replications of equal latencies; segments last 1 s ± 1 %, and by ``growth`` more from one to the next."""
    pace = (1 + growth) ** np.arange(16) * np.random.default_rng(3).normal(1, 0.01, (3, 16))
    steady = replace(STACK, durations=pace, series=np.ones_like(STACK.series))
    assert automatic(steady).at_limit is (verdict == "short")


@pytest.mark.parametrize(("last", "verdict"), [(1_000, "settled"), (600, "short")])
def test_a_run_whose_producers_are_still_slowed_down_is_too_short(last: int, verdict: str) -> None:
    """As many messages are completed in each segment; flow control lets in 1,000 at first and ``last`` at the end."""
    counts = STACK.counts.copy()
    counts[..., Count.ADMITTED] = np.linspace(1_000, last, 16)[np.newaxis, :, np.newaxis]
    steady = replace(STACK, counts=counts, durations=np.ones((3, 16)), series=np.ones_like(STACK.series))
    assert automatic(steady).at_limit is (verdict == "short")


@pytest.mark.parametrize("started", [0, 4, 12])
def test_nothing_is_steady_while_threads_are_started(started: int) -> None:
    """Latencies are all the same; the last thread of ten comes with a segment, or after half of them."""
    spent = np.zeros_like(STACK.pool_sums)
    spent[..., PoolSum.BUSY] = np.where(np.arange(16) < started, 9, 10)[np.newaxis, :, np.newaxis]
    cut = automatic(replace(STACK, pool_sums=spent, durations=np.ones((3, 16)), series=np.ones_like(STACK.series)))
    assert (cut.segments, cut.at_limit) == {0: (1, False), 4: (4, False), 12: (8, True)}[started]
