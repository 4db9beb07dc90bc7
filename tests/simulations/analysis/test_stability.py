"""Who keeps up: closed form first, drift otherwise, and no false alarm at a busy but stable queue."""

from dataclasses import replace

import pytest

from simulations.analysis.rows import compact
from simulations.analysis.sample import Sample, gather
from simulations.analysis.stability import unstable_queues
from simulations.engine.network import ArrivalKind, NetworkSpec
from tests.simulations.analysis.synthetic import network, replication


def sample(spec: NetworkSpec, replications: int = 8) -> Sample:
    return gather(spec, [compact(replication(spec, number)) for number in range(replications)])


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
    assert unstable_queues(busy, {"orders": 67.55}) != ()
    assert unstable_queues(busy, {"orders": 90.0}) == ()


def test_a_queue_that_is_never_empty_is_not_judged() -> None:
    spec = network(18, 135, 0.2, messages=4000)
    full = replace(spec.streams[0], arrivals=replace(spec.streams[0].arrivals, kind=ArrivalKind.SATURATED))
    rows = [compact(replication(spec, number)) for number in range(4)]
    assert unstable_queues(gather(replace(spec, streams=(full,)), rows), {"orders": 1.0}) == ()


def test_a_run_out_of_room_is_unstable_even_without_a_steady_state() -> None:
    spec = network(18, 135, 0.2, messages=4000)
    surge = replace(spec.streams[0], arrivals=replace(spec.streams[0].arrivals, kind=ArrivalKind.SURGE))
    rows = [compact(replication(spec, number)) for number in range(3)]
    transient = replace(spec, streams=(surge,))
    assert unstable_queues(gather(transient, rows), {}) == ()
    full = [replace(row, overflow=True) for row in rows]
    assert len(unstable_queues(gather(transient, full), {})) == 1
