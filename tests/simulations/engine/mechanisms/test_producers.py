"""Quotas: what a full destination does with the next message."""

from dataclasses import replace
from typing import Any

import pytest

from simulations.engine.draws.numbers import Purpose, stream_key
from simulations.engine.network.model import (
    ArrivalKind,
    ArrivalSpec,
    Constraint,
    Horizon,
    Law,
    LawKind,
    LimitBehaviour,
    NetworkSpec,
    Pool,
    Quota,
)
from simulations.engine.network.results import Count, Extreme, ReplicationResult, Sum
from simulations.engine.replicate import replicate
from tests.simulations.engine.networks import constant, exponential, network, stream, surge, total
from tests.simulations.engine.twin_laws import DEFINED
from tests.simulations.engine.twin_laws import number as law_number


def _full(quota: Quota, *, instants: tuple[float, ...] = (0.0, 0.001), sizes: tuple[float, ...] = ()) -> NetworkSpec:
    """Return a destination that is full from the second message on; the first leaves after 50 ms."""
    arrivals = ArrivalSpec(ArrivalKind.TRACE, instants=instants, sizes=sizes)
    return network(
        stream(arrivals=arrivals, service=constant(0.05), quota=quota, producers=len(instants)),
        pool=Pool(),
        horizon=Horizon(drained=True),
    )


def _outcomes(result: ReplicationResult) -> tuple[int, int, int]:
    return total(result, Count.COMPLETED), total(result, Count.REJECTED), total(result, Count.DROPPED)


@pytest.mark.parametrize(("timeout", "outcomes"), [(0.01, (1, 1, 0)), (0.1, (2, 0, 0))])
def test_example_37_a_send_waits_for_room_up_to_its_timeout(timeout: float, outcomes: tuple[int, int, int]) -> None:
    quota = Quota(messages=1, behaviour=LimitBehaviour.BLOCK_FIFO, send_timeout=timeout)
    assert _outcomes(replicate(_full(quota), seed=1, replication=0)) == outcomes


@pytest.mark.parametrize(
    ("behaviour", "latency"), [(LimitBehaviour.BLOCK_FIFO, 0.109), (LimitBehaviour.BLOCK_PREEMPTIVE, 0.148)]
)
def test_example_37_a_small_send_waits_behind_a_big_one_unless_preemptive(
    behaviour: LimitBehaviour, latency: float
) -> None:
    quota = Quota(bytes=10_000.0, behaviour=behaviour, send_timeout=0.04)
    spec = _full(quota, instants=(0.0, 0.001, 0.002), sizes=(9_000.0, 10_000.0, 1_000.0))
    result = replicate(spec, seed=1, replication=0)
    assert _outcomes(result) == (2, 1, 0)
    assert result.sums[:, 0, Sum.LATENCY].sum() == pytest.approx(latency)


def test_sizes_of_a_law_belong_to_the_messages_and_change_no_other_draw() -> None:
    open_quota = Quota(bytes=1e9)
    spec = _full(open_quota, instants=tuple(0.01 * k for k in range(200)))
    spread = replace(spec, streams=(replace(spec.streams[0], size_law=exponential(1000.0)),))
    wide, same = (replicate(each, seed=3, replication=1) for each in (spread, spec))
    assert wide.sums[:, 0, Sum.LATENCY].tolist() == same.sums[:, 0, Sum.LATENCY].tolist()
    narrow = replace(spread, streams=(replace(spread.streams[0], quota=Quota(bytes=3000.0)),))
    drawn = [law_number(exponential(1000.0), stream_key(3, 1, Purpose.SIZE, 0), k, DEFINED) for k in range(200)]
    too_big = sum(size > 3000.0 for size in drawn)
    assert 2 < too_big < 25, "about e^-3 of them can never get in"
    assert total(replicate(narrow, seed=3, replication=1), Count.REJECTED) >= too_big


def test_a_constant_law_is_the_same_as_a_size() -> None:
    quota = Quota(bytes=3000.0, behaviour=LimitBehaviour.BLOCK_FIFO, send_timeout=0.1)
    plain = _full(quota, instants=tuple(0.01 * k for k in range(100)))
    drawn = replace(plain, streams=(replace(plain.streams[0], size_law=constant(1000.0)),))
    first, second = (replicate(spec, seed=1, replication=0) for spec in (plain, drawn))
    assert first.counts.tolist() == second.counts.tolist()
    assert first.sums.tolist() == second.sums.tolist()


def test_the_newest_message_is_rejected_or_the_oldest_removed() -> None:
    instants = (0.0, 0.001, 0.002, 0.003)
    newest = replicate(_full(Quota(messages=2), instants=instants), seed=1, replication=0)
    oldest = replicate(
        _full(Quota(messages=2, behaviour=LimitBehaviour.REMOVE_OLDEST), instants=instants), seed=1, replication=0
    )
    assert _outcomes(newest) == (2, 2, 0)
    assert _outcomes(oldest) == (2, 0, 2)


def test_one_way_sends_over_quota_are_dropped_silently() -> None:
    quota = Quota(messages=1, behaviour=LimitBehaviour.BLOCK_FIFO, send_timeout=0.01, one_way_window=3)
    assert _outcomes(replicate(_full(quota), seed=1, replication=0)) == (1, 0, 1)


def test_resumed_producers_overshoot_the_limit_by_less_than_a_batch() -> None:
    quota = Quota(messages=40, behaviour=LimitBehaviour.FLOW_CONTROL, producer_batch=5)
    spec = network(
        stream(
            arrivals=ArrivalSpec(ArrivalKind.CONSTANT, rate=1000.0), service=constant(0.05), quota=quota, producers=4
        ),
        pool=Pool(),
        horizon=Horizon(time=20.0),
    )
    result = replicate(spec, seed=1, replication=0)
    assert 40 < result.extremes[0, Extreme.BACKLOG_MAX] < 45
    assert total(result, Count.COMPLETED) == 399


def test_a_capacity_constraint_refuses_the_messages_of_producers_with_a_quota() -> None:
    spec = network(
        stream(arrivals=surge(10), service=constant(1.0), quota=Quota(messages=100), constraint=(0,)),
        pool=Pool(constraints=(Constraint(capacity=3),)),
        horizon=Horizon(drained=True),
    )
    result = replicate(spec, seed=1, replication=0)
    assert _outcomes(result) == (3, 7, 0)
    assert total(result, Count.ADMITTED) == 3


def test_blocked_sends_are_counted_with_their_time() -> None:
    quota = Quota(messages=1, behaviour=LimitBehaviour.BLOCK_FIFO, send_timeout=0.1)
    result = replicate(_full(quota), seed=1, replication=0)
    assert total(result, Count.BLOCKED_SENDS) == 1
    assert result.sums[:, 0, Sum.BLOCKED_SENDS].sum() == pytest.approx(0.049)


def test_a_destination_where_nothing_ever_stays_passes_its_own_checks() -> None:
    """Sums of instants are rounded: a population that is 0 all the time must not be measured against what is left."""
    arrivals = ArrivalSpec(ArrivalKind.PERIODIC, count=12, start=0.05, period=0.25)
    sizes = Law(LawKind.LOGNORMAL, 6.5, 1.2)
    quota = Quota(bytes=2500.0, behaviour=LimitBehaviour.REMOVE_OLDEST)
    bounded = stream(arrivals=arrivals, service=constant(0.25), size_law=sizes, quota=quota)
    result = replicate(network(bounded, pool=Pool(), horizon=Horizon(time=0.5)), seed=2281975, replication=0)
    assert not result.sums.any()
    assert all(check.passed for check in result.checks), result.checks


@pytest.mark.parametrize("quota", [{"messages": 20, "producer_batch": 1}, {"bytes": 20_000.0, "producer_bytes": 200.0}])
def test_an_empty_destination_resumes_a_producer_however_many_are_paused(quota: dict[str, Any]) -> None:
    """100 producers send at half of what one thread does, to a destination that holds fewer messages than they are."""
    limits = Quota(**quota, behaviour=LimitBehaviour.FLOW_CONTROL)
    arrivals = ArrivalSpec(ArrivalKind.POISSON, rate=50.0)
    one = stream(arrivals=arrivals, service=exponential(0.01), quota=limits, producers=100, message_size=1000.0)
    result = replicate(network(one, pool=Pool(), horizon=Horizon(time=100.0)), seed=1, replication=0)
    assert total(result, Count.COMPLETED) == pytest.approx(5000, rel=0.1)


@pytest.mark.parametrize("quota", [{"messages": 20}, {"bytes": 20.0, "producer_bytes": 4.0}])
def test_room_is_kept_for_a_batch_of_each_producer_that_is_not_paused(quota: dict[str, Any]) -> None:
    """Four producers send their batch of 4 by turns; when the third is paused, one is left and 5 messages are free."""
    limits = Quota(**quota, behaviour=LimitBehaviour.FLOW_CONTROL, producer_batch=4)
    arrivals = ArrivalSpec(ArrivalKind.CONSTANT, rate=1000.0)
    one = stream(arrivals=arrivals, service=constant(1000.0), quota=limits, producers=4, message_size=1.0)
    result = replicate(network(one, pool=Pool(), horizon=Horizon(time=10.0)), seed=1, replication=0)
    assert total(result, Count.ADMITTED) == 20
