"""The compact row holds everything but the other replications' timelines; rows side by side are what they were."""

import numpy as np
import pytest

from simulations.analysis.replications.rows import compact, stacked
from simulations.engine.network.results import BINS, SEGMENTS
from tests.simulations.analysis.synthetic import network, replication

SPEC = network(18, 81, 0.2)


def test_the_histogram_is_complete() -> None:
    result = replication(SPEC, 1)
    first, counts = compact(result).histograms[0]
    dense = np.zeros((SEGMENTS, BINS), np.int32)
    dense[:, first : first + counts.shape[-1]] = counts
    assert np.array_equal(dense, result.histograms[:, 0])


def test_only_the_first_replication_shows_its_path() -> None:
    assert len(compact(replication(SPEC, 0)).timeline_at) == 1000
    assert len(compact(replication(SPEC, 1)).timeline_at) == 0


def test_nothing_of_the_dense_result_stays_in_memory() -> None:
    result = replication(SPEC, 1)
    row = compact(result)
    assert not np.shares_memory(row.histograms[0][1], result.histograms)
    assert row.timeline.base is None
    assert row.timeline_at.base is None


SHORT = network(18, 81, 0.2, messages=2_000)
ROWS = [compact(replication(SHORT, number)) for number in range(4)]


def test_the_order_is_that_of_the_numbers() -> None:
    stack = stacked([ROWS[2], ROWS[0], ROWS[3]])
    assert [row.replication for row in stack.rows] == [0, 2, 3]
    for place, row in enumerate(stack.rows):
        for name in ("counts", "sums", "pool_sums", "durations", "extremes", "per_instance", "series"):
            np.testing.assert_array_equal(getattr(stack, name)[place], getattr(row, name))


def test_histograms_lie_on_common_bins() -> None:
    stack = stacked(ROWS)
    first, counts = stack.histograms[0]
    for place, (start, own) in enumerate(row.histograms[0] for row in ROWS):
        inside = slice(start - first, start - first + own.shape[1])
        np.testing.assert_array_equal(counts[place, :, inside], own)
        assert counts[place].sum() == own.sum() == stack.messages[0][place].sum()


def test_each_replication_is_there_once() -> None:
    with pytest.raises(ValueError, match="at least one"):
        stacked([])
    with pytest.raises(ValueError, match=r"twice among \[0, 1, 1\]"):
        stacked([ROWS[1], ROWS[0], ROWS[1]])
