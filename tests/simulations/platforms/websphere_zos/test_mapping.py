"""Servants and throttles as the engine gets them."""

import math
from typing import Any

from simulations.engine.network.model import Gate, Outage, PoolGrowth, TimeoutAction
from simulations.platforms.websphere_zos import WEBSPHERE_ZOS
from simulations.scenario.spec import parse
from tests.simulations.platforms.samples import formula_value, scenario_body, surge

CAPACITY = {"wlm_queue_capacity": 50, "restart_time": 30}


def test_servants_that_start_late_are_mapped_as_such() -> None:
    body = surge().body()
    body["servers"][0]["settings"] |= {"min_servants": 1, "dispatch_timeout_action": "restart_servant"}
    network = parse(body).network()
    assert network.pools[0].growth is PoolGrowth.SERVANTS
    assert network.streams[0].timeouts is not None
    assert network.streams[0].timeouts.action is TimeoutAction.RESTART_SERVANT
    body["servers"][0]["settings"]["servant_start_time"] = 0.0
    assert parse(body).network().pools[0].growth is PoolGrowth.FIXED


def test_one_servant_without_multiple_instances() -> None:
    body = scenario_body("websphere-zos", server={"max_servants": 3, "multiple_instances": False})
    spec = parse(body)
    assert (spec.network().pools[0].servants_min, spec.network().pools[0].servants_max) == (1, 1)
    assert formula_value(WEBSPHERE_ZOS.derive(spec.system), "worker_threads") == 30


def test_the_throttle_lets_one_message_through_at_least() -> None:
    (stream,) = surge(endpoint="activation_spec", in_flight_scale_factor=0.0).network().streams
    assert stream.gate == Gate(1, 1, 0.0)
    (stream,) = surge(maximum_sessions=1).network().streams
    assert stream.gate == Gate(1, 0, 0.0)
    (stream,) = surge(maximum_sessions=5, low_equals_high=True, queue_agent_time=0.01).network().streams
    assert stream.gate == Gate(5, 5, 0.01)


def test_a_session_pool_bounds_a_port_but_not_a_specification() -> None:
    assert surge(session_pool_maximum=4).network().streams[0].concurrency == 4
    assert surge(endpoint="activation_spec", session_pool_maximum=4).network().streams[0].concurrency == 0


def _away(**settings: Any) -> tuple[Outage | None, int]:
    body = scenario_body("websphere-zos", server={"zos_recovery": True, "recovery_interval": 40, **settings})
    (pool,) = parse(body).network().pools
    return pool.outage, pool.outage_instances


def test_ports_find_their_queue_manager_at_the_next_try_or_never() -> None:
    outage = {"start": 10, "duration": 90, "cause": "queue_manager", "members": 1}
    assert _away(outage=outage) == (Outage(10.0, 120.0), 0)
    assert _away(outage={**outage, "duration": 80}) == (Outage(10.0, 80.0), 0)
    for gone in ({"recovery_retries": 2}, {"recovery_interval": 0}, {"zos_recovery": False}):
        assert _away(**{"outage": outage, **gone}) == (Outage(10.0, math.inf), 0)


def test_members_are_away_as_long_as_their_own_outage_lasts() -> None:
    outage = {"start": 10, "duration": 90, "members": 1}
    assert _away(outage=outage, zos_recovery=False) == (Outage(10.0, 90.0), 1)
    assert _away() == (None, 0)


def test_a_queue_bears_any_number_unless_one_is_given() -> None:
    pools = [parse(scenario_body("websphere-zos", server=given)).network().pools[0] for given in ({}, CAPACITY)]
    assert [(pool.queue_capacity, pool.restart_time) for pool in pools] == [(0, 120.0), (50, 30.0)]
