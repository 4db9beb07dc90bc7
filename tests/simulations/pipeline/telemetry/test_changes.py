"""What has changed between two logs of a system: found where it is, and claimed nowhere else."""

import json
from dataclasses import asdict, replace
from typing import Any

import numpy as np
import pytest
from pydantic_core import to_json

from simulations.pipeline.telemetry.changes import changes_of
from simulations.pipeline.telemetry.fitting.fit import Concurrency, queue_fit
from simulations.pipeline.telemetry.fitting.limits import Limit
from simulations.pipeline.telemetry.fitting.questions import BLOCKS, Seen, Span
from simulations.pipeline.telemetry.fitting.slices import BIN, SHORTEST
from tests.synthetic.systems import System, served
from tests.telemetry import fit_of

HOUR = System("an hour", messages=36_000, rate=10.0, mean=0.5, threads=10, seed=0, service="lognormal", cv=1.2)
SEEDS = range(20)


def result_of(system: System, seed: int) -> dict[str, Any]:
    """What a calibration says of a log of the system, its slices left out."""
    arrivals, starts, ends = served(system, 1.0, system.messages, seed)
    span, times = Span(0.0, float(ends.max())), ends - starts
    block = np.minimum(arrivals / span.block, BLOCKS - 1).astype(int)
    sums = {"alone": np.ones_like(times), "time": times, "squares": times**2}
    columns = {
        name: np.bincount(block, weights=values, minlength=BLOCKS).astype(np.float64) for name, values in sums.items()
    }
    none = np.zeros(BLOCKS)
    ones = dict.fromkeys(("messages", "completed", "deliveries"), columns["alone"])
    blocks = {**columns, **ones, "expired": none, "failures": none}
    bins = np.floor(np.log(times / SHORTEST) / np.log1p(BIN)).astype(int)
    service = np.zeros((BLOCKS, bins.max() + 1), np.int64)
    np.add.at(service, (block, bins), 1)
    counts = np.bincount((arrivals / 0.1).astype(int)).astype(np.int64)
    seen = Seen("orders", {"": len(times)}, blocks, service, service, counts, {}, 1)
    return plain(queue_fit(seen, span, 0.1))


def plain(*fits: Any) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(to_json({"queues": [asdict(fit) for fit in fits]}, inf_nan_mode="null"))
    return found


@pytest.fixture(scope="module")
def first() -> list[dict[str, Any]]:
    return [result_of(HOUR, seed) for seed in SEEDS]


def test_slower_service_is_found_and_named_with_its_size(first: list[dict[str, Any]]) -> None:
    slower = replace(HOUR, mean=0.575)
    found = [changes_of(old, result_of(slower, 1_000 + seed)) for seed, old in zip(SEEDS, first, strict=True)]
    assert all("mean time of one delivery" in [change.what for change in changes] for changes in found)
    sizes = [change.after / change.before for changes in found for change in changes if change.what.startswith("mean")]
    assert np.mean(sizes) == pytest.approx(1.15, abs=0.01)
    assert "mean time of one delivery: 499.2 ms, now 577.5 ms, +16 % ± 2.4 %." in [item.sentence for item in found[0]]


def test_nothing_is_claimed_of_a_system_that_is_the_same(first: list[dict[str, Any]]) -> None:
    again = [changes_of(old, result_of(HOUR, 2_000 + seed)) for seed, old in zip(SEEDS, first, strict=True)]
    assert again == [()] * len(SEEDS)


def test_bursts_and_a_limit_are_told_and_queues_without_a_partner_are_not() -> None:
    fit = fit_of()
    arrivals = replace(fit.arrivals, dispersion={key: value * 3 for key, value in fit.arrivals.dispersion.items()})
    moved = replace(fit, arrivals=arrivals, concurrency=Concurrency(9, limited=True, share=1.0, starts=500))
    changes = changes_of(plain(fit, replace(fit, name="old")), plain(moved, replace(fit, name="new")))
    assert [(change.queue, change.what) for change in changes] == [("orders", "threads"), ("orders", "bursts")]
    assert changes[0].sentence == "the limit was 12 threads and is 9."


def test_a_limit_that_more_were_seen_beyond_has_moved_and_one_that_nobody_met_tells_nothing() -> None:
    fit = fit_of()
    beyond = replace(fit, concurrency=Concurrency(14, limited=False, share=0.0, starts=3))
    (raised,) = changes_of(plain(fit), plain(beyond))
    assert raised.sentence == "the limit was 12 threads and is at least 14."
    (lowered,) = changes_of(plain(beyond), plain(fit))
    assert lowered.sentence == "the limit was at least 14 threads and is 12."
    below = replace(fit, concurrency=Concurrency(11, limited=False, share=0.0, starts=3))
    doubtful = replace(fit, concurrency=Concurrency(12, limited=True, share=0.5, starts=500))
    assert changes_of(plain(fit), plain(below)) == changes_of(plain(doubtful), plain(beyond)) == ()


def test_a_limit_behind_the_threads_has_moved_by_what_it_allows() -> None:
    fit = fit_of()
    before, after = (
        replace(fit, limit=Limit(*found)) for found in ((3, 0.6, 0.2, 25, 24, 26), (4, 0.7, 0.2, 28.6, 27, 30))
    )
    (change,) = changes_of(plain(before), plain(after))
    assert change.sentence == "throughput that a limit behind the threads allows: 25/s, now 28.6/s, +14 % ± 7.2 %."
    same = replace(fit, limit=Limit(3, 0.5, 0.25, 24, 23, 25))
    assert changes_of(plain(before), plain(same)) == changes_of(plain(before), plain(fit)) == ()


def test_failures_that_begin_are_a_change_without_a_share() -> None:
    fit = fit_of()
    sound = replace(fit, failure_rate=replace(fit.failure_rate, low=0.0, high=0.0))
    failing = replace(fit, failure_rate=replace(fit.failure_rate, value=0.02, low=0.018, high=0.022))
    (change,) = changes_of(plain(sound), plain(failing))
    assert change.sentence == "share of failed deliveries: 0 %, now 2 %."
