"""Rows survive their plain form, histograms their packing, and both are small."""

from dataclasses import fields

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulations.analysis.replications.rows import ReplicationRow, compact, trim
from simulations.engine.network.results import BINS
from simulations.pipeline.archive.packing import compress, decompress, from_plain, to_plain
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


def test_a_row_is_small() -> None:
    plain = to_plain(compact(replication(SPEC, 1)))
    arrays = sum(value.nbytes for value in plain.values() if isinstance(value, np.ndarray))
    assert arrays + sum(len(part) for part in plain["histogram_counts"]) < 100_000


def test_a_row_of_a_release_that_counted_less_is_read() -> None:
    row = compact(replication(SPEC, 0))
    plain = to_plain(row) | {"counts": row.counts[..., :-1].ravel()}
    back = from_plain(plain)
    assert same(back.counts[..., :-1], row.counts[..., :-1])
    assert not back.counts[..., -1].any()


def test_sizes_that_disagree_are_refused() -> None:
    plain = to_plain(compact(replication(SPEC, 1)))
    with pytest.raises(ValueError, match="reshape"):
        from_plain(plain | {"counts": plain["counts"][:-1]})


@given(
    entries=st.lists(st.tuples(st.integers(0, BINS - 1), st.integers(1, 2**31 - 1)), max_size=20),
    segments=st.integers(1, 4),
    tight=st.booleans(),
)
def test_the_compact_form_loses_nothing(entries: list[tuple[int, int]], segments: int, *, tight: bool) -> None:
    dense = np.zeros((segments, BINS), np.int32)
    for number, (bin_, count) in enumerate(entries):
        dense[number % segments, bin_] = count
    first, kept = trim(dense)
    back = decompress(*compress(kept, tight=tight), segments, kept.shape[-1])
    again = np.zeros_like(dense)
    again[:, first : first + back.shape[-1]] = back
    assert np.array_equal(again, dense)


@pytest.mark.parametrize("width", [2, 4])
def test_a_packet_of_another_size_is_refused(width: int) -> None:
    with pytest.raises(OSError, match=r"(?i)zstd"):
        decompress(*compress(np.ones((2, 3), np.int32)), 2, width)
    with pytest.raises(ValueError, match="reshape"):
        decompress(*compress(np.ones((2, 3), np.int32), tight=True), 2, width)


def test_tight_counts_take_a_sixth_less() -> None:
    row = compact(replication(SPEC, 1))
    ((_, counts),) = row.histograms
    assert len(compress(counts, tight=True)[1]) < 5 / 6 * len(compress(counts)[1])
