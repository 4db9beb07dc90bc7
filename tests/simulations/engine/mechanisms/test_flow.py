"""Producer flow control: the step tables and what they admit."""

import dataclasses

import numpy as np
import pytest
from numpy.typing import NDArray

from simulations.engine.network.model import (
    ArrivalKind,
    ArrivalSpec,
    FlowControl,
    Gate,
    Horizon,
    NetworkSpec,
    Pool,
    Quota,
    Thresholds,
)
from simulations.engine.network.results import Count, ReplicationResult, Sum, Timeline
from simulations.engine.replicate import replicate
from tests.simulations.engine.networks import constant, network, stream, surge, total

_DOWN = [500.0, 397.16, 315.48, 250.59, 199.05, 158.11, 125.59, 99.76, 79.24, 62.95, 50.0]


def _armed(seconds: float) -> NDArray[np.float64]:
    """Return the producer's limit every 0.1 s while one slow consumer keeps the condition on."""
    spec = network(
        stream(
            arrivals=ArrivalSpec(ArrivalKind.CONSTANT, rate=1000.0),
            service=constant(1e6),
            gate=Gate(1, 0),
            flow=FlowControl(500.0, 50.0, 60.0, 10, Thresholds(1, 1)),
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
            flow=FlowControl(500.0, 50.0, 60.0, 10, Thresholds(1, 1)),
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
            flow=FlowControl(1_500.0, 1_400.0, 60.0, 10, Thresholds(1, 1)),
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
            flow=FlowControl(500.0, 50.0, 60.0, 10, Thresholds(high, low)),
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
            flow=FlowControl(500.0, 50.0, limit_until_free, 10, Thresholds(2, 2)),
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
            flow=FlowControl(500.0, 50.0, 60.0, 10, Thresholds(1, 1)),
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
            flow=FlowControl(10.0, 10.0, 60.0, 10, Thresholds(1, 1)),
        ),
        pool=Pool(),
        horizon=Horizon(time=50.0),
    )
    result = replicate(spec, seed=1, replication=0)
    assert total(result, Count.BLOCKED_SENDS) == 7
    assert result.sums[:, 0, Sum.BLOCKED_SENDS].sum() == pytest.approx(2.8)


def _course(producers: int, until: float, **flow: int) -> ReplicationResult:
    """Return sends of all ``producers`` in turn, one every 50 ms, to a destination that nobody empties."""
    spec = network(
        stream(
            arrivals=ArrivalSpec(ArrivalKind.CONSTANT, rate=20.0),
            service=constant(1e6),
            producers=producers,
            flow=FlowControl(100.0, 12.5, 30.0, 3, Thresholds(1, 1), **flow),
        ),
        pool=Pool(),
        horizon=Horizon(time=until),
    )
    return replicate(spec, seed=1, replication=0)


def _limit_at(result: ReplicationResult, *instants: float) -> list[float]:
    at = np.searchsorted(result.timeline_at, instants)
    limits: list[float] = result.timeline[at, 0, Timeline.ADMITTED].tolist()
    return limits


def test_the_floor_of_the_example_is_half_a_message() -> None:
    """100, 50, 25, 12.5 messages per second, ten seconds each; nothing is slower than the last."""
    assert _limit_at(_course(1, 60.0), 5.0, 15.0, 25.0, 35.0, 55.0) == pytest.approx([100.0, 50.0, 25.0, 12.5, 12.5])


def test_each_producer_descends_from_its_own_first_send_on() -> None:
    """Armed by the second message at 100 ms; producer 2 sends first at 150 ms, producer 0 again at 200 ms.

    Their evaluations are 10 s after that, each at its own instant: the sum of their limits falls in three steps.
    """
    found = _limit_at(_course(3, 12.0), 0.12, 0.17, 0.3, 10.12, 10.17, 10.3)
    assert found == pytest.approx([100.0, 200.0, 300.0, 250.0, 200.0, 150.0])


def test_a_producer_that_sends_one_message_is_never_slowed() -> None:
    """An application that makes a producer for each message: its limit is forgotten with it."""
    kept, fresh = _course(1, 60.0), _course(1, 60.0, messages_per_producer=1)
    assert total(fresh, Count.ADMITTED) == total(fresh, Count.ARRIVED) == 1199
    assert fresh.sums[:, 0, Sum.LIMITED].sum() == 0.0
    assert total(kept, Count.ADMITTED) < 1000 < 1199


def test_a_new_producer_starts_free_and_is_limited_from_its_first_answer_on() -> None:
    """Of three messages of each producer the last ends its limit: two of three intervals have one."""
    result = _course(1, 30.0, messages_per_producer=3)
    assert result.sums[:, 0, Sum.LIMITED].sum() == pytest.approx(20.0, rel=0.02)


def test_one_way_sends_have_no_answer_that_could_limit_them() -> None:
    """With a window of 4 the fourth message brings the first answer."""
    flow = FlowControl(100.0, 12.5, 30.0, 3, Thresholds(1, 1))
    one = stream(arrivals=ArrivalSpec(ArrivalKind.CONSTANT, rate=20.0), service=constant(1e6), flow=flow)
    spec = network(dataclasses.replace(one, quota=Quota(one_way_window=4)), pool=Pool(), horizon=Horizon(time=1.0))
    assert replicate(spec, seed=1, replication=0).sums[:, 0, Sum.LIMITED].sum() == pytest.approx(0.8)


def test_the_thresholds_of_a_store_count_what_all_its_destinations_hold() -> None:
    """Two destinations of 15 messages arm a store of 20; neither would exceed 20 alone. An empty one is slowed, too."""
    flow = FlowControl(100.0, 10.0, 10.0, 5)
    held = stream(name="held", arrivals=surge(15), service=constant(1e6), flow=flow, store=0)
    other = dataclasses.replace(held, name="other", arrivals=ArrivalSpec(ArrivalKind.CONSTANT, rate=3.0))
    third = dataclasses.replace(other, name="third", service=constant(0.0), store=None)
    spec = NetworkSpec((Pool(),), (held, other, third), Horizon(time=30.0), stores=(Thresholds(20, 10),))
    result = replicate(spec, seed=1, replication=0)
    limited = result.sums[:, :, Sum.LIMITED].sum(axis=0)
    assert limited[0] == 0.0, "it sends nothing more"
    assert limited[1] == pytest.approx(30.0 - 6 / 3.0)
    assert limited[2] == 0.0
    alone = dataclasses.replace(spec, streams=(held, dataclasses.replace(other, store=None), third))
    assert replicate(alone, seed=1, replication=0).sums[:, :, Sum.LIMITED].sum() == 0.0
