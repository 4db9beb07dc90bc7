"""The bytes of a message: a number or a distribution, read like a duration."""

from typing import Any

import pytest
from pydantic import TypeAdapter

from simulations.declarations.problems import InvalidInput
from simulations.declarations.sizes import MessageSize
from simulations.platforms.shared.queues import size_of
from simulations.scenario.spec import parse
from tests.simulations.platforms.samples import scenario_body

SIZE: TypeAdapter[Any] = TypeAdapter(MessageSize)


@pytest.mark.parametrize("given", ["2kB", 2000, {"kind": "constant", "mean": "2kB"}])
def test_one_size_is_one_number_however_it_is_written(given: object) -> None:
    spec = parse(scenario_body("openmq", message_size=given))
    assert spec.queues[0].message_size == 2000.0
    assert spec.content_hash() == parse(scenario_body("openmq", message_size=2000.0)).content_hash()
    stream = spec.network().streams[0]
    assert (stream.message_size, stream.size_law) == (2000.0, None)


@pytest.mark.parametrize(
    ("given", "mean"),
    [
        ({"kind": "exponential", "mean": "4kB"}, 4000.0),
        ({"kind": "lognormal", "mean": "4kB", "cv": 2}, 4000.0),
        ({"kind": "gamma", "mean": 4000, "cv": 0.5}, 4000.0),
        ({"kind": "weibull", "mean": "0.004MB", "cv": 1.5}, 4000.0),
        ({"kind": "hyperexponential", "mean": "4kB", "cv": 3}, 4000.0),
        ({"kind": "empirical", "source": ["1kB", "7kB"]}, 4000.0),
    ],
)
def test_a_distribution_reaches_the_engine_with_its_mean(given: dict[str, Any], mean: float) -> None:
    spec = parse(scenario_body("weblogic", message_size=given))
    assert parse(spec.body()) == spec
    stream = spec.network().streams[0]
    assert stream.message_size == pytest.approx(mean)
    assert stream.size_law == size_of(spec.queues[0])


@pytest.mark.parametrize(
    ("given", "place", "message"),
    [
        ("2s", "", "understood; write a number with one of the units B, kB"),
        (-1, "", "must be at least 0"),
        ({"kind": "pareto", "mean": "2kB"}, "", "kind is one of 'constant'"),
        ({"mean": "2kB"}, "", "kind is one of 'constant'"),
        ({"kind": "gamma", "mean": "2kB"}, "", "either mean and cv"),
        ({"kind": "weibull", "p50": "2kB", "p95": "1kB"}, "", "percentiles must grow"),
        ({"kind": "exponential", "mean": "2ms"}, "/mean", "one of the units B, kB"),
        ({"kind": "exponential", "mean": 0}, "/mean", "above 0"),
        ({"kind": "exponential", "mean": 1, "cpu": 0.5}, "/cpu", "unknown key 'cpu'"),
        ({"kind": "empirical", "source": ["1kB", -2]}, "/source/1", "must be at least 0"),
    ],
)
def test_an_impossible_size_is_named_at_its_place(given: object, place: str, message: str) -> None:
    with pytest.raises(InvalidInput) as error:
        parse(scenario_body("openmq", message_size=given))
    assert [item.pointer for item in error.value.problems] == [f"/queues/0/message_size{place}"]
    assert message in error.value.problems[0].message


def test_a_sweep_may_vary_the_size_and_a_number_of_its_distribution() -> None:
    body = scenario_body("openmq", message_size={"kind": "exponential", "mean": "4kB"})
    sweep = [
        {"path": "queues.orders.message_size.mean", "values": ["1kB", "2kB"]},
        {"path": "queues.orders.message_size", "values": ["1kB", {"kind": "gamma", "mean": "1kB", "cv": 2}]},
    ]
    first, second = parse({**body, "sweep": sweep}).sweep
    assert first.values == (1000.0, 2000.0)
    assert SIZE.validate_python(second.values[1]).mean == 1000.0  # type: ignore[index]
