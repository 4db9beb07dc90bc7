"""Who keeps up: closed form first, drift otherwise, and no false alarm at a busy but stable queue."""

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from simulations.analysis.estimates.point import KnownPoint, summarize
from simulations.analysis.estimates.stability import unstable_queues
from simulations.analysis.replications.rows import compact, stacked
from simulations.analysis.replications.sample import Sample, sample_of
from simulations.analysis.theory.laws import arrival_rate
from simulations.engine.network.model import (
    ArrivalKind,
    ArrivalSpec,
    Constraint,
    Copies,
    Exhausted,
    Horizon,
    Law,
    LawKind,
    LimitBehaviour,
    NetworkSpec,
    Outage,
    Pool,
    Quota,
    Redelivery,
    Stream,
)
from simulations.engine.replicate import replicate
from tests.simulations.analysis.synthetic import network, replication


def sample(spec: NetworkSpec, replications: int = 8) -> Sample:
    return sample_of(spec, stacked([compact(replication(spec, number)) for number in range(replications)]))


@pytest.mark.parametrize("load", [0.5, 0.9, 0.97])
def test_a_queue_that_keeps_up_is_left_alone(load: float) -> None:
    assert unstable_queues(sample(network(18, 90 * load, 0.2)), {}) == ()


@pytest.mark.parametrize("load", [1.05, 1.5])
def test_overload_is_seen_in_the_drift(load: float) -> None:
    (growth,) = unstable_queues(sample(network(18, 90 * load, 0.2)), {})
    assert growth.rate.low <= 90 * (load - 1) <= growth.rate.high
    assert growth.rate.low > 0


def test_the_closed_form_decides_where_the_drift_is_too_small_to_see() -> None:
    busy = sample(network(18, 81, 0.2, messages=4000))
    (growth,) = unstable_queues(busy, {"orders": 67.55})
    assert growth.rate.low < 0 < growth.rate.high, "the drift that was seen"
    assert unstable_queues(busy, {"orders": 90.0}) == ()


def test_the_closed_form_counts_the_copies_of_a_topic() -> None:
    """Both instances get all of the 50 messages per second: 100 of 95 that they carry together."""
    spec = network(18, 50, 0.36, messages=2000)
    topic = replace(spec.streams[0], copies=Copies.PER_INSTANCE)
    twice = replace(spec, pools=(replace(spec.pools[0], instances=2),), streams=(topic,))
    assert unstable_queues(sample(twice, 4), {"orders": 95.0}) != ()
    assert unstable_queues(sample(twice, 4), {"orders": 105.0}) == ()


def test_a_queue_that_is_never_empty_is_not_judged() -> None:
    spec = network(18, 135, 0.2, messages=4000)
    full = replace(spec.streams[0], arrivals=replace(spec.streams[0].arrivals, kind=ArrivalKind.SATURATED))
    rows = [compact(replication(spec, number)) for number in range(4)]
    assert unstable_queues(sample_of(replace(spec, streams=(full,)), stacked(rows)), {"orders": 1.0}) == ()


def test_a_run_out_of_room_is_unstable_even_where_arrivals_end() -> None:
    spec = network(18, 135, 0.2, messages=4000)
    trace = replace(spec.streams[0], arrivals=ArrivalSpec(ArrivalKind.TRACE, instants=(0.0,)))
    rows = [compact(replication(spec, number)) for number in range(3)]
    transient = replace(spec, streams=(trace,))
    assert unstable_queues(sample_of(transient, stacked(rows)), {}) == ()
    full = [replace(row, overflow=True) for row in rows]
    assert len(unstable_queues(sample_of(transient, stacked(full)), {})) == 1


def test_a_run_out_of_room_in_its_first_segment_has_its_growth() -> None:
    rows = [compact(replication(network(18, 135, 0.2), number)) for number in range(3)]
    early = [replace(row, overflow=True, durations=_first(row.durations), sums=_first(row.sums)) for row in rows]
    calm = network(18, 45, 0.2)
    both = sample_of(network(18, 135, 0.2), stacked(early))
    assert both.warmup.segments == 0
    assert len(unstable_queues(both, {})) == 1
    still = [compact(replication(calm, number)) for number in range(3)]
    quiet = [replace(row, overflow=True, durations=_first(row.durations), sums=_first(row.sums)) for row in still]
    assert unstable_queues(sample_of(calm, stacked(quiet)), {}) == ()


def _first(values: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.concatenate([values[:1], np.zeros_like(values[1:])])


def queue(arrivals: ArrivalSpec, *, time: float, service: float = 0.2, **settings: Any) -> NetworkSpec:
    stream = Stream("orders", 0, arrivals, Law(LawKind.EXPONENTIAL, service), **settings)
    return NetworkSpec((Pool(threads_per_servant=4),), (stream,), Horizon(time=time))


def simulated(spec: NetworkSpec, replications: int = 10) -> Sample:
    return sample_of(
        spec, stacked([compact(replicate(spec, seed=3, replication=number)) for number in range(replications)])
    )


DAY = (0.0, 50.0, 100.0)
BURSTS = [
    ArrivalSpec(ArrivalKind.PERIODIC, count=200, period=10.0),
    ArrivalSpec(ArrivalKind.PROFILE, instants=DAY, rates=(10.0, 40.0, 10.0)),
    ArrivalSpec(ArrivalKind.SURGE, rate=24.0, count=300),
]
"""Four threads carry 20 a second: 20, 25 and 24 arrive in the long run."""


@pytest.mark.parametrize("arrivals", BURSTS[1:], ids=lambda arrivals: arrivals.kind.name)
def test_overload_by_the_clock_and_after_a_surge_is_seen_in_the_drift(arrivals: ArrivalSpec) -> None:
    (growth,) = unstable_queues(simulated(queue(arrivals, time=2000.0)), {})
    assert growth.rate.low <= (arrival_rate(arrivals) or arrivals.rate) - 20 <= growth.rate.high


@pytest.mark.parametrize("arrivals", BURSTS, ids=lambda arrivals: arrivals.kind.name)
def test_the_closed_form_decides_about_them_too(arrivals: ArrivalSpec) -> None:
    assert len(unstable_queues(simulated(queue(arrivals, time=100.0), 2), {"orders": 20.0})) == 1


@pytest.mark.parametrize("rates", [(10.0, 24.0, 10.0), (0.0, 0.0, 36.0)])
@pytest.mark.parametrize("time", [100.0, 150.0, 370.0, 400.0, 430.0, 475.0, 1000.0, 2030.0])
def test_a_peak_that_drains_is_no_growth_wherever_the_run_ends(time: float, rates: tuple[float, ...]) -> None:
    arrivals = ArrivalSpec(ArrivalKind.PROFILE, instants=DAY, rates=rates)
    assert unstable_queues(simulated(queue(arrivals, time=time)), {}) == ()


@pytest.mark.parametrize("time", [5.0, 12.0, 40.0, 47.0, 161.0, 400.0])
def test_bursts_that_drain_are_no_growth(time: float) -> None:
    arrivals = ArrivalSpec(ArrivalKind.PERIODIC, count=160, period=10.0)
    assert unstable_queues(simulated(queue(arrivals, time=time)), {}) == ()


@pytest.mark.parametrize(("count", "grows"), [(1170, 0), (1260, 1)])
def test_the_level_of_bursts_hides_no_overload(count: int, grows: int) -> None:
    """1,200 are carried in a minute. On average half a burst is inside, which is no growth."""
    bursts = ArrivalSpec(ArrivalKind.PERIODIC, count=count, period=60.0)
    assert len(unstable_queues(simulated(queue(bursts, time=1200.0)), {})) == grows


@pytest.mark.parametrize("start", [0.0, 30.0, 70.0, 95.0])
def test_a_surge_that_drains_is_no_growth(start: float) -> None:
    arrivals = ArrivalSpec(ArrivalKind.SURGE, rate=10.0, count=300, start=start)
    assert unstable_queues(simulated(queue(arrivals, time=100.0)), {}) == ()


@pytest.mark.parametrize("kind", ["outage", "absence"])
def test_what_piles_up_while_something_is_away_is_no_growth(kind: str) -> None:
    """The backlog of an outage in the second half is worked off in a few seconds, long before the end."""
    poisson = ArrivalSpec(ArrivalKind.POISSON, rate=10.0)
    away: dict[str, Any] = {kind: Outage(65.0, 15.0), "redelivery": Redelivery(delay=1.0)}
    late = queue(poisson, time=100.0, **away)
    assert unstable_queues(simulated(late), {}) == ()
    early = replace(
        late, horizon=Horizon(time=400.0), streams=(replace(late.streams[0], arrivals=replace(poisson, rate=24.0)),)
    )
    assert len(unstable_queues(simulated(early), {})) == 1


def test_a_queue_beside_a_peak_is_not_judged_by_the_others_doing() -> None:
    spec = queue(ArrivalSpec(ArrivalKind.PROFILE, instants=DAY, rates=(0.0, 0.0, 36.0)), time=100.0)
    other = replace(spec.streams[0], name="calm", arrivals=ArrivalSpec(ArrivalKind.POISSON, rate=2.0))
    assert unstable_queues(simulated(replace(spec, streams=(*spec.streams, other))), {}) == ()


@pytest.mark.parametrize(
    "bound",
    [
        {"quota": Quota(messages=50)},
        {"quota": Quota(messages=50, behaviour=LimitBehaviour.REMOVE_OLDEST)},
    ],
    ids=["reject", "remove"],
)
def test_a_bounded_queue_under_overload_keeps_its_latencies(bound: dict[str, Any]) -> None:
    spec = queue(ArrivalSpec(ArrivalKind.POISSON, rate=30.0), time=400.0, **bound)
    assert unstable_queues(simulated(spec), {"orders": 20.0}) == ()
    free = queue(ArrivalSpec(ArrivalKind.POISSON, rate=30.0), time=400.0, quota=Quota())
    assert len(unstable_queues(simulated(free), {"orders": 20.0})) == 1


def test_what_senders_cannot_get_in_grows() -> None:
    """30 messages per second are offered, 20 are carried, and nothing is refused."""
    quota = Quota(messages=50, behaviour=LimitBehaviour.BLOCK_FIFO, send_timeout=5.0)
    (growth,) = unstable_queues(
        simulated(queue(ArrivalSpec(ArrivalKind.POISSON, rate=30.0), time=400.0, quota=quota)), {}
    )
    assert growth.rate.low <= 10.0 <= growth.rate.high


def test_the_closed_form_decides_where_senders_hold_all_that_is_not_carried() -> None:
    """Half a message per second more than the threads carry is too little to be seen in the drift."""
    quota = Quota(messages=50, behaviour=LimitBehaviour.BLOCK_FIFO, send_timeout=500.0)
    held = simulated(queue(ArrivalSpec(ArrivalKind.POISSON, rate=20.5), time=200.0, quota=quota), 4)
    assert unstable_queues(held, {}) == ()
    assert len(unstable_queues(held, {"orders": 20.0})) == 1


def test_a_queue_is_judged_beside_a_surge_that_is_over() -> None:
    """8 of the 20 messages per second that the threads carry come after the surge, and 16 for the other queue."""
    arrivals = ArrivalSpec(ArrivalKind.SURGE, rate=8.0, count=50, start=5.0)
    spec = queue(arrivals, time=1000.0)
    other = replace(spec.streams[0], name="full", arrivals=ArrivalSpec(ArrivalKind.POISSON, rate=16.0))
    assert unstable_queues(simulated(replace(spec, streams=(spec.streams[0], other))), {}) != ()
    late = replace(spec.streams[0], arrivals=replace(arrivals, count=3000, start=600.0))
    calm = replace(other, arrivals=ArrivalSpec(ArrivalKind.POISSON, rate=2.0))
    assert unstable_queues(simulated(replace(spec, streams=(late, calm))), {}) == ()


@pytest.mark.parametrize(
    "arrivals",
    [ArrivalSpec(ArrivalKind.POISSON, rate=5.0), ArrivalSpec(ArrivalKind.TRACE, instants=tuple(map(float, range(99))))],
    ids=["without end", "a trace"],
)
def test_consumers_that_do_not_come_back_are_a_listener_that_stopped(arrivals: ArrivalSpec) -> None:
    spec = queue(arrivals, time=100.0, absence=Outage(50.0, math.inf))
    assert [item.stopped for item in unstable_queues(simulated(spec), {})] == [10]
    back = queue(arrivals, time=100.0, absence=Outage(50.0, 5.0))
    assert unstable_queues(simulated(back), {}) == ()


def test_a_capacity_bounds_as_a_quota_does() -> None:
    spec = queue(ArrivalSpec(ArrivalKind.POISSON, rate=30.0), time=400.0, constraint=(0,))
    bounded = replace(spec, pools=(replace(spec.pools[0], constraints=(Constraint(capacity=30),)),))
    assert unstable_queues(simulated(bounded), {"orders": 20.0}) == ()


def test_poison_that_is_delivered_without_end_piles_up() -> None:
    spec = queue(ArrivalSpec(ArrivalKind.POISSON, rate=5.0), time=500.0, poison_rate=1e-3)
    (growth,) = unstable_queues(simulated(spec), {})
    assert (growth.endless, growth.rate.value, growth.rate.half_width) == (True, 0.005, 0.0)
    ending = replace(spec, streams=(replace(spec.streams[0], redelivery=Redelivery(limit=3)),))
    assert unstable_queues(simulated(ending), {}) == ()
    summary = summarize(
        KnownPoint(0, {}, spec, ["server"], {}, {}),
        [compact(replicate(spec, seed=3, replication=number)) for number in (0, 1)],
    )
    assert summary.queues["orders"]["backlog.growth"].note.endswith("poison messages are delivered without end")


def test_a_listener_that_stopped_is_unstable_and_says_so() -> None:
    rule = Redelivery(limit=1, exhausted=Exhausted.STOP_STREAM)
    spec = queue(ArrivalSpec(ArrivalKind.POISSON, rate=5.0), time=2000.0, failure_rate=0.01, redelivery=rule)
    rows = [compact(replicate(spec, seed=3, replication=number)) for number in range(4)]
    (growth,) = unstable_queues(sample_of(spec, stacked(rows)), {})
    assert growth.stopped == 4
    summary = summarize(KnownPoint(0, {}, spec, ["server"], {}, {}), rows)
    assert summary.status == "unstable"
    assert (
        summary.queues["orders"]["backlog.growth"].note
        == "its listener stopped in 4 of 4 replications; all else is rough"
    )
    assert "latency.p95" not in summary.metrics
