"""What samples cannot tell: exponential times, or the shape and the threads of a chosen scenario."""

from typing import Any

import pytest

from simulations.pipeline.telemetry.fitting.shapes import Choice, choices_of
from simulations.scenario.spec import parse
from tests.simulations.platforms.samples import scenario_body


def test_nothing_chosen_is_Choice() -> None:
    choice = Choice()
    assert (choice.threads, choice.scenario) == (None, "")
    assert (choice.shape.kind, choice.shape.mean, choice.shape.cv) == ("exponential", 1.0, 1.0)
    assert choice.shape.scaled(0.25).body == {"kind": "exponential", "mean": 0.25}


@pytest.mark.parametrize(
    ("service", "scaled"),
    [
        ({"kind": "lognormal", "mean": 0.2, "cv": 3}, {"mean": 0.1, "cv": 3.0}),
        ({"kind": "empirical", "source": [0.1, 0.3]}, {"source": [0.05, 0.15]}),
    ],
)
def test_a_scenario_gives_its_shape_stretched_to_the_mean(service: dict[str, Any], scaled: dict[str, Any]) -> None:
    spec = parse({**scenario_body("openmq", service=service), "name": "Night"})
    choice = choices_of(spec)["orders"]
    shape = choice.shape
    assert shape.mean == pytest.approx(0.2)
    half = shape.scaled(shape.mean / 2)
    assert (half.kind, half.cv, choice.words) == (shape.kind, shape.cv, "those of Night, but for their mean,")
    assert {name: half.body[name] for name in scaled} == scaled


@pytest.mark.parametrize(("sessions", "threads"), [(4, 4), (40, 40), (500, 90)])
def test_the_smallest_limit_gives_the_threads(sessions: int, threads: int) -> None:
    """Three servants have ninety threads; a gate lets at most so many messages in as the port has sessions."""
    servants = {"min_servants": 3, "max_servants": 3}
    spec = parse(scenario_body("websphere-zos", server=servants, queue={"maximum_sessions": sessions}))
    assert choices_of(spec)["orders"].threads == threads
