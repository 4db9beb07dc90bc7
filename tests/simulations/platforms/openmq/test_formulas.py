"""Thresholds, limits and the memory of a credit window."""

import pytest

from simulations.declarations.workload import Saturated
from simulations.engine.network.results import PoolSum
from simulations.engine.replicate import replicate
from simulations.platforms.openmq import OPENMQ
from simulations.platforms.openmq.formulas import (
    limit_for_full_pool,
    max_concurrency,
    mean_concurrency,
    producer_batch,
    threshold,
)
from simulations.platforms.openmq.parameters import MdbSettings
from simulations.scenario.runsettings import RunHorizon, RunSettings
from simulations.scenario.spec import parse
from tests.simulations.platforms.samples import formula_value, mdb, scenario_body


@pytest.mark.parametrize(
    ("limit", "percent", "left"),
    [
        (1000, 50, 500),
        (1000, 10, 100),
        (100, 75, 75),
        (16, 50, 8),
        (7, 50, 3),
        (5, 50, 2),
        (10, 100, 9),
        (10, 0, 0),
        (1, 50, 0),
        (1, 100, 0),
    ],
)
def test_the_threshold_of_a_limit(limit: int, percent: float, left: int) -> None:
    """Fact list, examples 38-40."""
    assert threshold(limit, percent) == left


@pytest.mark.parametrize(("messages", "batch"), [(100_000, 1000), (500, 5), (50, 1), (-1, 1000)])
def test_messages_of_a_resumed_producer(messages: int, batch: int) -> None:
    """Fact list, example 47."""
    assert producer_batch(MdbSettings(max_num_msgs=messages)) == batch


def test_no_limit_fills_the_pool_without_a_threshold() -> None:
    assert limit_for_full_pool(32, 0) is None
    assert limit_for_full_pool(32, 33) == 97


def test_the_round_trip_raises_the_limit() -> None:
    body = scenario_body("openmq", queue={"consumer_flow_limit": 64})
    body["queues"][0]["service"] = {"kind": "exponential", "mean": 0.005}
    derivation = OPENMQ.derive(parse(body).system)
    assert formula_value(derivation, "min_limit_with_round_trip") == 128
    assert {item.rule: item.status for item in derivation.findings}["openmq.round-trip-covered"] == "violated"


def test_memory_for_messages_sent_ahead() -> None:
    """Limit × size × instances."""
    spec = parse(scenario_body("openmq", instances=2, message_size=2000))
    assert formula_value(OPENMQ.derive(spec.system), "heap") == 1000 * 2000 * 2


@pytest.mark.parametrize(
    ("count", "most", "mean"),
    [(0, 5, 5.0), (100, 32, 23.668), (3, 7, 5.888)],
)
def test_metering_passes_the_limit_of_the_connection(count: int, most: int, mean: float) -> None:
    """The limit is looked at after each batch only; the simulation of a queue that is never empty agrees."""
    connection = {"connection_flow_limit_enabled": True, "connection_flow_limit": 5, "connection_flow_count": count}
    spec = mdb(server=connection, round_trip=0.0)
    full = spec.queues[0].model_copy(update={"arrivals": Saturated()})
    spec = spec.model_copy(update={"queues": (full,), "run": RunSettings(horizon=RunHorizon(messages=20_000))})
    assert max_concurrency(spec.servers[0], full) == most
    assert mean_concurrency(spec.servers[0], full) == pytest.approx(mean, rel=0.001)
    result = replicate(spec.network(), seed=1, replication=0)
    late = slice(4, None)
    busy = result.pool_sums[late, 0, PoolSum.BUSY].sum() / result.durations[late].sum()
    assert busy == pytest.approx(mean, rel=0.03)
