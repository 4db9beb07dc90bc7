"""The same numbers inline and on Spark, however the work is cut; cancelling and failing without leaving anything."""

from threading import Event
from typing import Any

import pytest

from simulations.pipeline.rounds import run_rounds
from simulations.pipeline.spark.executors import Cancelled, Executor, InlineExecutor, SparkExecutor
from simulations.pipeline.spark.session import SparkLink
from simulations.pipeline.work import PointFailed, WorkItem
from tests.simulations.pipeline.doubles import final_answers, points_of, scenario

Numbers = dict[int, dict[str, tuple[float, float, float]]]


def numbers(executor: Executor, **run: Any) -> Numbers:
    spec = scenario(**run)
    return final_answers(list(run_rounds(points_of(spec), spec.run, executor, should_stop=lambda: False)))


def items(messages: int, count: int) -> list[WorkItem]:
    spec = scenario(horizon={"messages": messages})
    return [WorkItem.of(point, first=0, count=count, cost=1.0) for point in points_of(spec)]


def long_items() -> list[WorkItem]:
    """Minutes of work, in tasks of about a second."""
    return items(messages=5_000_000, count=100)


def broken_item() -> WorkItem:
    good = items(messages=1000, count=1)[2]
    return WorkItem(**{**vars(good), "spec": good.spec.replace('"websphere-zos"', '"websphere-nowhere"')})


WRONG = r"^point 2 \(queues.orders.settings.maximum_sessions = 50\): .*unknown platform"


@pytest.fixture(scope="module")
def inline() -> Numbers:
    """The reference: one thread, one replication after the other."""
    return numbers(InlineExecutor())


@pytest.fixture
def executor(spark_link: SparkLink) -> SparkExecutor:
    return SparkExecutor(spark_link, tag="test-executors")


def test_inline_gives_an_answer_for_every_point(inline: Numbers) -> None:
    assert set(inline) == {0, 1, 2, 3}
    assert inline[0]["latency.p95"][0] > inline[1]["latency.p95"][0] > 0.2


def test_threads_change_no_number(inline: Numbers) -> None:
    assert numbers(InlineExecutor(threads=3)) == inline


@pytest.mark.spark
@pytest.mark.parametrize("partitions", [1, 3, 7, None])
def test_spark_and_its_partitions_change_no_number(
    spark_link: SparkLink, inline: Numbers, partitions: int | None
) -> None:
    executor = SparkExecutor(spark_link, tag="test-partitions", partitions=partitions)
    assert numbers(executor) == inline


@pytest.mark.spark
def test_rows_come_while_the_job_goes_on(executor: SparkExecutor, spark_link: SparkLink) -> None:
    rows = executor.run(long_items(), should_stop=lambda: False)
    assert next(rows).num_rows > 0
    assert len(spark_link.interrupt(executor.tag)) == 1
    rows.close()


@pytest.mark.spark
def test_every_replication_is_a_row(executor: SparkExecutor) -> None:
    rows = executor.run(items(messages=1000, count=6), should_stop=lambda: False)
    assert sum(batch.num_rows for batch in rows) == 24


def test_an_inline_run_stops_when_it_is_cancelled() -> None:
    stop = Event()
    rows = InlineExecutor().run(items(messages=10_000, count=1000), should_stop=stop.is_set)
    next(rows)
    stop.set()
    with pytest.raises(Cancelled):
        list(rows)


@pytest.mark.spark
def test_a_cancelled_job_has_stopped_when_cancelled_is_said(executor: SparkExecutor, spark_link: SparkLink) -> None:
    stop = Event()
    rows = executor.run(long_items(), should_stop=stop.is_set)
    next(rows)
    stop.set()
    with pytest.raises(Cancelled):
        list(rows)
    assert spark_link.interrupt(executor.tag) == []


@pytest.mark.spark
def test_a_job_that_nobody_reads_any_more_is_stopped(executor: SparkExecutor, spark_link: SparkLink) -> None:
    rows = executor.run(long_items(), should_stop=lambda: False)
    next(rows)
    rows.close()
    assert spark_link.interrupt(executor.tag) == []


@pytest.mark.spark
def test_a_wrong_row_fails_loudly_with_the_points_changes(executor: SparkExecutor) -> None:
    with pytest.raises(PointFailed, match=WRONG):
        list(executor.run([broken_item()], should_stop=lambda: False))


def test_a_wrong_row_fails_the_same_way_inline() -> None:
    with pytest.raises(PointFailed, match=WRONG):
        list(InlineExecutor().run([broken_item()], should_stop=lambda: False))
