"""Mechanisms against their formulas: processor sharing, on-off sources, batches, polling, shares, flow control."""

import pytest

from benchmarks.validation.campaign import Effort, compare
from benchmarks.validation.mechanism_models import flow_network, flow_steps, mechanisms
from simulations.engine.replicate import replicate
from tests.simulations.analysis.simulators import engine

MODELS = mechanisms(30_000)


@pytest.mark.parametrize("name", MODELS)
def test_the_formula_lies_in_every_interval(name: str) -> None:
    comparisons = list(compare(name, MODELS[name], engine, Effort(seed=20)))
    assert comparisons
    assert [comparison for comparison in comparisons if not comparison.inside] == []


def test_every_step_of_flow_control_is_the_documented_one() -> None:
    """Armed at once, disarmed after the tenth evaluation."""
    steps = flow_steps(replicate(flow_network(), seed=1, replication=0))
    assert [step.simulated for step in steps] == pytest.approx([step.documented for step in steps])
    assert [round(step.documented, 1) for step in steps[:4]] == [500.0, 397.2, 315.5, 250.6]
    assert [step.documented for step in steps[-2:]] == [410.0, 455.0]
