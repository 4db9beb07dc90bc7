"""Percentiles of merged histograms against sorted values, and the compact form against the dense one."""

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from simulations.analysis.replications.rows import Histogram, align, combine, edges
from simulations.engine.network.results import BINS

LATENCIES = arrays(np.float64, st.integers(1, 300), elements=st.floats(1e-6, 1e6))


def histogram(*groups: np.ndarray[tuple[int], np.dtype[np.float64]]) -> Histogram:
    at = [np.searchsorted(edges(), group, side="right") - 1 for group in groups]
    return Histogram.counted(0, np.array([np.bincount(row, minlength=BINS) for row in at], np.int64))


@given(LATENCIES, st.floats(0.01, 0.999))
@example(np.repeat([1.0, 2.0], [2, 198]), 0.010000000000000002)  # a rank just above a whole number
def test_a_percentile_lies_within_one_bin_of_the_ordered_value(values: np.ndarray, share: float) -> None:
    found = histogram(values).percentile(share)[0]
    ordered = np.sort(values)[int(np.ceil(share * len(values))) - 1]
    assert ordered / (1 + 1 / 255) <= found <= ordered * (1 + 1 / 255)


def test_interpolation_inside_a_bin_is_linear() -> None:
    low, high = edges()[5000], edges()[5001]
    one = Histogram.counted(5000, np.array([[4]]))
    assert one.percentile(0.25)[0] == pytest.approx(low + (high - low) / 4)


@given(LATENCIES, LATENCIES)
def test_merging_is_counting_together(first: np.ndarray, second: np.ndarray) -> None:
    merged = histogram(first, second).merged
    assert np.array_equal(merged.counts, histogram(np.concatenate([first, second])).counts)


def test_leaving_one_out_leaves_the_others() -> None:
    counts = np.array([[1, 0, 2], [0, 3, 0], [5, 0, 0]])
    assert Histogram.counted(7, counts).jackknifed.counts.tolist() == [[6, 3, 2], [5, 3, 0], [6, 0, 2], [1, 3, 2]]


def test_an_empty_histogram_has_no_percentile() -> None:
    assert np.isnan(Histogram.counted(0, np.zeros((1, 4), np.int64)).percentile(0.5)[0])
    assert np.isnan(Histogram.counted(0, np.zeros((1, 4), np.int64)).survival(slice(None))).all()


def test_survival_is_the_share_above_each_bin() -> None:
    assert Histogram.counted(3, np.array([[1, 0, 3]])).survival(slice(None)).tolist() == [[0.75, 0.75, 0.0]]


def test_parts_are_aligned_on_common_bins() -> None:
    first, stacked = align([(5, np.array([1, 2])), (4, np.array([3])), (0, np.zeros(0, np.int64))])
    assert first == 4
    assert stacked.tolist() == [[0, 1, 2], [3, 0, 0], [0, 0, 0]]


def test_queues_are_combined_replication_by_replication() -> None:
    both = combine([Histogram.counted(4, np.array([[1], [2]])), Histogram.counted(5, np.array([[10], [20]]))])
    assert (both.first, both.counts.tolist()) == (4, [[1, 10], [2, 20]])
