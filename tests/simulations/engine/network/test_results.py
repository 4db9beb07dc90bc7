"""The bins of the histograms, and the columns that belong together."""

import numpy as np

from simulations.engine.measures.latencies import latency_bin
from simulations.engine.network.results import (
    BINS,
    INSIDE,
    LOWEST_EXPONENT,
    OCTAVES,
    PARTS,
    SUBBINS,
    Sum,
    bin_edges,
    checked,
)


def test_the_bins_cover_their_range_in_steps_of_at_most_0_4_percent() -> None:
    edges = bin_edges()
    assert edges.size == BINS + 1
    assert (edges[0], edges[-1]) == (2.0**LOWEST_EXPONENT, 2.0 ** (LOWEST_EXPONENT + OCTAVES))
    widths = np.diff(edges) / edges[:-1]
    assert (widths > 0).all()
    assert widths.max() == 1 / SUBBINS


def test_each_edge_begins_the_bin_of_its_number() -> None:
    edges = bin_edges()
    chosen = [0, 1, SUBBINS - 1, SUBBINS, 5_000, BINS - 1]
    assert [latency_bin(float(edges[place])) for place in chosen] == chosen
    assert [latency_bin(float(np.nextafter(edges[place], 0.0))) for place in chosen[1:]] == [
        place - 1 for place in chosen[1:]
    ]
    assert [latency_bin(value) for value in (0.0, 1e-300, 1e300)] == [0, 0, BINS - 1]


def test_the_parts_are_the_latency_and_all_that_it_is_the_sum_of() -> None:
    assert PARTS[0] == Sum.LATENCY
    assert PARTS[-1] == Sum.REDELIVERY
    assert len(PARTS) == 9
    assert not set(PARTS) & set(INSIDE)


def test_a_check_passes_up_to_the_tolerance() -> None:
    assert checked("sum", 1e-9) == ("sum", True, 1e-9)
    assert checked("sum", 1.1e-9) == ("sum", False, 1.1e-9)
