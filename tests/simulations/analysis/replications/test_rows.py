"""The compact row holds everything but the other replications' timelines."""

import numpy as np

from simulations.analysis.replications.rows import compact
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
