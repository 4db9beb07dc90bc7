"""The report: every model has an exact formula, numbers reach their table, and a wrong engine would be seen."""

import pytest

from simulations.analysis.coverage import Coverage
from simulations.analysis.peers import Agreement
from simulations.analysis.reference_models import coverage_models, oracles
from simulations.analysis.summary import Estimate
from simulations.analysis.theory.answers import formula_answer
from simulations.analysis.validation import COVERED, Comparison, Effort, compare, document
from simulations.engine.network import NetworkSpec
from simulations.engine.results import ReplicationResult
from tests.simulations.analysis.synthetic import network, replication

SMALL = Effort(messages=8000, replications=6, experiments=4)


def slow_threads(spec: NetworkSpec, seed: int, number: int) -> ReplicationResult:
    """A wrong engine: service takes 5 % longer than it was told."""
    return replication(network(18, 81, 0.21, messages=spec.horizon.messages), number, seed)


def right(spec: NetworkSpec, seed: int, number: int) -> ReplicationResult:
    return replication(spec, number, seed)


@pytest.mark.parametrize("models", [oracles, coverage_models])
def test_every_model_has_an_exact_formula(models: object) -> None:
    assert callable(models)
    for name, spec in models(1000).items():
        answer = formula_answer(spec, 0)
        assert answer is not None, name
        assert answer.exact, name


def test_every_coverage_model_measures_the_mean_or_more() -> None:
    for spec in coverage_models(1000).values():
        answer = formula_answer(spec, 0)
        assert answer is not None
        assert "latency.mean" in answer.metrics
        assert set(COVERED) & answer.metrics.keys()


def test_a_right_engine_agrees_and_a_wrong_one_does_not() -> None:
    spec = network(18, 81, 0.2, messages=8000)
    agreeing = [comparison.inside for comparison in compare("M/M/18", spec, right, SMALL)]
    assert sum(agreeing) >= len(agreeing) - 1
    wrong = {comparison.metric: comparison.inside for comparison in compare("M/M/18", spec, slow_threads, SMALL)}
    assert not wrong["latency.mean"]
    assert not wrong["threads.busy"]


def test_a_model_without_formula_is_refused() -> None:
    spec = network(18, 81, 0.2)
    shared = NetworkSpec(spec.pools, (spec.streams[0], spec.streams[0]), spec.horizon)
    with pytest.raises(LookupError, match="no exact formula"):
        next(iter(compare("two queues", shared, right, SMALL)))


def test_numbers_reach_the_report() -> None:
    line = Comparison("M/M/1", "M/M/1", "latency.mean", 0.5, Estimate(0.51, 0.49, 0.53, "s"))
    peer = Agreement("SimPy", "a throttle", "latency.mean", (0.5, 0.01), (0.52, 0.003))
    text = document((line,), (peer,), {"M/M/1, load 0.5": {"latency.p95": Coverage(100, 94, 0.0123, -0.001)}}, SMALL)
    assert "1 of 1 exact values" in text
    assert "| M/M/1 | M/M/1 | latency.mean | 0.5 | 0.51 | 0.49 to 0.53 s | yes |" in text
    assert "| M/M/1, load 0.5 | latency.p95 | 94.0% (87.5% to 97.2%) | 1.23% | -0.10% |" in text
    assert "| SimPy | a throttle | latency.mean | 0.52 ± 0.003 | 0.5 ± 0.01 | no |" in text
