"""Held-out spans of a message log: all of the held-out time, or stretches of it when it holds too much."""

from itertools import pairwise

import numpy as np
import pytest

from simulations.pipeline.telemetry.fitting.questions import Span
from simulations.pipeline.telemetry.messages import held_out

SPAN = Span(1000.0, 1400.0)
COUNTS = np.full(400, 10)


def test_few_messages_are_held_out_in_one_piece() -> None:
    assert held_out(COUNTS, SPAN, 1.0, 1200) == [(1280.0, 1401.0)]
    assert held_out(COUNTS[:280], SPAN, 1.0, 1200) == [(1280.0, 1401.0)]


@pytest.mark.parametrize("most", [100, 600])
def test_of_many_messages_four_stretches_are_taken(most: int) -> None:
    spans = held_out(COUNTS, SPAN, 1.0, most)
    assert len(spans) == 4
    assert all(1280 <= start < end <= 1401 for start, end in spans)
    assert all(before[1] <= after[0] for before, after in pairwise(spans))
    messages = sum(10 * (end - start) for start, end in spans)
    assert most * 0.8 <= messages <= most * 1.2
