"""What counts say about a queue, on counts that can be added up by hand."""

from typing import Any

import numpy as np
import pytest

from simulations.pipeline.telemetry.fitting.fit import concurrency_fit, estimates, rates_fit, service_fit
from simulations.pipeline.telemetry.fitting.questions import BLOCKS, FITTED, Seen
from simulations.pipeline.telemetry.reading.layouts import TelemetryRefused

NAMES = ("messages", "completed", "expired", "deliveries", "failures", "alone", "time", "squares")


def seen(service: int = 10, **sums: float) -> Seen:
    """Return a queue with the same sums in each block and ``service`` times in each of the bins 3000 to 3009."""
    blocks = {name: np.full(BLOCKS, float(sums.get(name, 0.0))) for name in NAMES}
    times = np.zeros((BLOCKS, 3010), np.int64)
    times[:, 3000:] = service
    nothing = np.zeros((BLOCKS, 1), np.int64)
    return Seen("orders", {"a": 1}, blocks, times, nothing, np.zeros(1, np.int64), {}, 1)


def test_rates_are_shares_of_deliveries_and_of_messages() -> None:
    failure, again, expired = rates_fit(seen(messages=10, deliveries=12, failures=3, expired=1))
    assert [failure.value, again.value, expired.value] == pytest.approx([0.25, 0.2, 0.1])
    assert [failure.low, failure.high] == pytest.approx([0.25, 0.25])


def test_moments_come_from_the_fitted_blocks_only() -> None:
    queue = seen(alone=100, time=20.0, squares=5.0)
    for name in ("alone", "time", "squares"):
        queue.blocks[name][FITTED:] = 1e9
    _, families, mean, cv = service_fit(queue)
    assert [mean.value, cv.value] == pytest.approx([0.2, 0.5])
    assert (mean.unit, cv.unit) == ("s", "1")
    assert {family.kind for family in families} >= {"exponential", "lognormal"}


@pytest.mark.parametrize(
    ("queue", "reason"),
    [
        (seen(service=0, alone=1, time=1, squares=1), "0 messages were completed"),
        (seen(alone=100), "processed in no time"),
    ],
)
def test_too_little_is_refused_with_the_name_of_the_queue(queue: Seen, reason: str) -> None:
    with pytest.raises(TelemetryRefused, match=f"queue 'orders': .*{reason}"):
        service_fit(queue)


@pytest.mark.parametrize(
    ("answers", "expected"),
    [
        ({"busy": {4: 20, 5: 60, 6: 20}, "started": {6: 3}}, (5, True, 0.6, 100)),
        ({"busy": {4: 50, 5: 50}}, (5, True, 0.5, 100)),
        ({"busy": {9: 29}, "started": {2: 5, 7: 1}}, (7, False, 0.0, 29)),
        ({}, (1, False, 0.0, 0)),
    ],
)
def test_threads_are_the_commonest_number_in_a_crowd(answers: dict[str, Any], expected: tuple[object, ...]) -> None:
    found = concurrency_fit(answers)
    assert (found.threads, found.limited, found.share, found.starts) == expected


def test_blocks_without_their_first_column_do_not_count() -> None:
    columns = np.array([[1.0] * 6 + [0.0] * 2, [2.0, 4.0] * 3 + [1e9] * 2])

    def ratio(sums: np.ndarray) -> np.ndarray:
        return np.array([sums[1] / sums[0]])

    (found,) = estimates(columns, ratio, ("s",))
    assert found.value == 3.0
    assert found.low is not None
    assert found.high is not None
    assert 0 < found.low < 3.0 < found.high
    (few,) = estimates(columns[:, :4], ratio, ("s",))
    assert (few.value, few.low, few.high) == (3.0, None, None)
