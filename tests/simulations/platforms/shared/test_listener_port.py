"""Retries, backouts and recovery of listener ports."""

from typing import Any

import pytest

from simulations.engine.network.model import Exhausted
from simulations.scenario.spec import ScenarioSpec, parse
from tests.simulations.platforms.samples import scenario_body


def surge(**queue: Any) -> ScenarioSpec:
    """The worked example: 2 CPUs, 3 servants, IOBOUND."""
    settings = {"queue_agent_time": 0.0, **queue}
    body = scenario_body("websphere-zos", server={"min_servants": 3, "max_servants": 3}, queue=settings)
    body["servers"][0]["cpus"] = 2
    body["queues"][0]["arrivals"] = {"kind": "saturated"}
    return parse(body)


@pytest.mark.parametrize(
    ("settings", "limit", "end"),
    [
        ({}, 1, Exhausted.STOP_STREAM),
        ({"maximum_retries": 5}, 5, Exhausted.STOP_STREAM),
        ({"maximum_retries": 5, "backout_threshold": 3}, 3, Exhausted.DEAD_LETTER),
        ({"maximum_retries": 2, "backout_threshold": 3}, 2, Exhausted.STOP_STREAM),
    ],
)
def test_backout_comes_first_only_below_the_retries(settings: dict[str, Any], limit: int, end: Exhausted) -> None:
    redelivery = surge(**settings).network().streams[0].redelivery
    assert (redelivery.limit, redelivery.exhausted) == (limit, end)
