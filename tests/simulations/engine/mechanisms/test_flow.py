"""Producer flow control: the step tables and what they admit."""

import numpy as np
import pytest
from numpy.typing import NDArray

from simulations.engine.network.model import ArrivalKind, ArrivalSpec, FlowControl, Gate, Horizon, Pool
from simulations.engine.network.results import Count, ReplicationResult, Sum, Timeline
from simulations.engine.replicate import replicate
from tests.simulations.engine.networks import constant, network, stream, total

_DOWN = [500.0, 397.16, 315.48, 250.59, 199.05, 158.11, 125.59, 99.76, 79.24, 62.95, 50.0]


def _armed(seconds: float) -> NDArray[np.float64]:
    """Return the producer's limit every 0.1 s while one slow consumer keeps the condition on."""
    spec = network(
        stream(
            arrivals=ArrivalSpec(ArrivalKind.CONSTANT, rate=1000.0),
            service=constant(1e6),
            gate=Gate(1, 0),
            flow=FlowControl(500.0, 50.0, 60.0, 10, messages_high=1, messages_low=1),
        ),
        pool=Pool(),
        horizon=Horizon(time=seconds),
    )
    result = replicate(spec, seed=1, replication=0)
    at = np.searchsorted(result.timeline_at, np.arange(11) * 6.0 + 3.0)
    limits: NDArray[np.float64] = result.timeline[at, 0, Timeline.ADMITTED]
    return limits


def test_job_9_and_example_31_the_limit_falls_geometrically() -> None:
    assert _armed(66.0) == pytest.approx(_DOWN, rel=1e-3)


def test_job_9_the_first_minute_admits_13128_messages_instead_of_30000() -> None:
    spec = network(
        stream(
            arrivals=ArrivalSpec(ArrivalKind.CONSTANT, rate=500.0),
            service=constant(1e6),
            flow=FlowControl(500.0, 50.0, 60.0, 10, messages_high=1, messages_low=1),
        ),
        pool=Pool(),
        horizon=Horizon(time=60.0),
    )
    result = replicate(spec, seed=1, replication=0)
    assert total(result, Count.ARRIVED) == pytest.approx(13_128, abs=15)
    assert result.sums[:, 0, Sum.LIMIT].sum() == pytest.approx(13_127.7, rel=2e-3)


def test_messages_that_producers_kept_back_find_room_when_nothing_arrives_any_more() -> None:
    """Thousands are sent later, by timers and not by arrivals: the slots for messages grow then, too."""
    spec = network(
        stream(
            arrivals=ArrivalSpec(ArrivalKind.TRACE, instants=tuple(np.linspace(0.0, 10.0, 20_000))),
            service=constant(0.001),
            concurrency=1,
            flow=FlowControl(1_500.0, 1_400.0, 60.0, 10, messages_high=1, messages_low=1),
        ),
        pool=Pool(),
        horizon=Horizon(drained=True),
    )
    result = replicate(spec, seed=1, replication=0)
    assert all(check.passed for check in result.checks)
    assert total(result, Count.COMPLETED) == 20_000


def _limits(instants: tuple[float, ...], high: int, low: int, at: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the producer's limit at the instants ``at``, messages arriving at ``instants``, one done in 1.18 s."""
    spec = network(
        stream(
            arrivals=ArrivalSpec(ArrivalKind.TRACE, instants=instants),
            service=constant(1.18),
            flow=FlowControl(500.0, 50.0, 60.0, 10, messages_high=high, messages_low=low),
        ),
        pool=Pool(),
        horizon=Horizon(time=float(at[-1]) + 1.0),
    )
    result = replicate(spec, seed=1, replication=0)
    limits: NDArray[np.float64] = result.timeline[np.searchsorted(result.timeline_at, at), 0, Timeline.ADMITTED]
    return limits


def test_example_32_armed_again_while_it_climbs_the_limit_falls_from_where_it_is_at_the_next_evaluation() -> None:
    """Armed at 0 s, disarmed at 61 s, armed again at 85 s by 80 more messages while the limit is 230."""
    at = np.array([57.0, 63.0, 69.0, 81.0, 84.2, 86.0, 89.0, *(93.0 + 6.0 * np.arange(7))])
    found = _limits((0.0,) * 101 + (84.5,) * 80, 100, 50, at)
    assert found[:7] == pytest.approx([62.946, 50.0, 95.0, 185.0, 230.0, 230.0, 230.0], rel=1e-4)
    assert found[7:] == pytest.approx([182.70, 145.12, 115.27, 91.56, 72.73, 57.77, 50.0], abs=0.01)


def test_example_34_disarmed_at_the_minimum_a_producer_is_free_after_ten_evaluations() -> None:
    at = np.array([61.0, 67.0, 113.0, 119.0, 121.0])
    assert _limits((0.0,) * 101, 100, 50, at) == pytest.approx([50.0, 95.0, 410.0, 455.0, -1.0])


@pytest.mark.parametrize(("count", "limit"), [(1000, -1.0), (1001, 50.0)])
def test_example_35_between_the_thresholds_the_past_decides(count: int, limit: float) -> None:
    """At 118 s 900 or 901 messages are left; only those of 1001 have ever been above 1000."""
    assert _limits((0.0,) * count, 1000, 800, np.array([118.0])) == pytest.approx([limit])


def _limited(limit_until_free: float) -> ReplicationResult:
    """Return a producer that is armed at 2 ms, with the third message, and disarmed at 20 ms, with the second end."""
    spec = network(
        stream(
            arrivals=ArrivalSpec(ArrivalKind.TRACE, instants=(0.0, 0.001, 0.002)),
            service=constant(0.01),
            flow=FlowControl(500.0, 50.0, limit_until_free, 10, messages_high=2, messages_low=2),
        ),
        pool=Pool(),
        horizon=Horizon(time=100.0),
    )
    return replicate(spec, seed=1, replication=0)


def test_example_33_disarmed_at_the_maximum_a_producer_is_free_at_once() -> None:
    assert _limited(60.0).sums[:, 0, Sum.LIMITED].sum() == pytest.approx(0.018)


def test_the_limit_is_averaged_over_the_time_in_which_there_is_one() -> None:
    spec = network(
        stream(
            arrivals=ArrivalSpec(ArrivalKind.CONSTANT, rate=10.0),
            service=constant(0.01),
            flow=FlowControl(500.0, 50.0, 60.0, 10, messages_high=1, messages_low=1),
        ),
        pool=Pool(),
        horizon=Horizon(time=100.0),
    )
    free = replicate(spec, seed=1, replication=0)
    assert free.sums[:, 0, Sum.LIMITED].sum() == 0.0
    assert total(free, Count.ADMITTED) == total(free, Count.ARRIVED) == 999
    assert total(free, Count.BLOCKED_SENDS) == 0
    limited = _limited(60.0)
    sums = limited.sums[:, 0].sum(axis=0)
    assert sums[Sum.LIMIT] / sums[Sum.LIMITED] == pytest.approx(500.0)


def test_sends_above_the_limit_wait_and_are_counted() -> None:
    """Ten sends come at once at a limit of 10/s, armed by the first two: seven wait 0.1, 0.2, ... 0.7 s."""
    spec = network(
        stream(
            arrivals=ArrivalSpec(ArrivalKind.TRACE, instants=(0.0,) * 10),
            service=constant(1e6),
            flow=FlowControl(10.0, 10.0, 60.0, 10, messages_high=1, messages_low=1),
        ),
        pool=Pool(),
        horizon=Horizon(time=50.0),
    )
    result = replicate(spec, seed=1, replication=0)
    assert total(result, Count.BLOCKED_SENDS) == 7
    assert result.sums[:, 0, Sum.BLOCKED_SENDS].sum() == pytest.approx(2.8)
