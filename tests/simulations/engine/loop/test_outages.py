"""Outages against the transient solution of M/M/c, and what an overloaded WLM queue does, step by step."""

import math
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.linalg import expm

from simulations.engine.network.model import (
    ArrivalKind,
    ArrivalSpec,
    Exhausted,
    Gate,
    Horizon,
    NetworkSpec,
    Outage,
    Poller,
    PollerKind,
    Pool,
    PoolGrowth,
    Redelivery,
    Send,
    Window,
)
from simulations.engine.network.results import Count, PoolSum, Timeline
from simulations.engine.records.codes import Step
from simulations.engine.replicate import replicate
from tests.simulations.engine.courses import counted, course, instants, one
from tests.simulations.engine.networks import exponential, network, poisson, stream, surge

_RATE, _MEAN, _SERVERS, _MOST = 12.0, 0.2, 3, 150
_AWAY, _TIME = 6.0, 2.0
_REPLICATIONS = 400
_T99 = 2.588


def _generator(servers: int) -> NDArray[np.float64]:
    """Return the generator of M/M/c, cut off where nobody ever is."""
    states = np.arange(_MOST + 1)
    up, down = np.full(_MOST, _RATE), np.minimum(states[1:], servers) / _MEAN
    chain = np.diag(up, 1) + np.diag(down, -1)
    rates: NDArray[np.float64] = chain - np.diag(chain.sum(axis=1))
    return rates


def _expected(time: float) -> float:
    """Return the mean number of messages inside at ``time``: the chain works, is away and works again."""
    spans = [(_SERVERS, min(time, _AWAY)), (0, min(max(time - _AWAY, 0.0), _TIME)), (_SERVERS, time - _AWAY - _TIME)]
    state = np.zeros(_MOST + 1)
    state[0] = 1.0
    for servers, span in spans:
        if span > 0.0:
            state = state @ expm(_generator(servers) * span)
    return float(state @ np.arange(_MOST + 1))


STAGED: list[dict[str, Any]] = [
    {},
    {"gate": Gate(12, 6)},
    {"window": Window(8, 4)},
    {"poller": Poller(PollerKind.EAGER, _SERVERS)},
]
"""What may stand before the threads without being felt: a prepared message is never without a thread that could run."""


def _network(broker: bool, staged: dict[str, Any]) -> NetworkSpec:  # noqa: FBT001 - a parameter of the test
    """The server is away, or the broker alone."""
    away = Outage(_AWAY, _TIME)
    queue = stream(arrivals=poisson(_RATE), service=exponential(_MEAN), absence=away if broker else None, **staged)
    pool = Pool(threads_per_servant=_SERVERS, cpus=_SERVERS, outage=None if broker else away)
    return network(queue, pool=pool, horizon=Horizon(time=14.0))


@pytest.mark.parametrize("broker", [False, True])
@pytest.mark.parametrize("staged", STAGED, ids=["direct", "gate", "window", "poller"])
def test_an_outage_matches_the_transient_solution_of_mmc(broker: bool, staged: dict[str, Any]) -> None:  # noqa: FBT001
    """What ran begins again after the outage with a new demand, which an exponential one does not notice."""
    at = np.array([3.0, 5.9, 7.0, 7.95, 8.5, 10.0, 13.5])
    found = []
    for replication in range(_REPLICATIONS):
        result = replicate(_network(broker, staged), seed=7, replication=replication)
        assert all(check.passed for check in result.checks), result.checks
        rows = np.searchsorted(result.timeline_at, at)
        seen = result.timeline[rows, 0][:, [Timeline.BACKLOG, Timeline.PREPARED, Timeline.RUNNING]]
        found.append(seen.sum(axis=1))
        times = result.timeline_at[rows]
    half = _T99 * np.std(found, axis=0, ddof=1) / math.sqrt(_REPLICATIONS)
    for time, mean, width in zip(times, np.mean(found, axis=0), half, strict=True):
        assert abs(mean - _expected(float(time))) < 1.3 * width, (time, mean, _expected(float(time)), width)


def test_what_a_server_holds_goes_back_and_comes_again() -> None:
    """Two run, one is prepared and one is with the agent when the server goes away after half a second."""
    pool = Pool(threads_per_servant=2, outage=Outage(0.5, 2.0))
    spec = one(arrivals=surge(4), pool=pool, gate=Gate(9, 4, 0.15), redelivery=Redelivery(limit=3))
    assert instants(spec, Step.PREPARE) == pytest.approx([0.15, 0.3, 0.45, 2.65, 2.8, 2.95, 3.1])
    assert instants(spec, Step.COMPLETE) == pytest.approx([3.65, 3.8, 4.65, 4.8])
    assert counted(spec, Count.ROLLBACKS, Count.REDELIVERIES, Count.COMPLETED) == [2, 3, 4]
    held = replicate(spec, seed=1, replication=0).pool_sums[:, 0, PoolSum.HELD].sum()
    assert held == pytest.approx(4.0)


def test_other_members_take_the_work_of_the_one_that_is_away() -> None:
    pool = Pool(instances=2, outage=Outage(0.5, 100.0), outage_instances=1)
    spec = one(arrivals=surge(4), pool=pool)
    assert instants(spec, Step.COMPLETE) == [1.0, 2.0, 3.0, 4.0]
    assert [message for _, _, message in course(spec, Step.COMPLETE)] == [1, 0, 2, 3]


def test_a_server_fails_beyond_the_capacity_of_its_queue_and_starts_again() -> None:
    """Three threads take three of eight prepared messages at once; five are more than the queue bears."""
    pool = Pool(threads_per_servant=3, queue_capacity=4, restart_time=10.0)
    gate = Gate(8, 4)
    spec = one(arrivals=surge(8), pool=pool, gate=gate)
    assert len(instants(spec, Step.PREPARE)) == 8 * 5, "it fails at 0, 10, 20, 30 and 40 s, with the same flood"
    assert counted(spec, Count.COMPLETED, Count.ROLLBACKS) == [0, 15]
    bearable = one(arrivals=surge(7), pool=pool, gate=gate)
    assert counted(bearable, Count.COMPLETED, Count.ROLLBACKS) == [7, 0]


def test_an_outage_during_a_restart_counts_from_its_begin() -> None:
    pool = Pool(queue_capacity=1, restart_time=3.0, outage=Outage(2.0, 4.0))
    spec = one(arrivals=surge(3), pool=pool, gate=Gate(3, 0))
    assert sorted(set(instants(spec, Step.PREPARE)))[:3] == [0.0, 6.0, 9.0]


def test_servants_that_start_late_are_away_with_their_server() -> None:
    """A second servant would be ready at 2 s; its start is forgotten and begins again when work waits."""
    pool = Pool(
        servants_max=2,
        servants_min=1,
        servant_start_time=2.0,
        growth=PoolGrowth.SERVANTS,
        outage=Outage(1.5, 1.0),
    )
    assert instants(one(arrivals=surge(6), pool=pool), Step.COMPLETE) == [1.0, 3.5, 4.5, 5.5, 5.5, 6.5]


def test_a_consumer_that_loses_its_broker_gives_everything_back_and_is_a_new_one_afterwards() -> None:
    """Of six messages two run, two are in the buffer and two on the broker; after the outage all six come again."""
    pool = Pool(threads_per_servant=2)
    spec = one(arrivals=surge(6), pool=pool, window=Window(4, 1), absence=Outage(0.5, 2.0))
    assert instants(spec, Step.PREPARE) == [0.0] * 4 + [2.5] * 4 + [4.5] * 2
    assert instants(spec, Step.COMPLETE) == [3.5, 3.5, 4.5, 4.5, 5.5, 5.5]
    assert counted(spec, Count.ROLLBACKS, Count.REDELIVERIES, Count.COMPLETED) == [2, 4, 6]
    held = replicate(spec, seed=1, replication=0).pool_sums[:, 0, [PoolSum.HELD, PoolSum.AWAY]].sum()
    assert held == 0.0, "its threads are free for other work"


def test_a_message_may_die_of_a_broker_but_no_listener_stops() -> None:
    last = Redelivery(limit=1, exhausted=Exhausted.STOP_STREAM)
    spec = one(arrivals=surge(2), pool=Pool(), redelivery=last, absence=Outage(0.5, 2.0))
    assert instants(spec, Step.COMPLETE) == [3.5, 4.5]
    dead = one(arrivals=surge(2), pool=Pool(), redelivery=Redelivery(limit=1), absence=Outage(0.5, 2.0))
    assert counted(dead, Count.DEAD_LETTERS, Count.COMPLETED) == [1, 1]


def test_pollers_begin_anew_with_their_broker() -> None:
    poller = Poller(PollerKind.EAGER, 2)
    spec = one(arrivals=surge(3), pool=Pool(threads_per_servant=2), poller=poller, absence=Outage(0.5, 2.0))
    assert instants(spec, Step.COMPLETE) == [3.5, 3.5, 4.5]
    held = replicate(spec, seed=1, replication=0).pool_sums[:, 0, PoolSum.HELD].sum()
    assert held == pytest.approx(50.0 - 3.5 + 50.0 - 4.5), "nobody waits inside receive() without a broker"


def test_beans_fail_that_send_to_a_queue_whose_broker_is_away() -> None:
    """The delivery that ends at 1 s is refused, the one that ends at 2 s too; the broker is back at 2.5 s."""
    target = stream(name="next", arrivals=ArrivalSpec(ArrivalKind.NONE), absence=Outage(0.5, 2.0))
    spec = one(arrivals=surge(1), pool=Pool(), sends=(Send(1),))
    spec = NetworkSpec(spec.pools, (*spec.streams, target), spec.horizon)
    assert counted(spec, Count.FAILED, Count.COMPLETED) == [2, 1]


def test_failed_deliveries_that_were_acknowledged_are_lost() -> None:
    spec = one(arrivals=surge(400), pool=Pool(threads_per_servant=400), failure_rate=1.0, loss_rate=0.25)
    result = replicate(spec, seed=3, replication=0)
    lost, failed = counted(spec, Count.DROPPED, Count.FAILED)
    assert lost == 400
    assert all(check.passed for check in result.checks)
    assert abs(lost / failed - 0.25) < 2.6 * math.sqrt(0.25 * 0.75 / failed)
