"""A scenario out of a fit: plain, or a given one with the fitted work."""

from dataclasses import asdict, replace
from typing import Any

import numpy as np
import pytest

from simulations.declarations.texts import as_name
from simulations.experiment import with_overrides
from simulations.pipeline.telemetry.fitting.arrivals import arrivals_fit
from simulations.pipeline.telemetry.fitting.families import Fit
from simulations.pipeline.telemetry.fitting.fit import Concurrency, QueueFit, Value
from simulations.pipeline.telemetry.fitting.limits import Limit
from simulations.pipeline.telemetry.fitting.spec import MESSAGES, measured_ranges, replaying, scenario_of
from simulations.pipeline.telemetry.reading.layouts import TelemetryRefused
from simulations.scenario.spec import ScenarioSpec, parse
from tests.scenarios import listener_port

NONE = Value(0.0, None, None, "1")
SERVICE = Fit("exponential", {"kind": "exponential", "mean": 0.25}, 0.25, 1.0, 0.01, 500)
ARRIVALS = arrivals_fit(np.random.default_rng(1).poisson(10, 400), 1.0, 0.0, {})


def fit(name: str = "orders", **more: Any) -> QueueFit:
    made = QueueFit(
        name=name,
        messages=4000,
        service=SERVICE,
        families=(SERVICE,),
        service_mean=NONE,
        service_cv=NONE,
        percentiles={},
        latency={},
        arrivals=ARRIVALS,
        concurrency=Concurrency(7, limited=True, share=1.0, starts=100),
        failure_rate=Value(0.0123456789, None, None, "1"),
        redelivered=NONE,
        expired=NONE,
        most_deliveries=4,
        instances={"a": 2000, "b": 2000},
        curve={},
    )
    return replace(made, **more)


def test_a_plain_scenario_has_the_threads_that_were_seen_rounded_up_for_each_instance() -> None:
    spec = scenario_of([fit(), fit("bills", failure_rate=NONE)], name="From a log")
    body = spec.body()
    assert [server["instances"] for server in body["servers"]] == [2, 2]
    orders, bills = (queue["settings"] for queue in body["queues"])
    assert (orders["maximum_sessions"], orders["failure_rate"], orders["backout_threshold"]) == (4, 0.0123457, 4)
    assert bills["failure_rate"] == 0
    assert body["queues"][0]["service"]["mean"] == 0.25
    assert body["run"]["horizon"] == {"messages": MESSAGES}
    assert spec.network().streams[0].name == "orders"


def test_no_rule_blames_what_a_plain_scenario_had_to_invent() -> None:
    spec = scenario_of([fit(failure_rate=NONE)], name="From a log")
    broken = [item for item in spec.family.derive(spec.system).findings if item.status == "violated"]
    assert [item.rule for item in broken] == []


def test_a_given_scenario_keeps_its_settings_and_gets_the_work() -> None:
    base = parse(listener_port("Base", sweep=[{"path": "queues.orders.producers", "values": [1]}]))
    spec = scenario_of([fit(), fit("bills")], name="Fitted", base=base)
    assert (spec.name, spec.sweep, len(spec.queues)) == ("Fitted", (), 1)
    settings = spec.body()["queues"][0]["settings"]
    assert (settings["maximum_sessions"], settings["failure_rate"]) == (36, 0.0123457)
    assert spec.body()["queues"][0]["arrivals"] == ARRIVALS.body
    with pytest.raises(TelemetryRefused, match="no queue 'orders'; it has bills"):
        scenario_of([fit("bills")], name="Fitted", base=base)


@pytest.mark.parametrize("base", [None, parse(listener_port("Base"))])
def test_a_limit_behind_the_threads_is_one_of_the_scenario(base: ScenarioSpec | None) -> None:
    one: dict[str, Any] = {"instances": {"a": 4000}}
    shared = scenario_of([fit(limit=Limit(3, 1.0, 0.2, 15.0, 14.0, 16.0), **one)], name="CPUs", base=base).body()
    assert (shared["servers"][0]["cpus"], shared["queues"][0]["settings"]["downstream"]) == (3, None)
    held = scenario_of([fit(limit=Limit(3, 0.6, 0.2, 25.0, 24.0, 26.0), **one)], name="Connections", base=base).body()
    assert held["servers"][0]["cpus"] == (base.servers[0].cpus if base else 1)
    behind = held["queues"][0]["settings"]["downstream"]
    assert (behind["limit"], behind["share"]) == (3, 0.6)


def test_a_profile_runs_to_its_end() -> None:
    rates = np.random.default_rng(1).poisson(np.linspace(10, 100, 400))
    changing = arrivals_fit(rates, 1.0, 0.0, {})
    assert changing.body["kind"] == "profile"
    horizon = scenario_of([fit(arrivals=changing)], name="Day").body()["run"]["horizon"]
    assert horizon == {"time": 400.0}


@pytest.mark.parametrize("name", ["orders", "a.b/c", "-x", " ", "é.ü", "y" * 300])
def test_any_name_of_a_log_becomes_one_that_a_scenario_can_hold(name: str) -> None:
    spec = scenario_of([fit(name)], name="Names")
    assert [queue.name for queue in spec.queues] == [as_name(name)]
    assert as_name(as_name(name)) == as_name(name)


def test_two_names_that_become_one_are_refused() -> None:
    with pytest.raises(TelemetryRefused, match="same name"):
        scenario_of([fit("y" * 300), fit("y" * 299)], name="Twice")


def test_other_arrivals_and_another_horizon() -> None:
    trace = {"kind": "trace", "source": [0.0, 1.5]}
    found = replaying(parse(listener_port("Base")), {"orders": trace})
    assert found.body()["queues"][0]["arrivals"]["source"] == [0.0, 1.5]
    assert found.run.horizon.until == "drained"


def test_what_was_measured_has_the_ends_of_its_interval() -> None:
    known = fit(
        "PAY.ORDERS", service_mean=Value(0.25, 0.24, 0.26, "s"), failure_rate=Value(0.0123456, 0.011, 0.014, "1")
    )
    steady = fit("bills", arrivals=replace(ARRIVALS, rate=10.0, low=9.9, high=10.1))
    spec = scenario_of([known, steady], name="From a log")
    result = {"queues": [asdict(known), asdict(steady)]}
    found = {path: ends for path, *ends in measured_ranges(result, spec)}
    doubt = ARRIVALS.high / ARRIVALS.rate
    assert found == {
        "arrivals": pytest.approx([2 - doubt, doubt]),
        'queues["PAY.ORDERS"].service.mean': [0.24, 0.26],
        'queues["PAY.ORDERS"].settings.failure_rate': [0.011, 0.014],
    }
    changed = with_overrides(spec, {'queues["PAY.ORDERS"].service.mean': 0.3})
    assert sorted(path for path, *_ in measured_ranges(result, changed)) == [
        "arrivals",
        'queues["PAY.ORDERS"].settings.failure_rate',
    ]
