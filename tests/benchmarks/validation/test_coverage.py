"""The measurement of coverage itself: exact counting, and the product's intervals on a queue with a known answer."""

import pytest

from benchmarks.validation.coverage import Coverage, Stopping, measure_coverage
from simulations.analysis.estimates.intervals import Precision
from simulations.analysis.theory.queues import MMc
from tests.simulations.analysis.simulators import recursion
from tests.simulations.analysis.synthetic import network


def test_intervals_of_a_half_loaded_queue_hold_the_truth() -> None:
    queue = MMc(10, 0.2, 4)
    truth = {"latency.mean": queue.mean_latency, "latency.p95": queue.percentile(0.95), "throughput": 10.0}
    spec, five = network(4, 10, 0.2, messages=1600), Stopping(5)
    found = measure_coverage(spec, truth, recursion, experiments=60, stopping=five)
    for coverage in found.values():
        assert coverage.experiments == 60
        assert coverage.replications == 5
        assert coverage.margin[1] > 0.95
        assert abs(coverage.bias) < 0.02
        assert 0 < coverage.half_width < 0.2


def test_a_wrong_truth_is_missed() -> None:
    spec, five = network(4, 10, 0.2, messages=1600), Stopping(5)
    found = measure_coverage(spec, {"latency.mean": 0.4}, recursion, experiments=5, stopping=five)
    assert found["latency.mean"].covered == 0


@pytest.mark.parametrize(("relative", "most", "replications"), [(0.5, 100, 5), (0.05, 100, 15), (0.001, 20, 20)])
def test_experiments_go_on_until_they_are_precise(relative: float, most: int, replications: int) -> None:
    spec, until = network(4, 10, 0.2, messages=1600), Stopping(5, most, Precision("latency.mean", relative))
    truth = {"latency.mean": MMc(10, 0.2, 4).mean_latency}
    found = measure_coverage(spec, truth, recursion, experiments=5, stopping=until)["latency.mean"]
    assert found.replications == pytest.approx(replications, rel=0.6 if most > replications > 5 else 0)
    assert (found.half_width < relative) == (relative > 0.001)


def test_an_experiment_without_the_metric_does_not_hold_the_truth() -> None:
    overloaded = network(4, 30, 0.2, messages=1600)
    found = measure_coverage(overloaded, {"latency.mean": 1.0}, recursion, experiments=2, stopping=Stopping(3))
    assert (found["latency.mean"].experiments, found["latency.mean"].covered) == (2, 0)


def test_the_margin_is_wilsons() -> None:
    assert Coverage(100, 95, 0.1, 0.0, 10.0).margin == pytest.approx((0.8882, 0.9785), abs=1e-4)
