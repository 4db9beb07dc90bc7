"""Distributions become laws with the mean, spread and percentiles that were asked for."""

import pytest
from pydantic import TypeAdapter
from scipy.stats import gamma

from simulations.analysis.theory.laws import law_cv2, law_mean
from simulations.declarations import workload
from simulations.engine.network.model import ArrivalKind, LawKind
from simulations.platforms.shared.laws import arrivals_of, law_of, quantile_of, quantile_of_sum

READ: TypeAdapter[workload.Distribution] = TypeAdapter(workload.Distribution)
ARRIVALS: TypeAdapter[workload.Arrivals] = TypeAdapter(workload.Arrivals)


@pytest.mark.parametrize("kind", ["lognormal", "gamma", "weibull", "hyperexponential"])
@pytest.mark.parametrize("cv", [1.2, 3.0])
def test_mean_and_variation_are_kept(kind: str, cv: float) -> None:
    law = law_of(READ.validate_python({"kind": kind, "mean": "200ms", "cv": cv}))
    assert law_mean(law) == pytest.approx(0.2)
    assert law_cv2(law) == pytest.approx(cv**2)


@pytest.mark.parametrize("kind", ["lognormal", "gamma", "weibull"])
@pytest.mark.parametrize("p95", [0.25, 0.8, 3.0])
def test_two_percentiles_are_met(kind: str, p95: float) -> None:
    law = law_of(READ.validate_python({"kind": kind, "p50": 0.2, "p95": p95}))
    assert quantile_of(law, 0.5) == pytest.approx(0.2, rel=1e-4)
    assert quantile_of(law, 0.95) == pytest.approx(p95, rel=1e-4)


@pytest.mark.parametrize("kind", ["lognormal", "gamma", "weibull"])
def test_three_percentiles_of_the_same_law_give_it_back(kind: str) -> None:
    truth = law_of(READ.validate_python({"kind": kind, "mean": 1.0, "cv": 0.7}))
    shares = {"p50": 0.5, "p95": 0.95, "p99": 0.99}
    law = law_of(READ.validate_python({"kind": kind, **{key: quantile_of(truth, q) for key, q in shares.items()}}))
    assert (law.a, law.b) == pytest.approx((truth.a, truth.b), rel=1e-3)


@pytest.mark.parametrize(
    ("body", "share", "expected"),
    [
        ({"kind": "constant", "mean": 2.0}, 0.9, 2.0),
        ({"kind": "exponential", "mean": 1.0}, 0.95, 2.995732273553991),
        ({"kind": "empirical", "source": [1.0, 2.0, 3.0, 4.0]}, 0.5, 2.0),
    ],
)
def test_percentiles_of_the_plain_laws(body: dict[str, object], share: float, expected: float) -> None:
    assert quantile_of(law_of(READ.validate_python(body)), share) == pytest.approx(expected)


@pytest.mark.parametrize(("count", "share"), [(2, 0.99), (20, 0.99), (20, 0.999), (20, 1 - 1e-9), (4000, 0.99)])
def test_a_sum_of_exponential_times_is_an_erlang_time(count: int, share: float) -> None:
    law = law_of(READ.validate_python({"kind": "exponential", "mean": 0.2}))
    assert quantile_of_sum(law, count, share) == pytest.approx(0.2 * gamma.ppf(share, count), rel=1e-3)


def test_a_sum_of_very_many_times_is_about_so_many_means() -> None:
    law = law_of(READ.validate_python({"kind": "exponential", "mean": 0.2}))
    assert quantile_of_sum(law, 2**31 - 1, 0.99) == pytest.approx(0.2 * 2**31, rel=0.05)


def test_a_sum_of_times_with_a_heavy_tail_is_far_below_so_many_slow_ones() -> None:
    """A million draws of 20 times gave 122 s; twenty times the 99 % of one is 288 s."""
    law = law_of(READ.validate_python({"kind": "lognormal", "mean": 1.0, "cv": 8.0}))
    assert quantile_of_sum(law, 20, 0.99) == pytest.approx(122, rel=0.02)
    assert quantile_of_sum(law, 1, 0.99) == quantile_of(law, 0.99)


def test_a_hyperexponential_percentile_solves_its_survival_function() -> None:
    law = law_of(READ.validate_python({"kind": "hyperexponential", "mean": 1.0, "cv": 2.0}))
    time = quantile_of(law, 0.99)
    assert law.kind is LawKind.HYPEREXPONENTIAL
    survival = law.a * 2.718281828459045 ** (-time / law.b) + (1 - law.a) * 2.718281828459045 ** (-time / law.c)
    assert survival == pytest.approx(0.01)


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        ({"kind": "poisson", "rate": 3}, ArrivalKind.POISSON),
        ({"kind": "constant", "rate": 3}, ArrivalKind.CONSTANT),
        ({"kind": "renewal", "interval": {"kind": "constant", "mean": 1}}, ArrivalKind.RENEWAL),
        ({"kind": "on_off", "on_rate": 3, "mean_on": 1, "mean_off": 2}, ArrivalKind.ON_OFF),
        ({"kind": "surge", "count": 5, "at": "1s", "then": "2/s"}, ArrivalKind.SURGE),
        ({"kind": "periodic_burst", "count": 5, "every": "1min"}, ArrivalKind.PERIODIC),
        ({"kind": "profile", "points": [["0s", "1/s"], ["1h", "5/s"]]}, ArrivalKind.PROFILE),
        ({"kind": "trace", "source": [0.0, 1.0]}, ArrivalKind.TRACE),
        ({"kind": "saturated"}, ArrivalKind.SATURATED),
    ],
)
def test_every_kind_of_arrivals_has_its_spec(body: dict[str, object], kind: ArrivalKind) -> None:
    assert arrivals_of(ARRIVALS.validate_python(body)).kind is kind


def test_numbers_of_arrivals_are_carried_over() -> None:
    surge = arrivals_of(workload.Surge(count=5, at=1.0, then=2.0))
    assert (surge.count, surge.start, surge.rate) == (5, 1.0, 2.0)
    profile = arrivals_of(workload.Profile(points=((0.0, 1.0), (3600.0, 5.0))))
    assert (profile.instants, profile.rates) == ((0.0, 3600.0), (1.0, 5.0))
