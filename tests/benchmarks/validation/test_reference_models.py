"""The reference models: each has an exact formula, and the load that its name says."""

import pytest

from benchmarks.validation.campaign import COVERED, exact_answer
from benchmarks.validation.reference_models import STOPPED_BY_PRECISION, coverage_models, oracles, surge
from simulations.analysis.theory.laws import arrival_cv2, arrival_rate, law_cv2, law_mean
from simulations.engine.network.model import Law, LawKind


@pytest.mark.parametrize("models", [oracles, coverage_models])
def test_every_model_has_an_exact_formula(models: object) -> None:
    assert callable(models)
    assert all(exact_answer(spec).theory for spec in models(1000).values())


def test_every_coverage_model_measures_mean_and_percentiles() -> None:
    models = coverage_models(1000)
    assert all(set(COVERED) <= exact_answer(spec).theory.keys() for spec in models.values())
    assert set(STOPPED_BY_PRECISION) <= models.keys()


@pytest.mark.parametrize("name", coverage_models(1000))
def test_a_coverage_model_has_the_load_of_its_name(name: str) -> None:
    spec = coverage_models(1000)[name]
    stream, pool = spec.streams[0], spec.pools[0]
    load = (arrival_rate(stream.arrivals) or 0.0) * law_mean(stream.service) / pool.threads
    assert load == pytest.approx(float(name.rsplit(" ", 1)[1]))
    assert spec.horizon.messages == 1000
    if name.startswith("bursts"):
        assert arrival_cv2(stream.arrivals) == pytest.approx(4.0)
    if name.startswith("heavy"):
        assert law_cv2(stream.service) == pytest.approx(1.718, abs=1e-3)


def test_a_surge_drains() -> None:
    spec = surge(Law(LawKind.CONSTANT, 0.2), messages=32, threads=8)
    assert spec.horizon.drained
    assert exact_answer(spec).theory == {"drain_time": pytest.approx(0.8)}
