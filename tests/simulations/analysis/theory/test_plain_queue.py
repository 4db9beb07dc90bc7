"""Networks are reduced to plain queues only where nothing of them is lost."""

import dataclasses
from typing import Any

import pytest

from simulations.analysis.theory.plain_queue import UNCOVERED, PlainQueue, plain_queue
from simulations.engine.network.model import (
    ArrivalKind,
    ArrivalSpec,
    Gate,
    Horizon,
    Law,
    LawKind,
    NetworkSpec,
    Pool,
    PoolGrowth,
    Stream,
    Window,
)

POOL = Pool(cpus=2, threads_per_servant=6)
STREAM = Stream("orders", 0, ArrivalSpec(ArrivalKind.POISSON, rate=20.0), Law(LawKind.EXPONENTIAL, 0.2))


def reduced(pool: Pool = POOL, **settings: Any) -> PlainQueue | None:
    stream = dataclasses.replace(STREAM, **settings)
    return plain_queue(NetworkSpec((pool,), (stream,), Horizon(messages=1)), 0)


def plain(pool: Pool = POOL, **settings: Any) -> PlainQueue:
    queue = reduced(pool, **settings)
    assert queue is not None
    return queue


def test_numbers_of_a_queue_that_has_its_threads_to_itself() -> None:
    queue = plain()
    assert (queue.rate, queue.service, queue.threads, queue.cpus) == (20.0, 0.2, 6, 2)
    assert (queue.high, queue.low, queue.is_gate, queue.gate_never_binds) == (6, 5, False, True)
    assert (queue.markov, queue.capacity, queue.capacity_is_exact) == (True, 30.0, True)


@pytest.mark.parametrize(
    ("settings", "marks", "binds"),
    [
        ({"gate": Gate(12, 6)}, (12, 6), False),
        ({"gate": Gate(6, 5)}, (6, 5), False),
        ({"gate": Gate(6, 4)}, (6, 4), True),
        ({"gate": Gate(5, 5)}, (5, 5), True),
        ({"window": Window(8, 3)}, (8, 3), True),
    ],
)
def test_a_gate_binds_when_a_thread_may_idle_while_messages_are_held_back(
    settings: dict[str, Any], marks: tuple[int, int], *, binds: bool
) -> None:
    queue = plain(**settings)
    assert (queue.high, queue.low) == marks
    assert queue.gate_never_binds is not binds


def test_shared_cpus_bound_the_capacity_where_there_are_fewer_than_threads() -> None:
    queue = plain(cpu_share=0.5)
    assert (queue.cpu_share, queue.capacity, queue.capacity_is_exact, queue.markov) == (0.5, 20.0, False, False)
    assert plain(dataclasses.replace(POOL, cpus=6), cpu_share=0.5).cpu_share == 0.0


def test_a_surge_has_its_messages_and_what_arrives_after_it() -> None:
    queue = plain(arrivals=ArrivalSpec(ArrivalKind.SURGE, rate=3.0, count=40, start=5.0))
    assert (queue.surge, queue.surge_at, queue.rate, queue.poisson) == (40, 5.0, 3.0, True)


def test_regular_arrivals_have_a_law_of_their_intervals() -> None:
    assert plain(arrivals=ArrivalSpec(ArrivalKind.CONSTANT, rate=4.0)).interval == Law(LawKind.CONSTANT, 0.25)
    law = Law(LawKind.GAMMA, 2.0, 0.5)
    renewal = plain(arrivals=ArrivalSpec(ArrivalKind.RENEWAL, law=law))
    assert (renewal.interval, renewal.rate) == (law, 1.0)
    assert renewal.arrival_cv2 == pytest.approx(0.5)
    assert plain().interval is None


@pytest.mark.parametrize(
    ("pool", "settings"),
    [
        *((POOL, {name: True}) for name in UNCOVERED),
        (POOL, {"constraint": (0,)}),
        (POOL, {"gate": Gate(4, 2, agent_time=0.1)}),
        (POOL, {"window": Window(4, 2, round_trip=0.1)}),
        (POOL, {"window": Window(4, 2, connection_limit=9)}),
        (POOL, {"gate": Gate(4, 2), "window": Window(4, 2)}),
        (POOL, {"service": Law(LawKind.CONSTANT, 0.0)}),
        (POOL, {"arrivals": ArrivalSpec(ArrivalKind.ON_OFF, 1.0, 1.0, 1.0, 1.0)}),
        (Pool(instances=2), {}),
        (Pool(growth=PoolGrowth.HISTORY), {}),
        (Pool(servants_min=1, servants_max=2, growth=PoolGrowth.SERVANTS), {}),
    ],
)
def test_what_no_formula_covers_is_not_reduced(pool: Pool, settings: dict[str, Any]) -> None:
    assert reduced(pool, **settings) is None


def test_streams_that_share_a_pool_are_not_reduced() -> None:
    assert plain_queue(NetworkSpec((POOL,), (STREAM, STREAM), Horizon(messages=1)), 0) is None
