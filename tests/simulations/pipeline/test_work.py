"""Estimating work, cutting it into tasks, and the body of a task without Spark."""

import dataclasses
import itertools
import json

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulations.analysis.theory.laws import law_mean
from simulations.engine.network.model import (
    ArrivalKind,
    ArrivalSpec,
    Horizon,
    Law,
    LawKind,
    NetworkSpec,
    Pool,
    Send,
    Stream,
)
from simulations.engine.packing.numbering import UNLIMITED
from simulations.experiment import Point
from simulations.pipeline import work
from simulations.pipeline.archive.schemas import REPLICATION, unpacked
from simulations.pipeline.work import (
    LONGEST_TASK,
    SHORTEST_TASK,
    UNKNOWN_RATE,
    PointFailed,
    WorkItem,
    expected_events,
    expected_seconds,
    most_events,
    simulate,
    simulate_batches,
    split,
    task_seconds,
    work_table,
)
from tests.simulations.pipeline.doubles import points_of, scenario
from tests.simulations.platforms.samples import bean

LAW = Law(LawKind.EXPONENTIAL, 0.2)


def item(point: int = 0, first: int = 0, count: int = 1, cost: float = 0.1) -> WorkItem:
    return WorkItem(point=point, overrides="{}", spec="{}", seed=1, first=first, count=count, cost=cost)


def real_item(point: int = 1, count: int = 2) -> WorkItem:
    return WorkItem.of(points_of(scenario())[point], first=0, count=count, cost=0.01)


ITEMS = st.lists(
    st.tuples(st.integers(1, 40), st.floats(1e-4, 10.0)).map(lambda pair: item(count=pair[0], cost=pair[1])),
    max_size=12,
)


@given(items=ITEMS, seconds=st.floats(0.01, 5.0), slots=st.none() | st.integers(1, 8))
def test_splitting_keeps_every_replication_in_order_and_every_task_short(
    items: list[WorkItem], seconds: float, slots: int | None
) -> None:
    tasks = list(split(items, seconds, slots=slots))
    parts = [part for task in tasks for part in task]
    assert [(p.cost, n) for p in parts for n in range(p.first, p.first + p.count)] == [
        (i.cost, n) for i in items for n in range(i.first, i.first + i.count)
    ]
    for task in tasks:
        assert sum(part.cost * part.count for part in task) <= seconds * (1 + 1e-9) or (
            len(task) == 1 and task[0].count == 1
        )


def test_short_points_share_a_task() -> None:
    tasks = list(split([item(point=number, count=10, cost=0.0009) for number in range(20)], 0.05))
    assert len(tasks) == 4


def test_a_long_point_is_cut_into_tasks() -> None:
    tasks = list(split([item(count=10, cost=0.5)], 1.0))
    assert [(task[0].first, task[0].count) for task in tasks] == [(0, 2), (2, 2), (4, 2), (6, 2), (8, 2)]


def test_the_last_tasks_are_shorter() -> None:
    tasks = list(split([item(count=100, cost=0.1)], 2.0, slots=2))
    seconds = [0.1 * task[0].count for task in tasks]
    assert seconds[0] == pytest.approx(2.0)
    assert seconds == sorted(seconds, reverse=True)
    assert seconds[-1] == pytest.approx(0.1)


@pytest.mark.parametrize(("total", "seconds"), [(0.01, SHORTEST_TASK), (6.0, 0.5), (1e6, LONGEST_TASK)])
def test_tasks_last_between_tens_of_milliseconds_and_seconds(total: float, seconds: float) -> None:
    assert task_seconds([item(cost=total)], slots=2) == pytest.approx(seconds)


def test_the_body_of_a_task_simulates_its_rows() -> None:
    tasks = [(real_item(1, 2),), (real_item(2, 1),)]
    sent = list(simulate_batches(work_table(tasks).to_batches()))
    batches = [batch for part in sent for batch in unpacked(part)]
    assert all(batch.schema.equals(REPLICATION) for batch in batches)
    table = pa.Table.from_batches(batches)
    assert table["point"].to_pylist() == [1, 1, 2]
    assert table["replication"].to_pylist() == [0, 1, 0]
    assert min(table["events"].to_pylist()) > 2000


def test_a_wrong_row_fails_with_the_points_changes() -> None:
    broken = real_item()
    body = json.loads(broken.spec)
    body["queues"][0]["settings"]["maximum_sessions"] = -5
    wrong = WorkItem(**{**vars(broken), "spec": json.dumps(body)})
    with pytest.raises(
        PointFailed, match=r"point 1 \(queues.orders.settings.maximum_sessions = 36\).*maximum_sessions"
    ):
        simulate(wrong)


def network(arrivals: ArrivalSpec, horizon: Horizon) -> NetworkSpec:
    return NetworkSpec((Pool(),), (Stream("orders", 0, arrivals, LAW), Stream("others", 0, arrivals, LAW)), horizon)


@pytest.mark.parametrize(
    ("arrivals", "horizon", "messages"),
    [
        (ArrivalSpec(ArrivalKind.POISSON, rate=50), Horizon(messages=1000), 1000),
        (ArrivalSpec(ArrivalKind.POISSON, rate=50), Horizon(time=60.0), 2 * 3000),
        (ArrivalSpec(ArrivalKind.SURGE, count=500, rate=10), Horizon(time=60.0), 2 * 1100),
        (ArrivalSpec(ArrivalKind.SURGE, count=500), Horizon(drained=True), 2 * 500),
        (ArrivalSpec(ArrivalKind.TRACE, instants=(1.0, 2.0, 4.0)), Horizon(drained=True), 2 * 3),
        (ArrivalSpec(ArrivalKind.SATURATED), Horizon(time=10.0), 2 * 10 / law_mean(LAW)),
    ],
)
def test_every_message_is_an_arrival_and_a_completion(arrivals: ArrivalSpec, horizon: Horizon, messages: float) -> None:
    assert expected_events(network(arrivals, horizon)) == 2 * messages


def test_what_is_never_empty_brings_what_its_threads_complete() -> None:
    first = network(ArrivalSpec(ArrivalKind.SATURATED), Horizon(time=10.0))
    for count, rate in ((3, 3 / law_mean(LAW)), (100_000, UNKNOWN_RATE)):
        pool = dataclasses.replace(first.pools[0], threads_per_servant=count)
        assert expected_events(dataclasses.replace(first, pools=(pool,))) == pytest.approx(2 * 2 * 10 * rate)
    at_once = dataclasses.replace(first.streams[0], service=Law(LawKind.CONSTANT, 0.0))
    assert expected_events(dataclasses.replace(first, streams=(at_once,))) == 2 * 10 * UNKNOWN_RATE


def test_what_messages_send_on_are_more_events() -> None:
    first = network(ArrivalSpec(ArrivalKind.POISSON, rate=10.0), Horizon(time=10.0))
    sender = dataclasses.replace(first.streams[0], sends=(Send(1, 1.5),))
    last = dataclasses.replace(first.streams[0], arrivals=ArrivalSpec(ArrivalKind.NONE))
    assert expected_events(dataclasses.replace(first, streams=(sender, last))) == 2 * 250


def test_more_events_take_longer_and_none_still_take_time() -> None:
    assert 0 < expected_seconds(0) < expected_seconds(1e6)


def test_tasks_are_made_when_they_are_taken() -> None:
    tasks = split([item(count=10**9, cost=10.0)], 1.0)
    assert [task[0].first for task in itertools.islice(tasks, 3)] == [0, 1, 2], "a billion tasks are nowhere"


@pytest.mark.parametrize(
    ("horizon", "rate", "most"),
    [
        (Horizon(messages=1_000), 1.0, 10_000_000),
        (Horizon(messages=1_000_000), 1.0, 200_000_000),
        (Horizon(time=1e9), 1e9, UNLIMITED),
    ],
)
def test_patience_grows_with_what_is_expected(horizon: Horizon, rate: float, most: int) -> None:
    stream = Stream("q", 0, ArrivalSpec(ArrivalKind.POISSON, rate=rate), LAW)
    assert most_events(NetworkSpec((Pool(),), (stream,), horizon)) == most


def test_a_run_of_messages_that_hardly_ever_succeed_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(work, "PATIENCE", 1)
    hardly = WorkItem.of(Point(0, {}, bean(failure_rate=0.999)), first=0, count=2, cost=1.0)
    rows = simulate(hardly).to_pylist()
    assert [row["stuck"] for row in rows] == [True, True]
    assert [row["events"] for row in rows] == [400_000, 400_000]
