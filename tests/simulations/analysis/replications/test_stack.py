"""Replications side by side are the rows they were made of."""

import numpy as np
import pytest

from simulations.analysis.replications.rows import compact
from simulations.analysis.replications.stack import stacked
from tests.simulations.analysis.synthetic import network, replication

SPEC = network(18, 81, 0.2, messages=2_000)
ROWS = [compact(replication(SPEC, number)) for number in range(4)]


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
