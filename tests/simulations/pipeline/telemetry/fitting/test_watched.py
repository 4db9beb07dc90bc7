"""Counts by windows: which windows count, and sums of them by blocks."""

import numpy as np
import pytest
from numpy.typing import NDArray

from simulations.pipeline.telemetry.fitting.intervals import COLUMNS
from simulations.pipeline.telemetry.fitting.questions import BLOCKS, Span
from simulations.pipeline.telemetry.fitting.sample_fit import Watched, blocks, ratio

SPAN = Span(0.0, 80.0)


def watched(**columns: NDArray[np.float64]) -> Watched:
    unknown = np.full(80, np.nan)
    return Watched("orders", (), {**dict.fromkeys(COLUMNS, unknown), "covered": np.ones(80), **columns}, 1.0)


def test_a_window_counts_when_nearly_all_of_it_was_watched() -> None:
    covered = np.ones(80)
    covered[[3, 4, 5]] = [0.99, 0.98, 0.0]
    assert np.flatnonzero(~watched(covered=covered).covered).tolist() == [4, 5]


def test_blocks_add_up_the_windows_in_which_every_column_is_known() -> None:
    busy, done = np.full(80, 2.0), np.full(80, 5.0)
    busy[:4] = np.nan
    sums = blocks(watched(), SPAN, [busy, done])
    assert sums.shape == (2, BLOCKS)
    assert sums[:, :4].tolist() == [[0.0, 0.0, 4.0, 4.0], [0.0, 0.0, 10.0, 10.0]]


def test_a_ratio_is_that_of_the_sums_and_none_without_a_count() -> None:
    item = watched(completed=np.full(80, 4.0))
    found = ratio(item, SPAN, np.arange(80.0), "completed", "s")
    assert found is not None
    assert found.value == pytest.approx(39.5 / 4)
    assert found.unit == "s"
    first = ratio(item, SPAN, np.arange(80.0), "completed", "s", chosen=slice(0, 20))
    assert first is not None
    assert first.value == pytest.approx(19.5 / 4)
    assert ratio(item, SPAN, np.arange(80.0), "deliveries", "s") is None
