"""What needs no Spark: spans and their blocks, widths of windows, and queues that cannot be fitted."""

import numpy as np
import pytest

from simulations.pipeline.telemetry.fitting.questions import MOST_WINDOWS, Span, bin_time, each_fitted, window_of
from simulations.pipeline.telemetry.fitting.slices import BIN, SHORTEST
from simulations.pipeline.telemetry.reading.layouts import TelemetryRefused


def test_seventy_percent_of_the_time_is_fitted() -> None:
    span = Span(100.0, 500.0)
    assert (span.block, span.split) == (10.0, 380.0)


@pytest.mark.parametrize(
    ("seconds", "queues", "width"), [(500.0, 1, 0.01), (86_400.0, 1, 1.0), (86_400.0, 20, 60.0), (1e10, 1, 1e5)]
)
def test_windows_are_as_short_as_their_number_allows(seconds: float, queues: int, width: float) -> None:
    assert window_of(Span(0.0, seconds), queues) == width
    assert seconds * queues / width <= MOST_WINDOWS


def test_a_bin_is_named_by_its_geometric_middle() -> None:
    low, high = SHORTEST * (1 + BIN) ** 7, SHORTEST * (1 + BIN) ** 8
    assert bin_time(np.array([7]))[0] == pytest.approx((low * high) ** 0.5)


def test_a_queue_that_cannot_be_fitted_is_skipped_with_its_reason() -> None:
    def fit(value: int) -> int:
        if value < 0:
            raise TelemetryRefused(f"{value} is too little")
        return 2 * value

    assert each_fitted({"a": 1, "b": -1}, fit) == ((2,), {"b": "-1 is too little"})
    with pytest.raises(TelemetryRefused, match="-5 is too little"):
        each_fitted({"a": -5, "b": -1}, fit)
