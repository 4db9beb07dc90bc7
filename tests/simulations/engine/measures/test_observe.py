"""Integrals, segments and the timeline of networks whose course is known exactly."""

import numpy as np
import pytest

from simulations.engine.network.model import ArrivalKind, ArrivalSpec, Gate, Horizon, Poller, PollerKind, Pool
from simulations.engine.network.results import SEGMENTS, TIMELINE_SAMPLES, Count, PoolSum, Sum, Timeline
from simulations.engine.replicate import replicate
from tests.simulations.engine.networks import constant, network, stream, surge

ONE, THREE = Pool(), Pool(threads_per_servant=3)


def test_four_messages_one_after_the_other_have_exact_integrals() -> None:
    spec = network(stream(arrivals=surge(4), service=constant(1.0)), pool=ONE, horizon=Horizon(time=8.0))
    result = replicate(spec, seed=1, replication=0)
    sums, pool = result.sums.sum(axis=0)[0], result.pool_sums.sum(axis=0)[0]
    assert (sums[Sum.BACKLOG], sums[Sum.RUNNING], sums[Sum.PREPARED]) == (6.0, 4.0, 0.0)
    assert (sums[Sum.LATENCY], sums[Sum.WAIT_THREAD], sums[Sum.WAITING]) == (10.0, 6.0, 4.0)
    assert (pool[PoolSum.BUSY], pool[PoolSum.IDLE_NO_WORK], pool[PoolSum.IDLE_BLOCKED]) == (4.0, 4.0, 0.0)


def test_segments_share_what_happens_at_their_ends() -> None:
    spec = network(stream(arrivals=surge(4), service=constant(1.0)), pool=ONE, horizon=Horizon(time=8.0))
    result = replicate(spec, seed=1, replication=0)
    assert result.durations.tolist() == [0.5] * SEGMENTS
    assert result.sums[:, 0, Sum.BACKLOG].tolist() == [1.5, 1.5, 1.0, 1.0, 0.5, 0.5] + [0.0] * 10
    assert result.counts[:, 0, Count.COMPLETED].sum() == 4
    assert result.pool_sums[:, 0, PoolSum.BUSY].tolist() == [0.5] * 8 + [0.0] * 8


def test_threads_that_a_closed_gate_keeps_idle_are_counted_apart() -> None:
    gated = stream(arrivals=surge(4), service=constant(1.0), gate=Gate(2, 0))
    result = replicate(network(gated, pool=THREE, horizon=Horizon(time=4.0)), seed=1, replication=0)
    pool = result.pool_sums.sum(axis=0)[0]
    assert (pool[PoolSum.BUSY], pool[PoolSum.IDLE_BLOCKED]) == (4.0, 1.0), (
        "one of three threads, while two are held back"
    )
    assert result.sums[:, 0, Sum.BLOCKED].sum() == 2.0
    assert pool[PoolSum.IDLE_NO_WORK] == 7.0


def test_pollers_that_wait_hold_their_threads() -> None:
    polled = stream(arrivals=surge(1), service=constant(1.0), poller=Poller(PollerKind.EAGER, 2))
    result = replicate(network(polled, pool=THREE, horizon=Horizon(time=4.0)), seed=1, replication=0)
    pool = result.pool_sums.sum(axis=0)[0]
    assert (pool[PoolSum.HELD], pool[PoolSum.BUSY], pool[PoolSum.IDLE_NO_WORK]) == (7.0, 1.0, 4.0)


def test_the_timeline_shows_the_state_at_even_instants() -> None:
    regular = stream(arrivals=ArrivalSpec(ArrivalKind.CONSTANT, rate=1.0), service=constant(0.5))
    result = replicate(network(regular, pool=ONE, horizon=Horizon(time=70.0)), seed=1, replication=0)
    at, running = result.timeline_at, result.timeline[:, 0, Timeline.RUNNING]
    np.testing.assert_allclose(np.diff(at), 0.1)
    inside = (at > 1.01) & ((at % 1.0 < 0.46) & (at % 1.0 > 0.04))
    outside = (at % 1.0 > 0.54) & (at % 1.0 < 0.96)
    assert (running[inside] == 1).all()
    assert (running[outside] == 0).all()
    latency = result.timeline[:, 0, Timeline.LATENCY]
    assert latency[np.isfinite(latency)] == pytest.approx(0.5)


def test_a_full_timeline_keeps_every_second_sample() -> None:
    regular = stream(arrivals=ArrivalSpec(ArrivalKind.CONSTANT, rate=10.0), service=constant(0.01))
    result = replicate(network(regular, pool=ONE, horizon=Horizon(messages=3_000)), seed=1, replication=0)
    steps = np.diff(result.timeline_at)
    assert TIMELINE_SAMPLES // 2 <= len(result.timeline_at) < TIMELINE_SAMPLES
    np.testing.assert_allclose(steps, 0.4)
