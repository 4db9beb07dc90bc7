"""The campaign: random numbers of its own for each model, and a wrong engine would be seen."""

import pytest

from benchmarks.validation.campaign import (
    Effort,
    compare,
    compare_oracles,
    exact_answer,
)
from simulations.engine.network.model import NetworkSpec
from simulations.engine.network.results import ReplicationResult
from simulations.engine.replicate import replicate
from tests.simulations.analysis.simulators import recursion, slow_threads
from tests.simulations.analysis.synthetic import network

SMALL = Effort(messages=8000, replications=6, experiments=4)


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
