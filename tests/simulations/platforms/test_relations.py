"""What must hold between two scenarios: the same system in other units of time, and under other names."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulations.analysis.theory.laws import arrival_rate, law_mean
from simulations.declarations.parameters import Declaration, PlatformParameters, parameters_of
from simulations.engine.network.results import Extreme, ReplicationResult, Sum
from simulations.engine.replicate import replicate
from simulations.platforms import PLATFORMS
from simulations.scenario.spec import ScenarioSpec, parse
from tests.examples import examples
from tests.simulations.platforms.drawn import scenarios

MESSAGES = 300
TWICE = {"mean", "mean_on", "mean_off", "every", "at", "response_time_goal", "source", "time"}
HALF = {"rate", "on_rate", "off_rate", "then"}
IN_SECONDS = [*range(Sum.LATENCY, Sum.LIMIT), Sum.LIMITED, Sum.BLOCKED_SENDS, Sum.RESTING]


def simulated(body: dict[str, Any]) -> ReplicationResult:
    return replicate(parse(body).network(), seed=7, replication=0)


def short(spec: ScenarioSpec) -> dict[str, Any]:
    """The scenario until about so many messages have come."""
    stream = spec.network().streams[0]
    rate = arrival_rate(stream.arrivals) or 20 / law_mean(stream.service)
    return {**spec.body(), "run": {"horizon": {"time": MESSAGES / rate}}}


def slowed(spec: ScenarioSpec, before: dict[str, Any]) -> dict[str, Any]:
    """The scenario ``before`` with every time doubled and every rate halved: exact in floats."""
    body: dict[str, Any] = _slower(before, {})
    declared = {"servers": spec.family.server_parameters, "queues": spec.family.queue_parameters}
    for part, model in declared.items():
        for entity in body[part]:
            entity["settings"] = _slower(entity["settings"], _declared(model))
    return body


def _declared(model: type[PlatformParameters]) -> dict[str, Declaration]:
    return {item.name: item for item in parameters_of(model)}


def _slower(value: Any, declared: dict[str, Declaration], key: str = "") -> Any:
    if isinstance(value, dict):
        return {name: _slower(item, declared, name) for name, item in value.items()}
    if isinstance(value, list):
        return [_slower(item, declared, key) for item in value]
    if not isinstance(value, int | float) or isinstance(value, bool):
        return value
    unit = declared[key].unit if key in declared else "s" if key in TWICE else "/s" if key in HALF else ""
    return {"s": 2 * value, "/s": value // 2 if isinstance(value, int) else value / 2}.get(unit, value)


@pytest.mark.parametrize("platform", PLATFORMS)
@examples(15, nightly=2_000)
@given(data=st.data())
def test_twice_as_slow_is_the_same_to_the_bit(platform: str, data: st.DataObject) -> None:
    """No constant of time is hidden between the file and the numbers."""
    spec = data.draw(scenarios(platform))
    if getattr(spec.servers[0].settings, "thread_growth", "") == "history":
        return  # measures for two seconds each, as the vendor's pool does
    body = short(spec)
    fast, slow = simulated(body), simulated(slowed(spec, body))
    assert (slow.events, slow.stuck) == (fast.events, fast.stuck)
    assert np.array_equal(slow.counts, fast.counts)
    assert np.array_equal(slow.durations, 2 * fast.durations)
    assert np.array_equal(slow.sums[..., IN_SECONDS], 2 * fast.sums[..., IN_SECONDS])
    assert np.array_equal(slow.pool_sums, 2 * fast.pool_sums)
    assert np.array_equal(slow.extremes[:, Extreme.LATENCY_MAX], 2 * fast.extremes[:, Extreme.LATENCY_MAX])
    assert np.array_equal(slow.extremes[:, Extreme.BACKLOG_MAX], fast.extremes[:, Extreme.BACKLOG_MAX])


@pytest.mark.parametrize("platform", PLATFORMS)
@examples(5, nightly=500)
@given(data=st.data())
def test_names_decide_nothing(platform: str, data: st.DataObject) -> None:
    body = short(data.draw(scenarios(platform)))
    named = {
        **body,
        "name": "Other",
        "servers": [{**body["servers"][0], "name": "another one"}],
        "queues": [{**body["queues"][0], "name": "Z-9", "server": "another one"}],
    }
    first, second = simulated(body), simulated(named)
    assert np.array_equal(first.sums, second.sums)
    assert np.array_equal(first.histograms, second.histograms)
