"""Pollers: the non-ASF rollback rule, the token rule and who holds threads."""

import math

import numpy as np
import pytest

from simulations.engine.network.model import (
    ArrivalKind,
    ArrivalSpec,
    Horizon,
    NetworkSpec,
    Poller,
    PollerKind,
    Pool,
    Redelivery,
    Transaction,
)
from simulations.engine.network.results import Count, PoolSum, ReplicationResult
from simulations.engine.replicate import replicate
from tests.simulations.engine.networks import (
    SATURATED,
    constant,
    exponential,
    interval,
    network,
    poisson,
    stream,
    surge,
    total,
)


def _non_asf(rate: float, timeout: float, messages: int = 4_000) -> NetworkSpec:
    return network(
        stream(
            arrivals=poisson(rate),
            service=constant(15.0),
            transaction=Transaction(lifetime=120.0),
            poller=Poller(PollerKind.EAGER, 1, receive_timeout=timeout),
        ),
        pool=Pool(),
        horizon=Horizon(messages=messages),
    )


def _rollbacks(result: ReplicationResult) -> float:
    """Return the rollbacks per completed message."""
    return total(result, Count.TRANSACTION_TIMEOUTS) / total(result, Count.COMPLETED)


@pytest.mark.parametrize(("rate", "idle"), [(1 / 600, 0.0416), (1 / 60, 0.0165)])
def test_job_4_waiting_sessions_roll_back_with_the_probability_of_the_formula(rate: float, idle: float) -> None:
    """The formula holds for a message that finds its session waiting: the first of a busy period.

    Such a period has (1 + use p) / (1 - use) messages on average, as its first one is served 1 + p times.
    """
    receive, limit, service = 110.0, 120.0, 15.0
    p = (math.exp(-rate * (limit - service)) - math.exp(-rate * receive)) / (1.0 - math.exp(-rate * receive))
    assert p == pytest.approx(idle, abs=5e-5)
    use = rate * service
    lower, upper = interval(_non_asf(rate, receive), _rollbacks)
    assert lower <= p * (1.0 - use) / (1.0 + use * p) <= upper


def test_job_4_a_receive_timeout_below_105_seconds_never_rolls_back() -> None:
    result = replicate(_non_asf(1 / 60, 104.0), seed=1, replication=0)
    assert total(result, Count.TRANSACTION_TIMEOUTS) == 0


def _one_at(instant: float) -> ArrivalSpec:
    return ArrivalSpec(ArrivalKind.SURGE, count=1, start=instant)


def _transaction(wait: float, work: float) -> ReplicationResult:
    """Return the result of one message that arrives after ``wait`` seconds inside receive() and needs ``work``."""
    spec = _non_asf(1.0, 110.0)
    one = stream(
        arrivals=_one_at(wait),
        service=constant(work),
        transaction=Transaction(lifetime=120.0),
        poller=Poller(PollerKind.EAGER, 1, receive_timeout=110.0),
    )
    return replicate(NetworkSpec(spec.pools, (one,), Horizon(drained=True)), seed=1, replication=0)


@pytest.mark.parametrize(("wait", "work", "rolled_back"), [(109.0, 15.0, 1), (100.0, 15.0, 0), (105.0, 15.0, 0)])
def test_examples_11_to_13_the_wait_counts_into_the_transaction(wait: float, work: float, rolled_back: int) -> None:
    assert total(_transaction(wait, work), Count.TRANSACTION_TIMEOUTS) == rolled_back


@pytest.mark.parametrize("kind", [PollerKind.TOKEN, PollerKind.LEGACY, PollerKind.EAGER])
def test_without_a_receive_timeout_the_transaction_begins_with_the_message(kind: PollerKind) -> None:
    late = stream(
        arrivals=_one_at(1_000.0),
        service=constant(0.1),
        transaction=Transaction(lifetime=30.0),
        poller=Poller(kind, 1, interval=1.0),
    )
    result = replicate(network(late, pool=Pool(), horizon=Horizon(drained=True)), seed=1, replication=0)
    assert total(result, Count.COMPLETED) == 1
    assert total(result, Count.TRANSACTION_TIMEOUTS) == 0


def _quiet(kind: PollerKind, sessions: int) -> float:
    """Return the threads held without any message."""
    spec = network(
        stream(
            arrivals=_one_at(1e3),
            poller=Poller(kind, sessions, interval=1.0),
        ),
        pool=Pool(threads_per_servant=20),
        horizon=Horizon(time=100.0),
    )
    result = replicate(spec, seed=1, replication=0)
    return float(result.pool_sums[:, 0, PoolSum.HELD].sum() / result.durations.sum())


@pytest.mark.parametrize(
    ("kind", "held"),
    [(PollerKind.EAGER, 10.0), (PollerKind.ON_MESSAGE, 0.0), (PollerKind.TOKEN, 1.0), (PollerKind.LEGACY, 1.0)],
)
def test_examples_15_and_26_threads_held_on_an_empty_queue(kind: PollerKind, held: float) -> None:
    assert _quiet(kind, 10) == pytest.approx(held)


def test_example_17_sessions_beyond_the_pool_have_no_thread() -> None:
    assert _quiet(PollerKind.EAGER, 25) == pytest.approx(20.0)


def test_example_26_every_received_message_wakes_one_more_poller_up_to_the_cap() -> None:
    spec = network(
        stream(arrivals=surge(400), service=constant(1.0), poller=Poller(PollerKind.TOKEN, 16)),
        pool=Pool(threads_per_servant=50),
        horizon=Horizon(drained=True),
    )
    result = replicate(spec, seed=1, replication=0)
    assert result.pool_sums[:, 0, PoolSum.BUSY].sum() == pytest.approx(400.0)
    assert result.durations.sum() == pytest.approx(25.0)
    assert np.array_equal(result.per_instance, [[400]])


def test_a_batch_of_a_poller_takes_what_is_there() -> None:
    spec = network(
        stream(
            arrivals=surge(23),
            service=exponential(0.01),
            poller=Poller(PollerKind.TOKEN, 1),
            transaction=Transaction(batch=10, commit_time=0.02),
        ),
        pool=Pool(threads_per_servant=4),
        horizon=Horizon(drained=True),
    )
    result = replicate(spec, seed=1, replication=0)
    assert total(result, Count.BATCHES) == 3
    assert total(result, Count.BATCHED) == 23


def test_a_poller_that_finds_no_room_for_its_message_keeps_its_thread() -> None:
    """Failed messages wait 1,000 s, so the table of messages fills up while the poller asks for the next one."""
    spec = network(
        stream(
            arrivals=SATURATED,
            service=constant(0.1),
            poller=Poller(PollerKind.EAGER, 1),
            failure_rate=1.0,
            redelivery=Redelivery(delay=1_000.0, limit=2),
        ),
        pool=Pool(),
        horizon=Horizon(time=600.0),
    )
    result = replicate(spec, seed=1, replication=0)
    assert all(check.passed for check in result.checks)
    assert total(result, Count.FAILED) == pytest.approx(6_000, abs=2)


def _sessions(count: int, arrivals: ArrivalSpec, horizon: Horizon) -> NetworkSpec:
    """Return a non-ASF port of ``count`` sessions: receive timeout 110 s, lifetime 120 s, 15 s a message."""
    one = stream(
        arrivals=arrivals,
        service=constant(15.0),
        transaction=Transaction(lifetime=120.0),
        poller=Poller(PollerKind.EAGER, count, receive_timeout=110.0),
    )
    return network(one, pool=Pool(threads_per_servant=count), horizon=horizon)


def test_a_rolled_back_message_goes_to_the_session_that_waits_longest() -> None:
    """Messages at 109, 218, 327 and 436 s, by hand: who rolled a message back begins a new wait, which ages.

    109: A (age 109) until 124, rolled back; B (age 14) until 139. 218: A (age 94) until 233.
    327: B (since 139, age 78) until 342. 436: A (since 233, age 93) until 451. Had A kept its message, it would wait
    from 139 on and B from 0 on: B would take the one of 218 with age 108, and roll it back.
    """
    spec = _sessions(2, ArrivalSpec(ArrivalKind.RENEWAL, law=constant(109.0)), Horizon(time=460.0))
    result = replicate(spec, seed=1, replication=0)
    assert total(result, Count.TRANSACTION_TIMEOUTS) == 1
    assert total(result, Count.COMPLETED) == 4


def _reference(rate: float, sessions: int, messages: int, seed: int) -> float:
    """Return the rollbacks per message of a plain event loop that shares nothing with the engine."""
    draw = np.random.default_rng(seed)
    arrivals = np.cumsum(draw.exponential(1.0 / rate, messages)).tolist()
    waiting = [0.0] * sessions
    busy: list[tuple[float, bool]] = []
    backlog = rolled = 0
    while arrivals or busy:
        if busy and (not arrivals or busy[0][0] <= arrivals[0]):
            now, late = busy.pop(0)
            rolled += late
            backlog += late
            waiting.append(now)
        else:
            now = arrivals.pop(0)
            backlog += 1
        while backlog and waiting:
            age = (now - waiting.pop(0)) % 110.0
            busy.append((now + 15.0, age + 15.0 > 120.0))
            backlog -= 1
    return rolled / messages


def test_rollbacks_of_five_sessions_match_a_plain_event_loop() -> None:
    runs = [_reference(1 / 60, 5, 4_000, seed) for seed in range(10)]
    error = 3.0 * float(np.std(runs, ddof=1)) / math.sqrt(len(runs))
    lower, upper = interval(_sessions(5, poisson(1 / 60), Horizon(messages=4_000)), _rollbacks)
    assert lower - error <= float(np.mean(runs)) <= upper + error
    assert upper - lower < 0.1 * float(np.mean(runs))
