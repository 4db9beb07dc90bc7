"""Curves: bounded, monotone where they must be, bands around their lines."""

from dataclasses import replace

import numpy as np

from simulations.analysis.estimates.curves import (
    TAIL_POINTS,
    TIMELINE_POINTS,
    bands,
    tail,
    telling_stretch,
    threads,
    timeline,
)
from simulations.analysis.replications.rows import compact, stacked
from simulations.analysis.replications.sample import sample_of
from simulations.analysis.theory.queues import MMc
from simulations.engine.network.results import Timeline
from tests.simulations.analysis.synthetic import network, replication

SPEC = network(18, 81, 0.2)
ROWS = [compact(replication(SPEC, number)) for number in range(10)]
STACK = stacked(ROWS)


def numbers(values: list[float | None]) -> np.ndarray:
    return np.array(values, np.float64)


def test_the_tail_is_that_of_the_formula() -> None:
    curve = tail(sample_of(SPEC, stacked(ROWS)).system)
    latency, survival = numbers(curve["latency"]), numbers(curve["survival"])
    low, high = numbers(curve["low"]), numbers(curve["high"])
    assert 50 < len(latency) <= TAIL_POINTS
    assert (np.diff(latency) > 0).all()
    assert (np.diff(survival) < 0).all()
    exact = np.array([MMc(81, 0.2, 18).survival(at) for at in latency])
    seen = survival > 1e-3
    assert ((low <= exact) & (exact <= high))[seen].mean() > 0.8


def test_a_queue_without_messages_has_no_tail() -> None:
    columns = sample_of(SPEC, stacked(ROWS)).pools[0]
    assert tail(columns) == {}


def test_bands_lie_in_order_and_around_their_line() -> None:
    curve = {name: numbers(values) for name, values in bands(STACK, 0).items()}
    assert all(len(values) == 16 for values in curve.values())
    assert (np.diff(curve["band_time"]) > 0).all()
    assert (curve["p50"] < curve["p95"]).all()
    assert (curve["p95"] < curve["p99"]).all()
    assert (curve["p95_low"] <= curve["p95"]).all()
    assert (curve["p95"] <= curve["p95_high"]).all()


def test_the_path_is_thinned_and_unknown_is_none() -> None:
    curve = timeline(ROWS[0], 0)
    assert {len(values) for values in curve.values()} == {500}
    assert len(curve["time"]) <= TIMELINE_POINTS
    assert curve["admitted"] == [None] * 500
    assert set(curve) == {"time", "backlog", "prepared", "running", "blocked", "idle_blocked", "admitted", "latency"}


def test_threads_by_state_are_all_threads_at_any_time() -> None:
    curve = {name: numbers(values) for name, values in threads(STACK, 0).items()}
    states = sum(curve[name] for name in ("busy", "idle_no_work", "idle_blocked", "held"))
    np.testing.assert_allclose(states, 18, rtol=1e-9)
    assert (np.diff(curve["band_time"]) > 0).all()
    late = slice(1, None)
    covered = (curve["busy_low"] <= 81 * 0.2) & (curve["busy_high"] >= 81 * 0.2)
    assert covered[late].mean() > 0.7


def test_one_replication_has_threads_without_a_band() -> None:
    assert set(threads(stacked(ROWS[:1]), 0)) == {"band_time", "busy", "idle_no_work", "idle_blocked", "held"}


def test_a_segment_that_no_replication_reached_has_no_threads() -> None:
    ended = replace(ROWS[0], durations=np.append(ROWS[0].durations[:-1], 0.0))
    assert threads(stacked([ended]), 0)["busy"][-1] is None


def test_a_telling_stretch_is_where_most_threads_idle_behind_a_limit_and_never_the_beginning() -> None:
    result = replication(SPEC, 0)
    count, seconds = len(result.timeline_at), float(result.timeline_at[-1]) / 4
    course = np.zeros_like(result.timeline)
    course[[1, 3 * count // 4], 0, Timeline.BACKLOG] = [900.0, 5.0]
    waiting = telling_stretch(replace(result, timeline=course), seconds)
    assert waiting.timeline[..., Timeline.BACKLOG].max() == 5.0
    course[count // 2, 0, Timeline.IDLE_BLOCKED] = 2.0
    idle = telling_stretch(replace(result, timeline=course), seconds)
    assert idle.timeline[..., Timeline.IDLE_BLOCKED].max() == 2.0
    for shown in (waiting, idle):
        assert shown.timeline_at[0] >= seconds
        assert 0.9 * seconds < np.ptp(shown.timeline_at) <= seconds
    short = telling_stretch(result, float(result.timeline_at[-1]))
    assert len(short.timeline_at) >= count - 1
