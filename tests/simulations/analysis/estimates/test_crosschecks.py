"""The checks between numbers that are counted apart: they hold for networks of every kind and see what is wrong."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulations.analysis.estimates.crosschecks import cross_checks
from simulations.analysis.estimates.point import KnownPoint, summarize
from simulations.analysis.replications.rows import ReplicationRow, compact, stacked
from simulations.engine.network.model import Horizon, Law, LawKind, NetworkSpec, Transaction
from simulations.engine.network.results import Count, PoolSum, Sum
from simulations.engine.replicate import replicate
from tests.examples import examples
from tests.simulations.analysis.synthetic import network
from tests.simulations.engine.loop.test_kernel import bounded, living, networks, ruled

SPEC = network(4, 10, 0.2, messages=8_000)
TRANSACTED = replace(SPEC, streams=(replace(SPEC.streams[0], transaction=Transaction(commit_time=0.01)),))
ROW = compact(replicate(SPEC, seed=1, replication=0))


def failed(spec: NetworkSpec, row: ReplicationRow) -> list[str]:
    return [check.name for check in cross_checks(spec, stacked([row])) if not check.passed]


@given(
    spec=st.one_of(networks(plain=True), networks(plain=False), ruled(), bounded(), living()), seed=st.integers(0, 99)
)
@examples(250, nightly=10_000)
def test_networks_of_every_kind_pass(spec: NetworkSpec, seed: int) -> None:
    assert failed(spec, compact(replicate(spec, seed=seed, replication=0))) == []


@pytest.mark.parametrize("spec", [SPEC, TRANSACTED], ids=["plain", "transacted"])
@pytest.mark.parametrize(
    "law", [Law(LawKind.LOGNORMAL, -2.0, 0.5), Law(LawKind.HYPEREXPONENTIAL, 0.9, 0.1, 1.0), Law(LawKind.CONSTANT, 0.2)]
)
def test_long_runs_pass(spec: NetworkSpec, law: Law) -> None:
    long = replace(spec, streams=(replace(spec.streams[0], service=law),), horizon=Horizon(messages=50_000))
    assert all(failed(long, compact(replicate(long, seed=1, replication=number))) == [] for number in range(3))


def with_sum(row: ReplicationRow, column: Sum, factor: float) -> ReplicationRow:
    sums = row.sums.copy()
    sums[:, 0, column] *= factor
    return replace(row, sums=sums)


def test_a_message_that_is_counted_in_one_place_only_is_seen() -> None:
    assert failed(SPEC, replace(ROW, per_instance=ROW.per_instance + 1)) == ["counted"]
    counts = ROW.counts.copy()
    counts[3, 0, Count.COMPLETED] -= 1
    assert "counted" in failed(SPEC, replace(ROW, counts=counts))


@pytest.mark.parametrize(
    ("column", "factor", "names"),
    [
        (Sum.LATENCY, 0.99, ["latency"]),
        (Sum.RUNNING, 0.95, ["population", "threads"]),
        (Sum.BACKLOG, 0.5, ["population"]),
        (Sum.WAITING, 1.2, ["demand"]),
        (Sum.COMMIT, 0.9, ["commit"]),
    ],
)
def test_a_sum_that_is_off_is_seen(column: Sum, factor: float, names: list[str]) -> None:
    row = compact(replicate(TRANSACTED, seed=1, replication=0))
    assert failed(TRANSACTED, with_sum(row, column, factor)) == names


def test_demands_of_another_law_are_seen() -> None:
    told = replace(SPEC, streams=(replace(SPEC.streams[0], service=Law(LawKind.EXPONENTIAL, 0.25)),))
    assert failed(told, ROW) == ["demand"]
    assert failed(TRANSACTED, ROW) == ["commit"]


def test_threads_that_are_busy_without_a_message_are_seen() -> None:
    pool_sums = ROW.pool_sums.copy()
    pool_sums[:, 0, PoolSum.BUSY] += 1.0
    assert failed(SPEC, replace(ROW, pool_sums=pool_sums)) == ["threads"]


def test_they_stand_with_the_engines_own_checks() -> None:
    wrong = replace(ROW, replication=1, per_instance=np.zeros_like(ROW.per_instance))
    found = {
        check["name"]: check["passed"]
        for check in summarize(KnownPoint(0, {}, SPEC, ["s"], {}, {}), [ROW, wrong]).checks
    }
    assert found["conservation"]
    assert not found["counted"]
