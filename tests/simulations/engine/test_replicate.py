"""The door: determinism, horizons, overflow, common random numbers."""

import dataclasses

import numpy as np
import pytest

from simulations.engine import replicate as door
from simulations.engine.layout import Step
from simulations.engine.network import Gate, Horizon, NetworkSpec, Pool
from simulations.engine.replicate import NetworkError, replicate, replicate_traced
from simulations.engine.results import SEGMENTS, Count
from tests.simulations.engine.networks import exponential, network, poisson, stream, throttle, total


def test_the_same_address_gives_the_same_result() -> None:
    spec = throttle(high=36, low=18, arrivals=poisson(81.0), messages=5_000)
    one, other = (replicate(spec, seed=5, replication=2) for _ in range(2))
    for field in dataclasses.fields(one):
        np.testing.assert_array_equal(getattr(one, field.name), getattr(other, field.name))


def test_replications_differ() -> None:
    spec = throttle(high=36, low=18, arrivals=poisson(81.0), messages=500)
    one, other = (replicate(spec, seed=5, replication=r) for r in range(2))
    assert one.durations.sum() != other.durations.sum()


def test_messages_arrive_at_the_same_instants_at_every_setting() -> None:
    traces = []
    for gate in (Gate(36, 18), Gate(4, 2)):
        spec = throttle(high=gate.high, low=gate.low, arrivals=poisson(10.0), messages=300)
        steps = replicate_traced(spec, seed=5, replication=0, trace=1_000)[1]
        traces.append(steps["time"][steps["step"] == Step.ARRIVE][:200])
    np.testing.assert_array_equal(*traces)


def test_a_horizon_of_messages_stops_there_in_equal_segments() -> None:
    result = replicate(throttle(high=36, low=18, messages=1_600), seed=1, replication=0)
    assert result.counts[:, 0, Count.COMPLETED].tolist() == [100] * SEGMENTS


def test_a_horizon_of_time_stops_there_in_equal_segments() -> None:
    spec = network(stream(), pool=Pool(threads_per_servant=4), horizon=Horizon(time=32.0))
    assert replicate(spec, seed=1, replication=0).durations.tolist() == pytest.approx([2.0] * SEGMENTS)


def test_an_unstable_queue_ends_early_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(door, "MOST_MESSAGES", 5_000)
    spec = network(stream(arrivals=poisson(1_000.0)), pool=Pool(), horizon=Horizon(messages=1_000_000))
    result = replicate(spec, seed=1, replication=0)
    assert result.overflow
    assert all(check.passed for check in result.checks)
    assert total(result, Count.ARRIVED) > 5_000 - 1_000


def _broken() -> dict[str, NetworkSpec]:
    good = throttle(high=2, low=1)
    pool, one, horizon = good.pools[0], good.streams[0], good.horizon
    return {
        "stream": NetworkSpec((pool,), (), horizon),
        "horizon": NetworkSpec((pool,), (one,), Horizon()),
        "gate": NetworkSpec((pool,), (dataclasses.replace(one, gate=Gate(2, 3)),), horizon),
        "numbers of arrivals": NetworkSpec(
            (pool,), (dataclasses.replace(one, arrivals=poisson(float("nan"))),), horizon
        ),
        "a rate": NetworkSpec((pool,), (dataclasses.replace(one, arrivals=poisson(0.0)),), horizon),
        "threads": NetworkSpec((Pool(threads_per_servant=0),), (one,), horizon),
        "law": NetworkSpec((pool,), (dataclasses.replace(one, service=exponential(-1.0)),), horizon),
        "no pool 3": NetworkSpec((pool,), (dataclasses.replace(one, pool=3),), horizon),
        "drained": NetworkSpec((pool,), (one,), Horizon(drained=True)),
    }


@pytest.mark.parametrize("part", list(_broken()))
def test_a_network_that_makes_no_sense_is_refused_by_name(part: str) -> None:
    with pytest.raises(NetworkError, match=part):
        replicate(_broken()[part], seed=1, replication=0)


def test_a_negative_seed_is_refused() -> None:
    with pytest.raises(NetworkError, match="seed"):
        replicate(throttle(high=2, low=1), seed=-1, replication=0)
