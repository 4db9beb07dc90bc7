"""The report: every model has an exact formula, numbers reach their table, and a wrong engine would be seen."""

import pytest

from simulations.analysis.estimates.summary import Estimate
from simulations.engine.network.model import NetworkSpec
from simulations.engine.network.results import ReplicationResult
from simulations.engine.replicate import replicate
from simulations.validation.campaign import (
    COVERED,
    Comparison,
    Effort,
    Findings,
    compare,
    compare_oracles,
    exact_answer,
)
from simulations.validation.coverage import Coverage
from simulations.validation.mechanism_models import FlowStep
from simulations.validation.peers import Agreement
from simulations.validation.reference_models import STOPPED_BY_PRECISION, coverage_models, oracles
from simulations.validation.report import document
from tests.simulations.analysis.simulators import recursion, slow_threads
from tests.simulations.analysis.synthetic import network

SMALL = Effort(messages=8000, replications=6, experiments=4)


@pytest.mark.parametrize("models", [oracles, coverage_models])
def test_every_model_has_an_exact_formula(models: object) -> None:
    assert callable(models)
    assert all(exact_answer(spec).theory for spec in models(1000).values())


def test_every_coverage_model_measures_mean_and_percentiles() -> None:
    models = coverage_models(1000)
    assert all(set(COVERED) <= exact_answer(spec).theory.keys() for spec in models.values())
    assert set(STOPPED_BY_PRECISION) <= models.keys()


def test_no_two_models_have_the_same_random_numbers() -> None:
    seeds: dict[int, NetworkSpec] = {}

    def remembered(spec: NetworkSpec, seed: int, number: int) -> ReplicationResult:
        assert seeds.setdefault(seed, spec) == spec
        return replicate(spec, seed=seed, replication=number)

    found = compare_oracles(remembered, Effort(messages=1000, replications=2))
    assert len(seeds) == len({comparison.model for comparison in found})


def test_a_right_engine_agrees_and_a_wrong_one_does_not() -> None:
    spec = network(18, 81, 0.2, messages=8000)
    agreeing = [comparison.inside for comparison in compare("M/M/18", exact_answer(spec), recursion, SMALL)]
    assert sum(agreeing) >= len(agreeing) - 1
    found = compare("M/M/18", exact_answer(spec), slow_threads, SMALL)
    wrong = {comparison.metric: comparison.inside for comparison in found}
    assert not wrong["latency.mean"]
    assert not wrong["threads.busy"]


def test_a_model_without_formula_is_refused() -> None:
    spec = network(18, 81, 0.2)
    shared = NetworkSpec(spec.pools, (spec.streams[0], spec.streams[0]), spec.horizon)
    with pytest.raises(LookupError, match="no exact formula"):
        exact_answer(shared)


def test_numbers_reach_the_report() -> None:
    line = Comparison("M/M/1", "M/M/1", "latency.mean", 0.5, Estimate(0.51, 0.49, 0.53, "s"))
    peer = Agreement("SimPy", "a throttle", "latency.mean", (0.5, 0.01), (0.52, 0.003))
    coverage = {"M/M/1, load 0.5": {"latency.p95": Coverage(100, 94, 0.0123, -0.001, 12.5)}}
    text = document(Findings((line,), (FlowStep(6.0, 397.16412, 397.2),), (peer,), coverage, coverage), SMALL)
    assert "1 of 1 exact values" in text
    assert "| M/M/1 | M/M/1 | latency.mean | 0.5 | 0.51 | 0.49 to 0.53 s | yes |" in text
    assert "| M/M/1, load 0.5 | latency.p95 | 94.0% (87.5% to 97.2%) | 1.23% | -0.10% |" in text
    assert "| SimPy | a throttle | latency.mean | 0.52 ± 0.003 | 0.5 ± 0.01 | no |" in text
    assert "| M/M/1, load 0.5 | latency.p95 | 94.0% (87.5% to 97.2%) | 1.23% | -0.10% | 12.5 |" in text
    assert "| 6 | 397.164 | 397.2 |" in text
