"""Headroom and sensitivity, against systems whose answer is known."""

from collections.abc import Generator
from typing import Any, TypeVar

import pytest

from simulations.analysis.summary import PointSummary
from simulations.pipeline.executors import InlineExecutor
from simulations.pipeline.experiments import Headroom, headroom, sensitivity, sensitivity_points, with_arrivals
from simulations.problems import InvalidInput
from simulations.scenario import parse
from tests.simulations.pipeline.doubles import BODY, SESSIONS, scenario

Answer = TypeVar("Answer")
RATE = "queues.orders.arrivals.rate"
MEAN = "queues.orders.service.mean"


def result(asked: Generator[Any, None, Answer]) -> Answer:
    """What a generator returns once all its rounds are over."""
    while True:
        try:
            next(asked)
        except StopIteration as end:
            return end.value  # type: ignore[no-any-return]


def mm18_headroom(limit: float) -> Headroom:
    """Of M/M/18 at 60 messages per second, 0.2 s each: the utilisation is 2/3."""

    def meets(summary: PointSummary) -> bool:
        return summary.status != "unstable" and summary.metrics["latency.mean"].value <= limit

    spec = scenario(horizon={"messages": 20_000}, replications={"min": 6, "max": 6})
    return result(headroom(spec, InlineExecutor(2), meets, should_stop=lambda: False, least=0.5, most=2.0))


def test_the_headroom_of_a_known_queue_is_found() -> None:
    # Erlang C: the mean latency of M/M/18 is 0.2634 s at 81/s, that is 1.35 times 60/s.
    found = mm18_headroom(0.2634)
    assert found.missed is not None
    assert found.carried < found.missed <= 1.01 * found.carried
    assert found.carried == pytest.approx(1.35, rel=0.02)


def test_too_small_from_the_start_is_said() -> None:
    found = mm18_headroom(0.1)
    assert (found.carried, found.missed) == (0.0, 0.5)


@pytest.mark.parametrize(
    ("arrivals", "doubled"),
    [
        ({"kind": "poisson", "rate": 60}, {"rate": 120.0}),
        ({"kind": "constant", "rate": 60}, {"rate": 120.0}),
        ({"kind": "renewal", "interval": {"kind": "gamma", "mean": 0.1, "cv": 2}}, {"interval.mean": 0.05}),
        (
            {"kind": "on_off", "on_rate": 90, "off_rate": 10, "mean_on": 5, "mean_off": 7},
            {"on_rate": 180.0, "off_rate": 20.0, "mean_on": 5.0},
        ),
        ({"kind": "surge", "count": 100, "at": 3, "then": 5}, {"count": 200, "at": 3.0, "then": 10.0}),
        ({"kind": "periodic_burst", "count": 40, "every": 60}, {"count": 40, "every": 30.0}),
        ({"kind": "profile", "points": [[0, 20], [60, 90]]}, {"points": ((0.0, 40.0), (60.0, 180.0))}),
        ({"kind": "trace", "source": [1, 2, 5]}, {"source": (0.5, 1.0, 2.5)}),
    ],
)
def test_twice_the_arrivals(arrivals: dict[str, Any], doubled: dict[str, Any]) -> None:
    spec = parse({**BODY, "queues": [{**BODY["queues"][0], "arrivals": arrivals}]})
    after = with_arrivals(spec, 2.0)
    for path, expected in doubled.items():
        value: Any = after.queues[0].arrivals
        for name in path.split("."):
            value = getattr(value, name)
        assert value == expected
    assert after.sweep == ()


def test_a_queue_that_is_always_full_has_no_headroom() -> None:
    spec = parse({**BODY, "queues": [{**BODY["queues"][0], "arrivals": {"kind": "saturated"}}]})
    with pytest.raises(InvalidInput, match="always full"):
        with_arrivals(spec, 2.0)


def test_the_input_that_matters_comes_first() -> None:
    ranges = {SESSIONS: (40, 60), MEAN: (0.18, 0.22), RATE: (59.9, 60.1)}
    effects = result(sensitivity(scenario(), ranges, InlineExecutor(2), should_stop=lambda: False))
    assert effects[0].path == MEAN
    assert effects[0].at_low is not None
    assert effects[0].at_high is not None
    assert effects[0].at_low.value < 0 < effects[0].at_high.value
    assert effects[-1].swing < effects[0].swing / 5


def test_the_plan_of_a_sensitivity_changes_one_input_at_a_time() -> None:
    points = sensitivity_points(scenario(), {SESSIONS: (18, 50), RATE: (50.0, 70.0)})
    assert [dict(point.overrides) for point in points] == [
        {}, {SESSIONS: 18}, {SESSIONS: 50}, {RATE: 50.0}, {RATE: 70.0},
    ]  # fmt: skip
    assert [point.index for point in points] == list(range(5))
