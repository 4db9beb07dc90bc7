"""What is shown of a run's results."""

from dataclasses import replace

import pytest

from planner.selectors import StoredPoint, run_series
from tests.planner.conftest import summary_of


def thinned(values: list[float | None], most: int) -> tuple[list[float | None], list[float | None]]:
    course: dict[str, list[float | None]] = {"time": [float(n) for n in range(len(values))], "backlog": values}
    summary = replace(summary_of(0), timeline={"orders": course})
    found = run_series(
        point=StoredPoint(0, {}, partial=False, summary=summary), queue="orders", name="backlog", most=most
    )
    return found["time"], found["backlog"]


@pytest.mark.parametrize("peak", [0, 1, 333, 498, 999])
def test_thinning_keeps_every_peak(peak: int) -> None:
    values: list[float | None] = [1.0] * 1000
    values[peak], values[(peak + 500) % 1000] = 9.0, 0.5
    times, seen = thinned(values, 20)
    assert len(seen) <= 20
    assert {9.0, 0.5} <= set(seen)
    assert times[seen.index(9.0)] == peak
    assert times == sorted(set(times), key=lambda at: at or 0.0)


@pytest.mark.parametrize("most", [1, 2, 3, 999, 1000])
def test_there_are_never_more_than_asked_for(most: int) -> None:
    values: list[float | None] = [float(n % 7) for n in range(1000)]
    assert 1 <= len(thinned(values, most)[1]) <= most


def test_what_is_unknown_stays_unknown() -> None:
    assert thinned([None] * 100, 10)[1] == [None] * 5
    assert thinned([1.0, None, 2.0], 3)[1] == [1.0, None, 2.0]
