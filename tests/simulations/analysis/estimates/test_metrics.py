"""The declarations: complete, documented, with known units, and the names that scenarios promise."""

import re

import pytest

from simulations.analysis.estimates.metrics import BY_NAME, METRICS, Metric
from simulations.declarations.units import UNITS

PROMISED = [
    "latency.mean",
    "latency.p50",
    "latency.p90",
    "latency.p95",
    "latency.p99",
    "latency.p999",
    "latency.max",
    "wait.destination",
    "wait.prepared",
    "wait.thread",
    "wait.downstream",
    "service.cpu",
    "service.wait",
    "service.commit",
    "throughput",
    "arrival_rate",
    "backlog.mean",
    "backlog.max",
    "backlog.end",
    "threads.busy",
    "threads.idle_no_work",
    "threads.idle_blocked",
    "cpu.utilisation",
    "gate.blocks",
    "gate.blocked_fraction",
    "gate.backlog_at_release_min",
    "gate.backlog_at_release_max",
    "window.topups",
    "window.mean_grant",
    "timeouts.queue",
    "timeouts.dispatch",
    "timeouts.transaction",
    "rollbacks",
    "redeliveries",
    "dead_letters",
    "rejected",
    "dropped",
    "wasted_work",
    "overtaken_fraction",
    "batch.mean_size",
    "buffer.bytes_max",
    "producer.rate",
    "producer.limit",
    "producer.blocked_sends",
    "producer.blocked_time",
    "balance.busiest_share",
    "drain_time",
]


def test_every_promised_name_is_declared_once() -> None:
    assert set(PROMISED) <= BY_NAME.keys()
    assert len(BY_NAME) == len(METRICS)


@pytest.mark.parametrize("metric", METRICS, ids=lambda metric: metric.name)
def test_a_declaration_is_complete(metric: Metric) -> None:
    assert metric.unit in UNITS
    assert re.fullmatch(r"[A-Z0-9].*[.]", metric.meaning)
    assert metric.title
    assert (metric.pooled is None) != (metric.observed is None)
    assert not metric.name.startswith("latency.") or not metric.when_unstable


def test_operators_find_their_names() -> None:
    native = {metric.native["websphere-zos"]: metric.name for metric in METRICS if "websphere-zos" in metric.native}
    assert native == {"IN-FLIGHT": "gate.in_flight", "BLOCKS": "gate.blocks"}
