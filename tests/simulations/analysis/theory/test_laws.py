"""Moments of the engine's distributions and rates of its arrivals, against draws and by hand."""

import numpy as np
import pytest

from simulations.analysis.theory.laws import (
    arrival_cv2,
    arrival_rate,
    is_poisson,
    law_cv2,
    law_mean,
    survival,
    transform,
)
from simulations.engine.network.model import ArrivalKind, ArrivalSpec, Law, LawKind

RANDOM = np.random.default_rng(7)
SIZE = 400_000
DRAWS = {
    Law(LawKind.CONSTANT, 0.3): np.full(10, 0.3),
    Law(LawKind.EXPONENTIAL, 0.3): RANDOM.exponential(0.3, SIZE),
    Law(LawKind.LOGNORMAL, -1.0, 0.5): RANDOM.lognormal(-1.0, 0.5, SIZE),
    Law(LawKind.GAMMA, 2.5, 0.1): RANDOM.gamma(2.5, 0.1, SIZE),
    Law(LawKind.WEIBULL, 1.7, 0.2): 0.2 * RANDOM.weibull(1.7, SIZE),
    Law(LawKind.HYPEREXPONENTIAL, 0.2, 1.0, 0.1): np.where(
        RANDOM.random(SIZE) < 0.2, RANDOM.exponential(1.0, SIZE), RANDOM.exponential(0.1, SIZE)
    ),
    Law(LawKind.EMPIRICAL, values=(0.1, 0.2, 0.6)): np.array([0.1, 0.2, 0.6]),
}


@pytest.mark.parametrize("law", DRAWS, ids=lambda law: law.kind.name.lower())
def test_moments_are_those_of_the_draws(law: Law) -> None:
    values = DRAWS[law]
    assert law_mean(law) == pytest.approx(values.mean(), rel=0.01)
    assert law_cv2(law) == pytest.approx(values.var() / values.mean() ** 2, rel=0.05, abs=1e-9)


@pytest.mark.parametrize("law", DRAWS, ids=lambda law: law.kind.name.lower())
def test_transforms_are_those_of_the_draws(law: Law) -> None:
    found = transform(law, 2.0)
    if law.kind in {LawKind.LOGNORMAL, LawKind.WEIBULL}:
        assert found is None
    else:
        assert found == pytest.approx(np.exp(-2.0 * DRAWS[law]).mean(), rel=0.01)


EXPONENTIAL = Law(LawKind.EXPONENTIAL, 0.25)


@pytest.mark.parametrize(
    ("arrivals", "rate", "cv2", "poisson"),
    [
        (ArrivalSpec(ArrivalKind.POISSON, rate=4), 4.0, 1.0, True),
        (ArrivalSpec(ArrivalKind.CONSTANT, rate=4), 4.0, 0.0, False),
        (ArrivalSpec(ArrivalKind.RENEWAL, law=EXPONENTIAL), 4.0, 1.0, True),
        (ArrivalSpec(ArrivalKind.RENEWAL, law=Law(LawKind.CONSTANT, 0.25)), 4.0, 0.0, False),
        (ArrivalSpec(ArrivalKind.ON_OFF, rate=10, rate_off=2, mean_on=1, mean_off=3), 4.0, None, False),
        (ArrivalSpec(ArrivalKind.PERIODIC, count=240, period=60), 4.0, None, False),
        (ArrivalSpec(ArrivalKind.PROFILE, instants=(0, 10, 20), rates=(0, 8, 0)), 4.0, None, False),
        (ArrivalSpec(ArrivalKind.SURGE, count=1000), None, 1.0, True),
        (ArrivalSpec(ArrivalKind.SATURATED), None, 0.0, False),
        (ArrivalSpec(ArrivalKind.TRACE, instants=(0.0, 1.0)), None, None, False),
    ],
)
def test_rates_of_arrivals(arrivals: ArrivalSpec, rate: float | None, cv2: float | None, poisson: bool) -> None:  # noqa: FBT001
    assert arrival_rate(arrivals) == rate
    assert arrival_cv2(arrivals) == cv2
    assert is_poisson(arrivals) is poisson


@pytest.mark.parametrize(
    "law",
    [
        Law(LawKind.CONSTANT, 0.2),
        Law(LawKind.EXPONENTIAL, 0.2),
        Law(LawKind.LOGNORMAL, -2.0, 0.8),
        Law(LawKind.GAMMA, 0.7, 0.3),
        Law(LawKind.WEIBULL, 0.8, 0.2),
        Law(LawKind.HYPEREXPONENTIAL, 0.9, 0.1, 1.1),
        Law(LawKind.EMPIRICAL, values=(0.1, 0.2, 0.6)),
    ],
    ids=lambda law: law.kind.name,
)
def test_survival_has_the_moments_of_its_law(law: Law) -> None:
    seconds = np.linspace(0, 40, 400_001)
    longer = survival(law, seconds)
    mean, second = np.trapezoid(longer, seconds), np.trapezoid(2 * seconds * longer, seconds)
    assert mean == pytest.approx(law_mean(law), rel=1e-3)
    assert second == pytest.approx(law_mean(law) ** 2 * (1 + law_cv2(law)), rel=1e-2)
    assert longer[0] == 1
