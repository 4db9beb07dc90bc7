"""The compact row holds everything but the other replications' timelines, and is small."""

from dataclasses import fields

import numpy as np
import pytest

from simulations.analysis.rows import ReplicationRow, compact, from_plain, to_plain
from simulations.engine.results import BINS, SEGMENTS
from tests.simulations.analysis.synthetic import network, replication

SPEC = network(18, 81, 0.2)


def same(left: object, right: object) -> bool:
    if isinstance(left, np.ndarray):
        return np.array_equal(left, right, equal_nan=True)  # type: ignore[arg-type]
    if isinstance(left, tuple) and isinstance(right, tuple):
        return len(left) == len(right) and all(same(a, b) for a, b in zip(left, right, strict=True))
    return left == right


@pytest.mark.parametrize("number", [0, 3])
def test_a_row_survives_its_plain_form(number: int) -> None:
    row = compact(replication(SPEC, number))
    back = from_plain(to_plain(row))
    assert [
        field.name for field in fields(ReplicationRow) if not same(getattr(row, field.name), getattr(back, field.name))
    ] == []


def test_lists_of_a_table_are_as_good_as_arrays() -> None:
    plain = to_plain(compact(replication(SPEC, 0)))
    listed = {key: value.tolist() if isinstance(value, np.ndarray) else value for key, value in plain.items()}
    assert same(from_plain(listed).sums, from_plain(plain).sums)


def test_the_histogram_is_complete() -> None:
    result = replication(SPEC, 1)
    first, counts = compact(result).histograms[0]
    dense = np.zeros((SEGMENTS, BINS), np.int32)
    dense[:, first : first + counts.shape[-1]] = counts
    assert np.array_equal(dense, result.histograms[:, 0])


def test_only_the_first_replication_shows_its_path() -> None:
    assert len(compact(replication(SPEC, 0)).timeline_at) == 1000
    assert len(compact(replication(SPEC, 1)).timeline_at) == 0


def test_a_row_is_small() -> None:
    plain = to_plain(compact(replication(SPEC, 1)))
    arrays = sum(value.nbytes for value in plain.values() if isinstance(value, np.ndarray))
    assert arrays + sum(len(part) for part in plain["histogram_counts"]) < 100_000


def test_sizes_that_disagree_are_refused() -> None:
    plain = to_plain(compact(replication(SPEC, 1)))
    with pytest.raises(ValueError, match="reshape"):
        from_plain(plain | {"counts": plain["counts"][:-1]})
