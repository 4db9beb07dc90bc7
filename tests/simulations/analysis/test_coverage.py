"""The measurement of coverage itself: exact counting, and the product's intervals on a queue with a known answer."""

import pytest

from simulations.analysis.coverage import Coverage, measure_coverage
from simulations.analysis.theory.markov_queues import MMc
from simulations.engine.network import NetworkSpec
from simulations.engine.results import ReplicationResult
from tests.simulations.analysis.synthetic import network, replication


def simulate(spec: NetworkSpec, seed: int, number: int) -> ReplicationResult:
    return replication(spec, number, seed)


def test_intervals_of_a_half_loaded_queue_hold_the_truth() -> None:
    queue = MMc(10, 0.2, 4)
    truth = {"latency.mean": queue.mean_latency, "latency.p95": queue.percentile(0.95), "throughput": 10.0}
    found = measure_coverage(network(4, 10, 0.2, messages=1600), truth, simulate, experiments=60, replications=5)
    for coverage in found.values():
        assert coverage.experiments == 60
        assert coverage.margin[1] > 0.95
        assert abs(coverage.bias) < 0.02
        assert 0 < coverage.half_width < 0.2


def test_a_wrong_truth_is_missed() -> None:
    found = measure_coverage(
        network(4, 10, 0.2, messages=1600), {"latency.mean": 0.4}, simulate, experiments=5, replications=5
    )
    assert found["latency.mean"].covered == 0


def test_the_margin_is_wilsons() -> None:
    assert Coverage(100, 95, 0.1, 0.0).margin == pytest.approx((0.8882, 0.9785), abs=1e-4)
