"""Percentiles of M/G/1: equal to those of M/M/1, and to the mean of Pollaczek and Khinchine elsewhere."""

import numpy as np
import pytest

from simulations.analysis.theory.checks import Unstable
from simulations.analysis.theory.general_queues import mg1_mean_latency
from simulations.analysis.theory.laws import law_cv2, law_mean
from simulations.analysis.theory.markov_queues import MMc
from simulations.analysis.theory.mg1_latency import mg1_percentiles
from simulations.engine.network.model import Law, LawKind

SHARES = (0.5, 0.9, 0.95, 0.99, 0.999)


@pytest.mark.parametrize("load", [0.3, 0.8, 0.95])
def test_exponential_service_gives_m_m_1(load: float) -> None:
    exact = [MMc(load / 0.2, 0.2, 1).percentile(share) for share in SHARES]
    assert mg1_percentiles(load / 0.2, Law(LawKind.EXPONENTIAL, 0.2), SHARES) == pytest.approx(exact, rel=1e-5)


@pytest.mark.parametrize(
    "law",
    [
        Law(LawKind.CONSTANT, 0.2),
        Law(LawKind.LOGNORMAL, -2.0, 1.0),
        Law(LawKind.GAMMA, 2.0, 0.1),
        Law(LawKind.WEIBULL, 0.8, 0.2),
        Law(LawKind.HYPEREXPONENTIAL, 0.9, 0.1, 1.1),
        Law(LawKind.EMPIRICAL, values=(0.1, 0.2, 0.6)),
    ],
    ids=lambda law: law.kind.name,
)
def test_the_percentiles_average_to_the_mean(law: Law) -> None:
    rate = 0.8 / law_mean(law)
    shares = (np.arange(20_000) + 0.5) / 20_000
    found = np.mean(mg1_percentiles(rate, law, shares.tolist()))
    assert found == pytest.approx(mg1_mean_latency(rate, law_mean(law), law_cv2(law)), rel=2e-3)


def test_overload_is_refused() -> None:
    with pytest.raises(Unstable):
        mg1_percentiles(5.0, Law(LawKind.EXPONENTIAL, 0.2), SHARES)
