"""Outages of members and of their broker, as each family hands them to the engine."""

import math
from typing import Any

import pytest

from simulations.declarations.problems import InvalidInput
from simulations.engine.network.model import NetworkSpec, Outage
from simulations.platforms.shared.outages import time_without
from simulations.scenario.spec import parse
from tests.simulations.platforms.samples import scenario_body

AWAY = {"start": 10, "duration": 90, "cause": "broker"}


def _network(platform: str, queue: dict[str, Any] | None = None, **server: Any) -> NetworkSpec:
    return parse(scenario_body(platform, queue=queue, server=server)).network()


@pytest.mark.parametrize("platform", ["openmq", "weblogic", "websphere"])
def test_members_that_go_away_spare_the_queues(platform: str) -> None:
    network = _network(platform, outage={**AWAY, "cause": "server", "members": 1})
    assert (network.pools[0].outage, network.pools[0].outage_instances) == (Outage(10.0, 90.0), 1)
    assert network.streams[0].absence is None
    assert _network(platform).pools[0].outage is None


@pytest.mark.parametrize(
    ("platform", "queue", "server", "seconds"),
    [
        ("weblogic", {"jms_polling_interval": 40}, {}, 120),
        ("websphere", {}, {"recovery_interval": 40}, 120),
        ("websphere", {}, {"recovery_interval": 10}, math.inf),
        ("websphere", {"mode": "activation_spec"}, {"recovery_interval": 10}, 90),
        ("openmq", {}, {"reconnect_enabled": True, "reconnect_delay": 50}, 100),
        ("openmq", {}, {}, math.inf),
    ],
)
def test_consumers_find_their_broker_at_the_next_try(
    platform: str, queue: dict[str, Any], server: dict[str, Any], seconds: float
) -> None:
    network = _network(platform, queue, outage=AWAY, **server)
    assert network.streams[0].absence == Outage(10.0, seconds)
    assert network.pools[0].outage is None


def test_tries_come_at_equal_distances_and_end() -> None:
    assert [time_without(90.0, 3, wait) for wait in (30.0, 40.0, 29.0)] == [90.0, 120.0, math.inf]
    assert time_without(90.0, math.inf, 80.0) == 160.0
    assert time_without(90.0, 5, 0.0) == math.inf


def test_a_cause_that_nobody_knows_is_refused() -> None:
    with pytest.raises(InvalidInput, match="cause"):
        _network("openmq", outage={**AWAY, "cause": "weather"})
    with pytest.raises(InvalidInput, match="cause"):
        _network("openmq", outage={**AWAY, "cause": ["server"]})
