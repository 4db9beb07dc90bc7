"""What follows from counted windows: loads, threads, held-out windows and the instants that are replayed."""

from collections.abc import Mapping

import numpy as np
import pytest
from numpy.typing import NDArray

from simulations.analysis.theory.queues import MMc
from simulations.pipeline.telemetry.fitting.families import Choice
from simulations.pipeline.telemetry.fitting.fit import Concurrency
from simulations.pipeline.telemetry.fitting.intervals import COLUMNS, Instance
from simulations.pipeline.telemetry.fitting.questions import Span
from simulations.pipeline.telemetry.fitting.sample_fit import Watched, load_of, service_of, threads_of
from simulations.pipeline.telemetry.logs import held_parts, instants, width_of
from tests.synthetic.messages import Truth, log_of
from tests.synthetic.samples import totals_of

SPAN = Span(0.0, 400.0)


def instance(**more: object) -> Instance:
    values: dict[str, object] = {
        "queue": "orders",
        "name": "a",
        "samples": 401,
        "seconds": 400.0,
        "usual": 1.0,
        "regular": True,
        "restarts": 0,
        "gaps": 0,
        "completed": 4000.0,
        "threads": None,
        "known": frozenset({"arrived"}),
        "busy": {},
        "crowded": {},
    }
    return Instance(**{**values, **more})  # type: ignore[arg-type]


def watched(columns: Mapping[str, NDArray[np.float64]]) -> Watched:
    unknown = np.full(400, np.nan)
    return Watched(
        "orders", (instance(),), {**dict.fromkeys(COLUMNS, unknown), "covered": np.ones(400), **columns}, 1.0
    )


@pytest.mark.parametrize(("threads", "load"), [(1, 0.3), (1, 0.95), (12, 8.0), (40, 39.0)])
def test_the_load_is_solved_from_the_mean_number_present(threads: int, load: float) -> None:
    present = load * MMc(rate=load, service=1.0, servers=threads).mean_latency
    assert load_of(present, threads) == pytest.approx(load, rel=1e-6)


def test_more_present_than_any_load_explains_is_a_full_system() -> None:
    assert load_of(1e12, 4) == pytest.approx(4)
    assert load_of(0.0, 4) == 0


def test_threads_are_those_that_were_busy_while_others_waited() -> None:
    first = instance(busy={3: 50, 4: 100, 5: 40}, crowded={5: 40})
    second = instance(name="b", busy={4: 100, 6: 31}, crowded={5: 2, 6: 31})
    found = threads_of([first, second], Choice())
    assert (found.threads, found.limited, found.starts) == (11, True, 73)
    assert found.share == pytest.approx(71 / 73)


def test_without_a_crowd_the_most_that_were_busy_are_only_a_lower_bound() -> None:
    found = threads_of([instance(busy={3: 50, 4: 10})], Choice())
    assert (found.threads, found.limited) == (4, False)


def test_threads_that_were_counted_count() -> None:
    found = threads_of([instance(threads=20.0, busy={3: 5}), instance(name="b", threads=20.0)], Choice())
    assert (found.threads, found.limited) == (40, True)


def test_one_gauge_follows_from_the_others() -> None:
    gauges = watched({"waiting": np.full(400, 2.0), "busy": np.full(400, 3.0), "pending": np.full(400, 9.0)}).gauges
    assert set(gauges["present"]) == {5.0}
    gauges = watched({"waiting": np.full(400, 2.0), "pending": np.full(400, 9.0)}).gauges
    assert set(gauges["present"]) == {11.0}
    gauges = watched({"present": np.full(400, 5.0), "busy": np.full(400, 3.0)}).gauges
    assert set(gauges["waiting"]) == {2.0}


def test_the_held_out_windows_are_the_last_ones_and_bounded() -> None:
    item = watched({"arrived": np.full(400, 10.0)})
    assert np.flatnonzero(held_parts(item, SPAN, 10_000)).tolist() == list(range(280, 400))
    some = held_parts(item, SPAN, 600)
    assert 550 <= item.columns["arrived"][some].sum() <= 650
    assert np.flatnonzero(some).max() > 360


def test_as_many_instants_as_were_counted_lie_in_each_window() -> None:
    arrived = np.asarray(np.arange(400) % 7 * 1.5, np.float64)
    item = watched({"arrived": arrived})
    held = held_parts(item, SPAN, 10_000)
    found = instants(item, held, np.random.default_rng(1))
    counts = np.bincount(found.astype(int), minlength=400)
    assert (np.diff(found) >= 0).all()
    assert np.abs(counts[280:] - arrived[280:]).max() < 1
    assert counts[:280].sum() == 0


def test_windows_are_as_long_as_an_interval_or_ten_where_these_differ() -> None:
    span = Span(0.0, 20_000.0)
    assert width_of([instance(usual=5.0)], span, 1) == 5.0
    assert width_of([instance(usual=5.0, regular=False)], span, 1) == 50.0
    assert width_of([instance(usual=5.0), instance(usual=7.0)], span, 1) == 70.0
    assert width_of([instance(usual=1.0)], Span(0.0, 1e6), 2) >= 20.0


@pytest.mark.parametrize("source", ["service_seconds", "busy", "present"])
def test_intervals_of_the_service_time_hold_the_truth_as_often_as_they_say(source: str) -> None:
    """Of 60 intervals of 95 %, fewer than 52 hold the truth once in four hundred times."""
    truths = [Truth(messages=15_000, rate=40, mean=0.2, threads=12, seed=seed) for seed in range(60)]
    found = [service_of(*seen_of(truth, source)) for truth in truths]
    assert {name for _, name in found} == {source}
    assert sum(value.low <= 0.2 <= value.high for value, _ in found if value.low and value.high) >= 52


def seen_of(truth: Truth, source: str) -> tuple[Watched, Span, Concurrency, Choice]:
    """What Spark would count of a system whose samples know only one source of the service time."""
    totals = {name: values[:, 0] for name, values in totals_of(truth, log_of(truth), 1.0).items()}
    ended, present = totals["ended"], totals["arrived"] - totals["ended"]
    size = len(ended) - 1
    busy = totals["started"] - ended
    columns: dict[str, NDArray[np.float64]] = {name: np.full(size, np.nan) for name in COLUMNS}
    columns |= {"covered": np.ones(size)}
    columns |= {"completed": np.diff(ended), "deliveries": np.diff(ended)}
    columns["present"] = (present[1:] + present[:-1]) / 2
    if source == "busy":
        columns["busy"] = (busy[1:] + busy[:-1]) / 2
    if source == "service_seconds":
        columns["service_seconds"] = np.diff(totals["seconds"])
    one = instance(threads=float(truth.threads))
    item = Watched("orders", (one,), columns, 1.0)
    return item, Span(0.0, float(size)), threads_of([one], Choice()), Choice()
