"""The door: determinism, horizons, overflow, common random numbers."""

import dataclasses

import numpy as np
import pytest

from simulations.engine import replicate as door
from simulations.engine.network.model import (
    ArrivalKind,
    ArrivalSpec,
    Constraint,
    Copies,
    Gate,
    Horizon,
    Law,
    LawKind,
    Pool,
    Redelivery,
)
from simulations.engine.network.results import SEGMENTS, Count
from simulations.engine.records.codes import Step
from simulations.engine.replicate import NetworkError, replicate, replicate_traced
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


def _renewal(law: Law) -> ArrivalSpec:
    return ArrivalSpec(ArrivalKind.RENEWAL, law=law)


@pytest.mark.parametrize(
    "law",
    [Law(LawKind.EMPIRICAL, values=(0.0,) * 9_999 + (10.0,)), Law(LawKind.GAMMA, a=1e-4, b=100.0)],
    ids=["zeros", "far apart"],
)
def test_intervals_of_no_length_find_room_for_all_their_messages(law: Law) -> None:
    """Thousands of messages arrive at one instant, which nothing has announced: the table grows between them."""
    spec = network(stream(arrivals=_renewal(law)), pool=Pool(threads_per_servant=2), horizon=Horizon(time=50.0))
    result, steps = replicate_traced(spec, seed=1, replication=0, trace=100_000)
    assert all(check.passed for check in result.checks)
    arrived = steps[steps["step"] == Step.ARRIVE]
    assert max(np.unique(arrived["time"], return_counts=True)[1]) > 500
    assert arrived["message"].tolist() == list(range(total(result, Count.ARRIVED)))


def test_copies_of_a_topic_return_to_their_instance_after_messages_were_refused() -> None:
    spec = network(
        stream(
            arrivals=poisson(60.0),
            service=exponential(0.05),
            copies=Copies.PER_INSTANCE,
            constraint=(0,),
            failure_rate=0.4,
            redelivery=Redelivery(delay=0.01),
        ),
        pool=Pool(instances=2, threads_per_servant=2, constraints=(Constraint(capacity=6),)),
        horizon=Horizon(time=100.0),
    )
    result = replicate(spec, seed=1, replication=0)
    assert total(result, Count.REJECTED) % 2 == 1 or total(result, Count.REJECTED) > 100
    done, left = result.per_instance[0], result.by_instance[-1, 0]
    assert abs(done[0] - done[1]) <= 6, (done, left)


def test_a_negative_seed_is_refused() -> None:
    with pytest.raises(NetworkError, match="seed"):
        replicate(throttle(high=2, low=1), seed=-1, replication=0)
