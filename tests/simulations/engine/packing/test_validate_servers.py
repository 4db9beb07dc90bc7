"""Servers and stores that make no sense are refused by name."""

import pytest

from simulations.engine.network.model import (
    FlowControl,
    NetworkSpec,
    Outage,
    Pool,
    PoolGrowth,
    Quota,
    Thresholds,
    Window,
)
from simulations.engine.packing.validate import NetworkError, check_network
from tests.simulations.engine.networks import stream
from tests.simulations.engine.packing.test_validate import HORIZON, problems

FLOW = FlowControl(20.0, 5.0, 1.0, 2, 5, 3)


def test_outages_and_capacities_must_not_be_negative() -> None:
    assert "queue_capacity" in problems(pool=Pool(queue_capacity=-1))
    assert "restart_time" in problems(pool=Pool(restart_time=float("inf")))
    for outage in (Outage(-1.0, 1.0), Outage(1.0, float("nan"))):
        assert "an outage needs" in problems(pool=Pool(outage=outage))
        assert "an outage needs" in problems(outage=outage)
    assert "an outage needs" in problems(pool=Pool(outage_instances=-1))
    assert not problems(pool=Pool(outage=Outage(1.0, 1.0), queue_capacity=5, restart_time=3.0))


def test_only_servers_with_servants_and_gates_go_away() -> None:
    outage = Outage(1.0, 1.0)
    assert "may go away" in problems(pool=Pool(outage=outage), window=Window(4, 2))
    assert "may go away" in problems(pool=Pool(queue_capacity=3, growth=PoolGrowth.INSTANT))


def test_a_store_is_known_and_counts_what_producers_send() -> None:
    def said(store: int, **settings: object) -> str:
        one = stream(store=store, **settings)
        spec = NetworkSpec((Pool(),), (one,), HORIZON, stores=(Thresholds(5, 3),))
        try:
            check_network(spec)
        except NetworkError as error:
            return str(error)
        return ""

    assert not said(0, flow=FLOW)
    assert not said(0, quota=Quota())
    assert "does not have" in said(1, flow=FLOW)
    assert "a store counts" in said(0)


def test_low_thresholds_are_not_above_the_high_ones() -> None:
    spec = NetworkSpec((Pool(),), (stream(flow=FLOW, store=0),), HORIZON, stores=(Thresholds(3, 5),))
    with pytest.raises(NetworkError, match="low thresholds of a store"):
        check_network(spec)
