"""Instants of arrivals: exact where nothing is drawn, with the right means where something is."""

import numpy as np
import pytest
from numpy.typing import NDArray

from simulations.engine.network.model import ArrivalKind, ArrivalSpec, Horizon, Pool
from simulations.engine.records.codes import Step
from simulations.engine.replicate import replicate_traced
from tests.simulations.engine.networks import constant, network, stream

POOL = Pool(threads_per_servant=50, cpus=50)


def instants(arrivals: ArrivalSpec, until: float) -> NDArray[np.float64]:
    spec = network(stream(arrivals=arrivals, service=constant(1e-6)), pool=POOL, horizon=Horizon(time=until))
    steps = replicate_traced(spec, seed=4, replication=0, trace=400_000)[1]
    arrived: NDArray[np.float64] = steps["time"][steps["step"] == Step.ARRIVE]
    return arrived


@pytest.mark.parametrize(
    ("arrivals", "expected"),
    [
        (ArrivalSpec(ArrivalKind.CONSTANT, rate=4.0, start=1.0), [1.25, 1.5, 1.75, 2.0, 2.25]),
        (ArrivalSpec(ArrivalKind.RENEWAL, law=constant(0.5), start=0.25), [0.75, 1.25, 1.75, 2.25]),
        (ArrivalSpec(ArrivalKind.SURGE, count=3, start=1.5), [1.5, 1.5, 1.5]),
        (ArrivalSpec(ArrivalKind.PERIODIC, count=2, period=1.0, start=0.5), [0.5, 0.5, 1.5, 1.5]),
        (ArrivalSpec(ArrivalKind.TRACE, instants=(0.0, 0.5, 0.5), start=1.0), [1.0, 1.5, 1.5]),
    ],
    ids=lambda value: value.kind.name if isinstance(value, ArrivalSpec) else "",
)
def test_arrivals_that_draw_nothing_are_exact(arrivals: ArrivalSpec, expected: list[float]) -> None:
    assert instants(arrivals, 2.4).tolist() == expected


def test_a_surge_with_a_rate_goes_on_as_poisson() -> None:
    found = instants(ArrivalSpec(ArrivalKind.SURGE, rate=100.0, count=5, start=1.0), 101.0)
    assert found[:5].tolist() == [1.0] * 5
    assert found[5] > 1.0
    assert len(found) == pytest.approx(10_005, abs=400)


def test_on_and_off_have_their_shares_of_the_time_and_their_rates() -> None:
    on_off = ArrivalSpec(ArrivalKind.ON_OFF, rate=100.0, rate_off=0.0, mean_on=1.0, mean_off=3.0)
    found = instants(on_off, 4_000.0)
    assert len(found) == pytest.approx(100_000, rel=0.06)
    assert (np.diff(found) > 0.5).sum() == pytest.approx(1_000 * np.exp(-0.5 / 3.0), rel=0.12), "one pause in 4 s"


def test_a_profile_follows_its_rates_and_repeats() -> None:
    profile = ArrivalSpec(ArrivalKind.PROFILE, instants=(0.0, 10.0, 20.0), rates=(0.0, 100.0, 0.0), start=5.0)
    found = instants(profile, 2_005.0) - 5.0
    assert found.min() >= 0.0
    assert len(found) == pytest.approx(100_000, rel=0.02)
    counts = np.histogram(found % 20.0, bins=4, range=(0.0, 20.0))[0] / len(found)
    assert counts == pytest.approx([0.125, 0.375, 0.375, 0.125], abs=0.01)


def test_the_earliest_stream_comes_first_and_the_lowest_index_wins_a_tie() -> None:
    regular = ArrivalSpec(ArrivalKind.CONSTANT, rate=1.0)
    double = ArrivalSpec(ArrivalKind.CONSTANT, rate=2.0)
    streams = [stream(arrivals=each, service=constant(1e-6)) for each in (regular, double, regular)]
    steps = replicate_traced(network(*streams, pool=POOL, horizon=Horizon(time=2.1)), seed=1, replication=0, trace=99)[
        1
    ]
    arrived = steps[steps["step"] == Step.ARRIVE]
    assert arrived["stream"].tolist() == [1, 0, 1, 2, 1, 0, 1, 2]
