"""The answer of a point: theory inside the intervals, verdicts, paired differences, notes of caution."""

import math
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from simulations.analysis.estimates.intervals import Precision
from simulations.analysis.estimates.metric_estimates import differences
from simulations.analysis.estimates.point import KnownPoint, is_precise, replications_for, summarize
from simulations.analysis.estimates.summary import PointSummary
from simulations.analysis.replications.rows import ReplicationRow, compact, stacked
from simulations.analysis.replications.sample import sample_of
from simulations.analysis.theory.queues import MMc
from simulations.engine.network.model import (
    ArrivalKind,
    ArrivalSpec,
    FlowControl,
    Gate,
    Horizon,
    NetworkSpec,
    Quota,
    Thresholds,
)
from simulations.engine.network.results import Check, Count, Sum
from tests.simulations.analysis.synthetic import network, replication

SPEC = network(18, 81, 0.2, messages=40_000)


def rows(spec: NetworkSpec, count: int = 10) -> list[ReplicationRow]:
    return [compact(replication(spec, number)) for number in range(count)]


def point(spec: NetworkSpec, carried: dict[str, float] | None = None) -> KnownPoint:
    return KnownPoint(1, {"a": 1}, spec, ["payments"], carried or {}, {"worker_threads": 18.0})


@cache
def plain_rows() -> list[ReplicationRow]:
    return rows(SPEC)


@cache
def plain() -> PointSummary:
    return summarize(point(SPEC), plain_rows(), precision=Precision(relative=0.2))


def test_the_formula_lies_in_the_intervals() -> None:
    theory = MMc(81, 0.2, 18)
    exact = {"latency.mean": theory.mean_latency, "throughput": 81.0, "threads.busy": 16.2}
    exact |= {
        f"latency.{name}": theory.percentile(share) for name, share in (("p50", 0.5), ("p95", 0.95), ("p99", 0.99))
    }
    outside = [
        name for name, value in exact.items() if not plain().metrics[name].low <= value <= plain().metrics[name].high
    ]
    assert outside == []


@pytest.mark.parametrize("parts", [("wait.", "service."), "cause."])
def test_parts_add_up_to_the_latency(parts: str | tuple[str, ...]) -> None:
    values = [value.value for name, value in plain().metrics.items() if name.startswith(parts)]
    assert sum(values) == pytest.approx(plain().metrics["latency.mean"].value, rel=1e-9)


def test_a_single_queue_is_the_whole_system() -> None:
    assert plain().queues["orders"].items() <= plain().metrics.items()
    assert plain().servers["payments"].items() <= plain().metrics.items()


def test_only_what_exists_is_named() -> None:
    absent = {"gate.blocks", "window.topups", "producer.rate", "balance.busiest_share", "drain_time", "backlog.growth"}
    assert not absent & plain().metrics.keys()
    gated = replace(SPEC, streams=(replace(SPEC.streams[0], gate=Gate(36, 18)),))
    found = summarize(point(gated), plain_rows()).metrics
    assert found["gate.blocks"].value == 0
    assert "gate.backlog_at_release_min" not in found  # the gate never opened


def test_shuffled_rows_give_the_same_answer() -> None:
    assert summarize(point(SPEC), plain_rows()[::-1], precision=Precision(relative=0.2)) == plain()


def test_precision_decides_between_ok_and_not_converged() -> None:
    assert plain().status == "ok"
    assert replications_for(plain(), Precision(relative=0.2)) == 10
    fine = summarize(point(SPEC), plain_rows(), precision=Precision(relative=0.001))
    assert fine.status == "not_converged"
    assert replications_for(fine, Precision(relative=0.001)) > 100


def test_a_precision_needs_a_metric_with_an_interval() -> None:
    for name in ("latency.max", "latency.p94"):
        with pytest.raises(ValueError, match=name):
            is_precise(plain().metrics, Precision(name, 0.02))


def test_an_unstable_point_shows_growth_and_no_latency() -> None:
    spec = network(18, 100, 0.2)
    found = summarize(point(spec), rows(spec, 6), precision=Precision())
    assert found.status == "unstable"
    assert found.growth["orders"] == pytest.approx(10, rel=0.25)
    assert found.growth["carried"] == pytest.approx(90, rel=0.02)
    assert found.metrics["backlog.growth"].low <= 10 <= found.metrics["backlog.growth"].high
    assert not [name for name in (*found.metrics, *found.queues["orders"]) if name.startswith(("latency", "wait"))]
    assert replications_for(found, Precision()) == 6


def unpaired(base: PointSummary, other: PointSummary) -> float:
    widths = [summary.metrics["latency.mean"].high - summary.metrics["latency.mean"].low for summary in (base, other)]
    return math.hypot(*widths)


def test_paired_differences_are_sharper_than_the_points() -> None:
    slower = network(18, 81, 0.202, messages=40_000)
    found = summarize(point(slower), rows(slower), baseline=sample_of(SPEC, stacked(plain_rows())))
    difference = found.differences["latency.mean"]
    exact = MMc(81, 0.202, 18).mean_latency - MMc(81, 0.2, 18).mean_latency
    assert difference.low <= exact <= difference.high
    assert difference.high - difference.low < unpaired(plain(), found) / 2
    assert "latency.max" not in found.differences


def test_differences_use_the_common_replications() -> None:
    same = summarize(
        point(SPEC), plain_rows()[3:], warmup=0.0, baseline=sample_of(SPEC, stacked(plain_rows()[:7]), 0.0)
    )
    assert same.differences["latency.p95"].value == 0
    assert (
        summarize(point(SPEC), plain_rows()[6:], baseline=sample_of(SPEC, stacked(plain_rows()[:7]))).differences == {}
    )


def test_few_replications_and_few_messages_say_so() -> None:
    short = network(18, 81, 0.2, messages=1600)
    found = summarize(point(short), rows(short, 3)).metrics
    assert "3 replications only" in found["latency.mean"].note
    assert "messages beyond" in found["latency.p999"].note
    assert "messages beyond" not in found["latency.p50"].note
    single = summarize(point(SPEC), plain_rows()[:1]).metrics
    assert "segments" in single["latency.p95"].note
    assert single["latency.p95"].low < single["latency.p95"].high
    assert "no interval" in single["backlog.end"].note


def test_extremes_carry_their_range() -> None:
    longest = plain().metrics["latency.max"]
    assert longest.value == longest.high > longest.low
    assert longest.note == "range over replications"


def test_a_transient_run_has_a_drain_time_and_keeps_its_start() -> None:
    arrivals = ArrivalSpec(ArrivalKind.SURGE, count=100)
    surge = replace(SPEC, streams=(replace(SPEC.streams[0], arrivals=arrivals),), horizon=Horizon(drained=True))
    found = summarize(point(surge), plain_rows())
    assert found.warmup["segments"] == 0
    assert found.metrics["drain_time"].low < found.metrics["drain_time"].value < found.metrics["drain_time"].high


def test_checks_keep_the_worst_residual() -> None:
    failed = replace(plain_rows()[1], checks=(Check("conservation", passed=False, residual=0.5),))
    check = summarize(point(SPEC), [plain_rows()[0], failed, plain_rows()[2]]).checks[0]
    assert check == {"name": "conservation", "passed": False, "residual": 0.5}


def test_a_queue_can_be_compared_by_itself() -> None:
    spec = network(18, 81, 0.202, messages=40_000)
    slower, base = sample_of(spec, stacked(rows(spec))), sample_of(SPEC, stacked(plain_rows()))
    system, queue = differences(slower, base), differences(slower, base, "orders")
    assert queue["latency.mean"] == system["latency.mean"]
    assert "cpu.utilisation" in system
    assert "cpu.utilisation" not in queue
    assert differences(slower, base, "unknown") == {}


def test_the_messages_of_a_cluster_are_counted_by_instance() -> None:
    assert plain().instances == {}
    pool = replace(SPEC.pools[0], instances=2)
    shared = [replace(row, per_instance=np.array([[100 + row.replication % 2, 50]])) for row in plain_rows()]
    first, second = summarize(point(replace(SPEC, pools=(pool,))), shared).instances["orders"]
    assert first.value == pytest.approx(100.5)
    assert first.low < 100.5 < first.high
    assert (second.value, second.low, second.high, second.unit) == (50, 50, 50, "messages")


def test_messages_that_had_not_ended_are_noted_beside_transient_latencies() -> None:
    long_rate = ArrivalSpec(ArrivalKind.PROFILE, instants=(0.0, 500.0), rates=(100.0, 100.0))
    spec = network(18, 100, 0.2, messages=4000)
    day = replace(spec, streams=(replace(spec.streams[0], arrivals=long_rate),))
    found = summarize(point(day), rows(spec, 3))
    left = sum(int(row.counts[:, :, Count.ARRIVED].sum()) - 4000 for row in rows(spec, 3))
    assert found.status == "ok"
    assert f"{left} of {left + 12000} messages had not ended" in found.metrics["latency.p95"].note
    assert "not ended" not in found.metrics["throughput"].note
    assert "not ended" not in summarize(point(SPEC), plain_rows()[:3]).metrics["latency.p95"].note


def test_replications_with_messages_left_that_never_end_are_a_verdict_in_words() -> None:
    stuck = [replace(row, stuck=number < 3) for number, row in enumerate(plain_rows())]
    found = summarize(point(SPEC), stuck, precision=Precision(relative=0.001))
    assert found.status == "invalid"
    assert [finding.rule for finding in found.findings] == ["engine.unfinished"]
    assert found.findings[0].message.startswith("3 of 10 replications were ended early, with messages left")
    assert replications_for(found, Precision(relative=0.001)) == 10
    assert summarize(point(SPEC), stuck, precision=Precision(), only={"throughput"}).status == "invalid"
    assert not plain().findings


def _controlled(flow: FlowControl | None) -> NetworkSpec:
    stream = replace(SPEC.streams[0], flow=flow, quota=None if flow else Quota(messages=100))
    return replace(SPEC, streams=(stream,))


def test_producers_are_told_by_what_they_sent_and_by_the_limit_while_there_was_one() -> None:
    """A limit of 500/s for a tenth of the time is a limit of 500/s, and a tenth of the time."""
    made = []
    for row in plain_rows():
        counts, sums, seconds = row.counts.copy(), row.sums.copy(), row.durations
        counts[:, 0, Count.ADMITTED] = counts[:, 0, Count.ARRIVED] - 10
        counts[:, 0, Count.BLOCKED_SENDS] = 20
        sums[:, 0, Sum.LIMIT], sums[:, 0, Sum.LIMITED] = 50.0 * seconds, 0.1 * seconds
        sums[:, 0, Sum.BLOCKED_SENDS] = 5.0
        made.append(replace(row, counts=counts, sums=sums))
    flow = FlowControl(500.0, 50.0, 60.0, 10, Thresholds(1000, 800))
    found = summarize(point(_controlled(flow)), made).metrics
    assert found["producer.limit"].value == pytest.approx(500.0)
    assert found["producer.limited_fraction"].value == pytest.approx(0.1)
    assert found["producer.rate"].value < found["arrival_rate"].value
    assert found["producer.blocked_time"].value == pytest.approx(0.25)
    quota = summarize(point(_controlled(None)), made).metrics
    assert "producer.limit" not in quota
    assert found["producer.blocked_sends"] == quota["producer.blocked_sends"]


def test_threads_are_busy_with_what_they_work_on_not_with_all_that_they_hold() -> None:
    """Half of the messages on threads rest in batches: half of the threads, and twice the share of wasted work."""
    made = []
    for row in plain_rows():
        sums = row.sums.copy()
        sums[:, 0, Sum.RESTING] = sums[:, 0, Sum.RUNNING] / 2
        sums[:, 0, Sum.WASTED] = sums[:, 0, Sum.RUNNING] / 10
        made.append(replace(row, sums=sums))
    found = summarize(point(SPEC), made)
    assert found.queues["orders"]["threads.busy"].value == pytest.approx(plain().metrics["threads.busy"].value / 2)
    assert found.metrics["wasted_work"].value == pytest.approx(0.2)
