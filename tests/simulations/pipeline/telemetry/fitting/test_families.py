"""The family that times were drawn from is found again, with its parameters; what fits none is kept as measured."""

import math
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from simulations.declarations.workload import Gamma, Hyperexponential, Lognormal, Weibull
from simulations.pipeline.telemetry.fitting.families import Choice, choices_of, chosen, curve, fits, percentile
from simulations.pipeline.telemetry.fitting.slices import BIN, SHORTEST
from simulations.platforms.shared.laws import law_of, quantile_of
from simulations.scenario.spec import parse
from tests.simulations.platforms.samples import scenario_body

SIZE = 100_000


def counted(times: NDArray[np.float64]) -> tuple[NDArray[np.int64], float, float]:
    bins = np.floor(np.log(np.maximum(times, SHORTEST) / SHORTEST) / math.log1p(BIN)).astype(np.int64)
    return np.bincount(bins).astype(np.int64), float(times.mean()), float(times.std() / times.mean())


def drawn(law: Lognormal | Gamma | Weibull | Hyperexponential) -> NDArray[np.float64]:
    """Evenly spread quantiles: a sample without chance."""
    engine = law_of(law)
    return np.array([quantile_of(engine, (number + 0.5) / 5_000) for number in range(5_000)])


@pytest.mark.parametrize(
    "law", [Lognormal(mean=0.2, cv=0.8), Gamma(mean=0.05, cv=0.5), Weibull(mean=3.0, cv=1.6)], ids=lambda law: law.kind
)
def test_a_family_and_its_parameters_are_found(law: Lognormal | Gamma | Weibull) -> None:
    fit = chosen(*counted(drawn(law)))
    assert (fit.kind, fit.goodness) == (law.kind, "good")
    assert fit.mean == pytest.approx(law.mean, rel=0.02)
    assert fit.cv == pytest.approx(law.cv, rel=0.06)
    assert fit.body == {
        "kind": law.kind,
        "mean": pytest.approx(fit.mean, rel=1e-5),
        "cv": pytest.approx(fit.cv, rel=1e-5),
    }


def test_exponential_times_are_called_exponential() -> None:
    times = np.random.default_rng(5).exponential(0.2, SIZE)
    best = fits(*counted(times))[0]
    assert best.distance < 0.01
    assert best.mean == pytest.approx(0.2, rel=0.01)
    assert best.cv == pytest.approx(1, abs=0.02)


def test_two_phases_are_called_hyperexponential() -> None:
    found = {fit.kind: fit for fit in fits(*counted(drawn(Hyperexponential(mean=0.2, cv=3))))}
    assert found["hyperexponential"].distance < 0.05


def test_what_fits_no_family_is_kept_as_measured() -> None:
    random = np.random.default_rng(6)
    times = np.concatenate([random.normal(0.01, 0.001, SIZE), random.normal(1.0, 0.05, SIZE)])
    fit = chosen(*counted(times))
    assert fit.kind == "empirical"
    values = fit.body["source"]
    assert np.mean(values) == pytest.approx(times.mean(), rel=1e-3)
    assert np.quantile(values, 0.95) == pytest.approx(np.quantile(times, 0.95), rel=0.02)


def test_a_constant_is_a_constant() -> None:
    fit = chosen(*counted(np.full(500, 0.25)))
    assert (fit.kind, fit.body["mean"]) == ("constant", 0.25)


def test_percentiles_and_the_curve_follow_the_counts() -> None:
    counts, mean, cv = counted(drawn(Lognormal(mean=0.2, cv=0.8)))
    exact = quantile_of(law_of(Lognormal(mean=0.2, cv=0.8)), 0.95)
    assert percentile(counts, 0.95) == pytest.approx(exact, rel=0.005)
    assert math.isnan(percentile(np.zeros(3, np.int64), 0.5))
    shown = curve(chosen(counts, mean, cv), counts)
    assert np.allclose(shown["measured"], shown["fitted"], atol=0.02)


def test_nothing_cannot_be_fitted() -> None:
    with pytest.raises(ValueError, match="no times"):
        fits(np.zeros(3, np.int64), 1.0, 1.0)


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
