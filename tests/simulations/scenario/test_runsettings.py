"""How a scenario is run: bounds in the units of their metrics, one end of a replication, one way to give an axis."""

from typing import Any

import pytest
from pydantic import ValidationError

from simulations.declarations.problems import InvalidInput
from simulations.engine.network.model import Horizon
from simulations.experiment import replication_key
from simulations.scenario.runsettings import Axis, Objective, RunHorizon
from simulations.scenario.spec import parse
from tests.scenarios import listener_port


@pytest.mark.parametrize(
    ("metric", "text", "value"),
    [
        ("latency.p95", "800ms", 0.8),
        ("throughput", "80/s", 80.0),
        ("cpu.utilisation", "70%", 0.7),
        ("backlog.mean", "50", 50.0),
    ],
)
def test_a_bound_is_read_in_the_unit_of_its_metric(metric: str, text: str, value: float) -> None:
    spec = parse(listener_port("Bounds", objectives=[{"metric": metric, "at_most": text}]))
    assert spec.objectives[0].at_most == pytest.approx(value)


@pytest.mark.parametrize(("metric", "text"), [("latency.p95", "70%"), ("backlog.mean", "5s"), ("throughput", "80ms")])
def test_a_bound_in_another_unit_is_refused(metric: str, text: str) -> None:
    with pytest.raises(InvalidInput, match=r"objectives.0.at_least: .* is not understood"):
        parse(listener_port("Bounds", objectives=[{"metric": metric, "at_least": text}]))


def test_a_limit_of_time_is_another_plan_of_the_same_replications() -> None:
    body = listener_port("Limited")
    plain, limited = parse(body), parse({**body, "run": {"max_time": "2min"}})
    assert "max_time" not in plain.body()["run"]
    assert limited.body()["run"]["max_time"] == 120
    assert parse(limited.body()) == limited
    assert plain.content_hash() != limited.content_hash()
    assert replication_key(plain) == replication_key(limited)


@pytest.mark.parametrize(
    ("body", "engine"),
    [
        ({"messages": 500}, Horizon(messages=500)),
        ({"time": "2min"}, Horizon(time=120.0)),
        ({"until": "drained"}, Horizon(drained=True)),
    ],
)
def test_a_replication_has_one_end(body: dict[str, Any], engine: Horizon) -> None:
    horizon = RunHorizon.model_validate(body)
    assert horizon.for_engine() == engine
    assert RunHorizon.model_validate(horizon.model_dump()) == horizon
    with pytest.raises(ValidationError, match="exactly one of messages, time and until"):
        RunHorizon.model_validate({"messages": 500, "time": 3.0, **body})


@pytest.mark.parametrize("bounds", [{}, {"at_most": 1, "at_least": 0}])
def test_an_objective_has_one_bound(bounds: dict[str, Any]) -> None:
    with pytest.raises(ValidationError, match="exactly one of at_most, at_least and equals"):
        Objective(metric="latency.p95", **bounds)


@pytest.mark.parametrize(
    ("given", "length"),
    [({"values": [3, 1, 2]}, 3), ({"from": "1", "to": 2.5, "steps": 7}, 7)],
)
def test_an_axis_knows_its_length(given: dict[str, Any], length: int) -> None:
    assert Axis.model_validate({"path": "a", **given}).length == length


@pytest.mark.parametrize(
    "given", [{}, {"from": 1, "to": 2}, {"values": [1], "from": 1, "to": 2, "steps": 2}, {"values": []}]
)
def test_an_axis_is_given_in_one_way(given: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        Axis.model_validate({"path": "a", **given})


def test_the_bound_of_an_objective_is_the_one_number_that_it_has() -> None:
    bounds = ({"at_most": "800ms"}, {"at_least": 2}, {"equals": 0})
    assert [Objective(metric="latency.p95", **bound).bound for bound in bounds] == [0.8, 2, 0]
