"""Every replication ends: at its horizon, when nothing that is left can end, or after too many events in vain."""

import math

import pytest

from simulations.engine.measures.observe import FILLED_FUTILE, MOST_FUTILE
from simulations.engine.network.model import (
    ArrivalKind,
    ArrivalSpec,
    Exhausted,
    FlowControl,
    Gate,
    Horizon,
    NetworkSpec,
    Poller,
    PollerKind,
    Pool,
    PoolGrowth,
    Quota,
    Redelivery,
    Thresholds,
    Timeouts,
    Transaction,
    Window,
)
from simulations.engine.network.results import Count, Extreme
from simulations.engine.replicate import replicate
from tests.simulations.engine.networks import SATURATED, constant, exponential, network, poisson, stream, surge, total

POOL = Pool(threads_per_servant=8)
DRAINED, MANY = Horizon(drained=True), Horizon(messages=100_000)
OTHER = stream(name="other", arrivals=poisson(5.0), background=True)
POISON = stream(arrivals=surge(60), poison_rate=0.05)
LATE = constant(2.0)


def _never() -> dict[str, NetworkSpec]:
    in_place = stream(arrivals=surge(60), poison_rate=0.05, redelivery=Redelivery(0.1, in_place=True))
    stopped = stream(arrivals=surge(60), poison_rate=0.05, redelivery=Redelivery(0.0, 2, Exhausted.STOP_STREAM))
    dispatch = stream(arrivals=surge(9), service=LATE, gate=Gate(4, 2), timeouts=Timeouts(dispatch=1.0))
    lifetime = stream(arrivals=SATURATED, service=LATE, transaction=Transaction(lifetime=1.0))
    delayed = stream(
        arrivals=SATURATED, service=LATE, transaction=Transaction(lifetime=1.0), redelivery=Redelivery(0.5)
    )
    armed = stream(
        arrivals=surge(60),
        poison_rate=0.05,
        window=Window(4, 2, 0.01),
        flow=FlowControl(500.0, 50.0, 6.0, 10, Thresholds(2, 1)),
        redelivery=Redelivery(0.0, 1, Exhausted.STOP_STREAM),
        producers=5,
    )
    return {
        "poison": network(POISON, pool=POOL, horizon=DRAINED),
        "poison beside other work": network(POISON, OTHER, pool=POOL, horizon=DRAINED),
        "poison, horizon in messages": network(POISON, OTHER, pool=POOL, horizon=MANY),
        "poison retried in place": network(in_place, pool=POOL, horizon=DRAINED),
        "stopped beside other work": network(stopped, OTHER, pool=POOL, horizon=DRAINED),
        "stopped under flow control": network(armed, pool=POOL, horizon=DRAINED),
        "work above the dispatch timeout": network(dispatch, pool=POOL, horizon=DRAINED),
        "work above the lifetime": network(lifetime, pool=POOL, horizon=MANY),
        "work above the lifetime, delayed": network(delayed, pool=POOL, horizon=MANY),
    }


@pytest.mark.parametrize("case", list(_never()))
def test_what_can_never_end_is_not_simulated_for_ever(case: str) -> None:
    result = replicate(_never()[case], seed=1, replication=0)
    assert result.stuck
    assert not result.overflow
    assert result.events < 5_000
    assert result.durations.sum() > 0.0
    assert result.extremes[0, Extreme.LAST_OUTCOME] == math.inf
    assert all(check.passed for check in result.checks), result.checks


def test_all_messages_but_the_poisoned_are_done_before() -> None:
    result = replicate(_never()["poison"], seed=1, replication=0)
    left = result.extremes[0, Extreme.BACKLOG_END] + 60 - total(result, Count.COMPLETED)
    assert 1 <= left <= 7
    assert total(result, Count.COMPLETED) > 50


def _finite() -> dict[str, NetworkSpec]:
    legacy = stream(arrivals=surge(60), poller=Poller(PollerKind.LEGACY, 4, interval=1.0))
    history = Pool(threads_per_servant=1, servants_max=4, growth=PoolGrowth.HISTORY)
    return {
        "other work": network(stream(arrivals=surge(60)), OTHER, pool=POOL, horizon=MANY),
        "poll cycles": network(legacy, pool=POOL, horizon=MANY),
        "history": network(stream(arrivals=surge(60)), pool=history, horizon=MANY),
    }


@pytest.mark.parametrize("case", list(_finite()))
def test_arrivals_that_end_end_a_horizon_of_messages_at_the_last_outcome(case: str) -> None:
    result = replicate(_finite()[case], seed=1, replication=0)
    assert not result.stuck
    assert total(result, Count.COMPLETED) == 60
    assert result.durations.sum() == pytest.approx(result.extremes[0, Extreme.LAST_OUTCOME])


def test_twenty_million_events_in_vain_are_enough() -> None:
    """No rule says that a billionth of a second is never enough; so it is tried, but not for ever."""
    hardly = stream(arrivals=SATURATED, service=exponential(1.0), transaction=Transaction(lifetime=1e-12))
    result = replicate(network(hardly, pool=POOL, horizon=MANY), seed=1, replication=0)
    assert result.stuck
    assert MOST_FUTILE < result.events < 1.1 * MOST_FUTILE


def _endless() -> dict[str, NetworkSpec]:
    poison = stream(arrivals=SATURATED, poison_rate=0.5, pipeline=10, concurrency=4, transaction=Transaction())
    at_once = ArrivalSpec(ArrivalKind.PERIODIC, count=1, period=1e-300)
    refused = stream(arrivals=at_once, service=constant(1.0), quota=Quota(messages=1))
    return {
        "poison that fills the sessions": network(poison, pool=POOL, horizon=MANY),
        "one success in a hundred": network(stream(failure_rate=0.99), pool=POOL, horizon=MANY),
        "one success in a million": network(stream(failure_rate=0.999999), pool=POOL, horizon=MANY),
        "more than anyone can wait for": network(stream(service=constant(1e-9)), pool=POOL, horizon=Horizon(time=1e9)),
        "other work for each message": network(stream(arrivals=poisson(1e-6)), OTHER, pool=POOL, horizon=MANY),
        "refused without end at one instant": network(refused, pool=POOL, horizon=Horizon(time=1.0)),
    }


@pytest.mark.parametrize("case", list(_endless()))
def test_a_replication_has_no_more_events_than_its_caller_has_patience(case: str) -> None:
    most = 50_000
    result = replicate(_endless()[case], seed=1, replication=0, most_events=most)
    assert result.stuck
    assert most // 10 < result.events <= most
    assert all(check.passed for check in result.checks), result.checks


def test_poison_that_fills_all_sessions_is_found_before_patience_ends() -> None:
    poison = stream(arrivals=SATURATED, poison_rate=0.5, pipeline=10, concurrency=4, transaction=Transaction())
    result = replicate(network(poison, pool=POOL, horizon=MANY), seed=1, replication=0)
    assert result.stuck
    assert FILLED_FUTILE < result.events < 3 * FILLED_FUTILE


def test_where_poison_fills_all_a_quota_still_turns_messages_away() -> None:
    quota = stream(arrivals=poisson(0.02), poison_rate=0.5, concurrency=4, quota=Quota(messages=10))
    result = replicate(network(quota, pool=POOL, horizon=Horizon(messages=200)), seed=1, replication=0)
    assert not result.stuck
    assert result.counts[..., Count.REJECTED].sum() > 100
    assert result.events > FILLED_FUTILE


def test_queues_beside_one_that_poison_fills_go_on_however_rare_their_messages() -> None:
    poison = stream(arrivals=surge(60), poison_rate=0.5, concurrency=4)
    rare = stream(name="rare", arrivals=ArrivalSpec(ArrivalKind.PERIODIC, count=1, period=4_000.0))
    result = replicate(network(poison, rare, pool=POOL, horizon=Horizon(messages=12)), seed=1, replication=0)
    assert not result.stuck
    assert result.counts[..., Count.COMPLETED].sum() == 12
    assert result.events > 5 * FILLED_FUTILE


def test_patience_that_is_enough_changes_nothing() -> None:
    spec = network(stream(failure_rate=0.3), pool=POOL, horizon=Horizon(messages=500))
    whole = replicate(spec, seed=1, replication=0)
    asked = replicate(spec, seed=1, replication=0, most_events=whole.events + 1)
    assert not asked.stuck
    assert asked.events == whole.events
    assert (asked.sums == whole.sums).all()
    assert (asked.histograms == whole.histograms).all()


def test_a_listener_that_is_slow_is_not_taken_for_stuck() -> None:
    slow = stream(arrivals=surge(1), service=constant(1e4), redelivery=Redelivery(delay=1e4, limit=3), failure_rate=0.5)
    result = replicate(network(slow, OTHER, pool=POOL, horizon=DRAINED), seed=1, replication=0)
    assert not result.stuck
    assert result.extremes[0, Extreme.LAST_OUTCOME] >= 1e4
