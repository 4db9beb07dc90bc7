"""The systems of the campaign keep to their truth."""

import numpy as np
import pytest

from tests.synthetic.systems import KINDS, System, hidden_system, logged, served, true_p95

PLAIN = System("plain", messages=40_000, rate=20.0, mean=0.2, threads=8, seed=1)


def test_a_plain_system_is_the_queue_of_the_formula() -> None:
    arrivals, starts, ends = served(PLAIN, 1.0, 40_000, 1)
    assert len(arrivals) / arrivals[-1] == pytest.approx(20, rel=0.03)
    assert (ends - starts).mean() == pytest.approx(0.2, rel=0.03)
    assert (np.diff(starts) >= 0).all()
    assert (starts >= arrivals).all()
    inside = np.searchsorted(starts, starts, "right") - np.searchsorted(np.sort(ends), starts, "right")
    assert inside.max() == 8
    assert true_p95(PLAIN, 1.0) == pytest.approx(0.2 * np.log(20), rel=0.08)


def test_shared_cores_and_connections_hold_back() -> None:
    shared = System("shared", messages=20_000, rate=8.0, mean=0.2, threads=8, seed=1, cores=2)
    behind = System("behind", messages=20_000, rate=12.0, mean=0.2, threads=8, seed=1, connections=2, downstream=0.6)
    for system in (shared, behind):
        _, starts, ends = served(system, 1.0, 20_000, 1)
        assert (ends - starts).mean() > 0.22
        assert true_p95(system, 1.2, times=1) > true_p95(system, 1.0, times=1)


@pytest.mark.parametrize("number", range(len(KINDS)))
def test_every_kind_writes_a_log_of_its_rate(number: int) -> None:
    system = hidden_system(number, 20_000)
    log = logged(system)
    arrival, start, end = (log[name].to_numpy() for name in ("arrival", "start", "end"))
    assert len(log) == pytest.approx(20_000, rel=0.25)
    assert (end >= start).all()
    assert (start < arrival).any() == (system.skew > 0)
    assert np.diff(arrival).max() > 0.02 * (arrival[-1] - arrival[0]) or not system.gap
