"""The normal quantile and the gamma law against the standard library."""

from statistics import NormalDist

import numpy as np
import pytest

from simulations.engine.draws.laws import gamma, normal_quantile
from simulations.engine.draws.streams import mix


@pytest.mark.parametrize("u", [1e-300, 1e-12, 1e-4, 0.02, 0.3, 0.5, 0.77, 0.975, 1.0 - 1e-9])
def test_the_normal_quantile_is_exact(u: float) -> None:
    assert normal_quantile(u) == pytest.approx(NormalDist().inv_cdf(u), rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("shape", [0.3, 1.0, 7.5])
def test_gamma_numbers_have_the_right_moments(shape: float) -> None:
    numbers = np.array([gamma(shape, 2.0, np.uint64(mix(np.uint64(k)))) for k in range(1, 20_001)])
    assert numbers.mean() == pytest.approx(2.0 * shape, rel=0.05)
    assert numbers.var() == pytest.approx(4.0 * shape, rel=0.12)
