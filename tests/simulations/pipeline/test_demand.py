"""Estimates of work decide how tasks are cut."""

import pytest

from simulations.engine.network.model import ArrivalKind, ArrivalSpec, Horizon, Law, LawKind, NetworkSpec, Pool, Stream
from simulations.pipeline.demand import UNKNOWN_RATE, expected_events, expected_seconds

LAW = Law(LawKind.EXPONENTIAL, 0.2)


def network(arrivals: ArrivalSpec, horizon: Horizon) -> NetworkSpec:
    return NetworkSpec((Pool(),), (Stream("orders", 0, arrivals, LAW), Stream("others", 0, arrivals, LAW)), horizon)


@pytest.mark.parametrize(
    ("arrivals", "horizon", "messages"),
    [
        (ArrivalSpec(ArrivalKind.POISSON, rate=50), Horizon(messages=1000), 1000),
        (ArrivalSpec(ArrivalKind.POISSON, rate=50), Horizon(time=60.0), 2 * 3000),
        (ArrivalSpec(ArrivalKind.SURGE, count=500, rate=10), Horizon(time=60.0), 2 * 1100),
        (ArrivalSpec(ArrivalKind.SURGE, count=500), Horizon(drained=True), 2 * 500),
        (ArrivalSpec(ArrivalKind.TRACE, instants=(1.0, 2.0, 4.0)), Horizon(drained=True), 2 * 3),
        (ArrivalSpec(ArrivalKind.SATURATED), Horizon(time=10.0), 2 * 10 * UNKNOWN_RATE),
    ],
)
def test_every_message_is_an_arrival_and_a_completion(arrivals: ArrivalSpec, horizon: Horizon, messages: float) -> None:
    assert expected_events(network(arrivals, horizon)) == 2 * messages


def test_more_events_take_longer_and_none_still_take_time() -> None:
    assert 0 < expected_seconds(0) < expected_seconds(1e6)
