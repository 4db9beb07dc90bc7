"""Threads, thresholds and the largest throughput of WebSphere for z/OS."""

from dataclasses import replace
from typing import Any

import pytest

from simulations.engine.network.model import Horizon
from simulations.platforms.websphere_zos import WEBSPHERE_ZOS
from simulations.platforms.websphere_zos.formulas import low_threshold, threads_per_servant
from simulations.platforms.websphere_zos.parameters import ListenerPort, ServerSettings
from simulations.scenario.spec import parse
from tests.simulations.engine.networks import interval, throughput
from tests.simulations.platforms.samples import formula_value, surge


@pytest.mark.parametrize(
    ("profile", "rule", "threads"),
    [
        ("IOBOUND", "capped", {1: 5, 2: 6, 4: 12, 8: 24, 10: 30, 12: 30, 16: 30, 32: 30}),
        ("IOBOUND", "plain", {1: 3, 2: 6, 4: 12, 8: 24, 10: 30, 12: 36, 16: 48, 32: 96}),
        ("CPUBOUND", "capped", {1: 3, 2: 3, 4: 3, 8: 7, 10: 9, 12: 11, 16: 15, 32: 31}),
        ("CPUBOUND", "plain", {1: 1, 2: 2, 4: 4, 8: 8, 10: 10, 12: 12, 16: 16, 32: 32}),
        ("LONGWAIT", "capped", {1: 40, 32: 40}),
        ("ISOLATE", "plain", {1: 1, 32: 1}),
    ],
)
def test_threads_by_profile_and_rule(profile: str, rule: str, threads: dict[int, int]) -> None:
    """Fact list, example 10."""
    settings = ServerSettings.model_validate({"workload_profile": profile, "thread_rule": rule})
    assert {cpus: threads_per_servant(settings, cpus) for cpus in threads} == threads


@pytest.mark.parametrize(("high", "low"), [(1, 0), (2, 1), (3, 1), (5, 2), (7, 3), (99, 49), (100, 50)])
def test_the_low_threshold_is_half_rounded_down(high: int, low: int) -> None:
    """Fact list, example 2."""
    assert low_threshold(ListenerPort(maximum_sessions=high)) == low
    assert low_threshold(ListenerPort(maximum_sessions=high, low_equals_high=True)) == high


@pytest.mark.parametrize(("sessions", "rate"), [(18, 67.55), (36, 90.0), (100, 90.0)])
def test_the_largest_throughput_by_closed_form(sessions: int, rate: float) -> None:
    """Job J2: 18 sessions for 18 threads carry three quarters of what the threads could."""
    spec = surge(maximum_sessions=sessions)
    assert WEBSPHERE_ZOS.carried
    assert WEBSPHERE_ZOS.carried(spec.system, spec.queues[0]) == pytest.approx(rate, abs=0.005)


@pytest.mark.parametrize(("sessions", "rule"), [(5, {"low_equals_high": True}), (1, {})])
def test_each_place_of_a_window_waits_for_the_agent(sessions: int, rule: dict[str, Any]) -> None:
    """N places of a sliding window, one for each message in flight, for 18 threads: N / (250 ms + 2 ms)."""
    body = surge(maximum_sessions=sessions, **rule, queue_agent_time="2ms").body()
    body["queues"][0] |= {"service": {"kind": "constant", "mean": 0.25}, "arrivals": {"kind": "saturated"}}
    spec, rate = parse(body), sessions / 0.252
    assert WEBSPHERE_ZOS.carried
    assert WEBSPHERE_ZOS.carried(spec.system, spec.queues[0]) == pytest.approx(rate)
    low, high = interval(replace(spec.network(), horizon=Horizon(messages=5_000)), throughput)
    assert low - 0.01 <= rate <= high + 0.01


def test_no_closed_form_where_none_is_exact() -> None:
    body = surge(maximum_sessions=18).body()
    body["queues"][0]["service"] = {"kind": "constant", "mean": 0.2}
    spec = parse(body)
    assert WEBSPHERE_ZOS.carried
    assert WEBSPHERE_ZOS.carried(spec.system, spec.queues[0]) is None


def test_a_small_session_pool_bounds_the_threads_in_use() -> None:
    spec = surge(maximum_sessions=100, session_pool_maximum=10)
    assert spec.network().streams[0].concurrency == 10
    assert formula_value(WEBSPHERE_ZOS.derive(spec.system), "busy_threads_saturated") == 10
    low, high = interval(replace(spec.network(), horizon=Horizon(messages=20_000)), throughput)
    assert low <= 10 / 0.2 <= high, "the simulation has no more than ten at work either"
