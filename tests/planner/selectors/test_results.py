"""What is shown of a run's results."""

import math
from dataclasses import replace

import pytest

from planner.selectors import StoredPoint, own_point, run_series
from simulations.scenario.spec import parse
from tests.planner.conftest import summary_of
from tests.scenarios import listener_port


def thinned(values: list[float | None], most: int) -> tuple[list[float | None], list[float | None]]:
    course: dict[str, list[float | None]] = {"time": [float(n) for n in range(len(values))], "backlog": values}
    summary = replace(summary_of(0), timeline={"orders": course})
    point = StoredPoint(0, {}, partial=False, summary=summary)
    found = run_series(point=point, queue="orders", server="", name="backlog", start=0.0, stop=math.inf, most=most)
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


def test_a_run_without_the_present_settings_opens_at_the_recommended_ones() -> None:
    path = "queues.orders.settings.maximum_sessions"
    spec = parse(listener_port("Opened", settings={"maximum_sessions": 100}))
    points = []
    for index, (sessions, p95) in enumerate({18: 0.9, 36: 0.2, 60: 0.4, 100: 0.3}.items()):
        summary = replace(summary_of(0, p95), index=index, overrides={path: sessions})
        points.append(StoredPoint(index, summary.overrides, partial=False, summary=summary))
    assert own_point(spec, points[:3]) == points[1]
    assert own_point(spec, points) == points[3]
    wrong = replace(points[0], summary=replace(points[0].summary, status="invalid", metrics={}))
    assert own_point(spec, [wrong]) is None
