"""One point through the rounds: what is missing, what is planned, when it is decided."""

from collections.abc import Iterable
from dataclasses import replace

import pytest

from simulations.analysis.estimates.intervals import Precision
from simulations.analysis.estimates.point import GROWTH
from simulations.analysis.replications.rows import compact
from simulations.engine.network.results import Check
from simulations.pipeline import course as module
from simulations.pipeline.archive.schemas import replication_batch
from simulations.pipeline.course import PointCourse
from simulations.pipeline.work import PointFailed
from tests.simulations.analysis import synthetic
from tests.simulations.pipeline.doubles import points_of, scenario

NETWORK = synthetic.network(18, 60.0, 0.2, messages=500)
NEVER = Precision("latency.p99", 1e-6)


def course(planned: int, done: Iterable[int] = (), *, sound: bool = True) -> PointCourse:
    found = PointCourse(points_of(scenario())[1], planned=planned)
    for number in done:
        result = synthetic.replication(NETWORK, number)
        row = compact(replace(result, checks=(Check("conservation", passed=sound, residual=0.1),)))
        found.add(replication_batch(1, [row]))
    return found


def test_neighbouring_gaps_become_one_item() -> None:
    items = list(course(10, [0, 3, 4, 8]).missing())
    assert [(item.first, item.count) for item in items] == [(1, 2), (5, 3), (9, 1)]


def test_a_row_that_comes_twice_counts_once() -> None:
    found = course(3, [0, 1, 1])
    assert (found.replications_done, found.messages_done) == (2, 1000)
    assert not found.complete


def test_of_a_batch_only_the_rows_that_are_new_are_taken() -> None:
    found = course(4, [1])
    found.add(replication_batch(1, [compact(synthetic.replication(NETWORK, number)) for number in range(4)]))
    assert (found.replications_done, found.messages_done) == (4, 2000)
    assert sorted(row.replication for row in found.rows()) == [0, 1, 2, 3]


def test_the_expected_time_follows_the_events_that_were_counted() -> None:
    assert course(3).seconds_each > course(3, [0]).seconds_each  # 2000 messages are expected, 500 came


def test_news_are_taken_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "PATIENCE", 0.0)
    found = course(3, [0, 1])
    assert found.take_news(paired=False)
    assert not found.take_news(paired=False)
    assert found.take_news(paired=True)


def test_rows_wait_a_moment_for_the_rest_of_their_point() -> None:
    assert not course(3, [0, 1]).take_news(paired=False)
    assert course(3, [0, 1, 2]).take_news(paired=False)


def test_one_replication_is_no_news() -> None:
    assert not course(3, [0]).take_news(paired=True)


def test_the_plan_grows_towards_the_forecast_but_not_all_at_once() -> None:
    found = course(3, range(3))
    summary = found.judge(NEVER, None)
    assert not found.decide(summary, NEVER, most=1000)
    assert found.forecast(NEVER, most=1000) == 1000
    found.plan_more(NEVER, most=1000)
    assert found.planned == 3 * GROWTH


def test_a_metric_that_can_have_no_interval_decides_the_point() -> None:
    found = course(3, range(3))
    summary = found.judge(Precision("latency.p95", 1e-6), None)
    assert found.decide(summary, Precision("no.such.metric", 0.02), most=1000)


def test_a_failed_self_check_fails_the_point_by_name() -> None:
    with pytest.raises(PointFailed, match=r"point 1 .*maximum_sessions.*conservation"):
        course(3, range(3), sound=False).judge(NEVER, None)


def test_in_stages_a_precise_point_goes_on_until_it_is_settled() -> None:
    found = PointCourse(points_of(scenario())[1], planned=2, stage=3)
    for number in range(2):
        found.add(replication_batch(1, [compact(synthetic.replication(NETWORK, number))]))
    wide = Precision("latency.mean", 0.99)
    summary = found.judge(wide, None)
    assert summary.status == "ok"
    assert not found.decide(summary, wide, 50)
    found.plan_more(wide, 50)
    assert found.planned == found.forecast(wide, 50) == 6
    found.plan_more(wide, 10)
    assert found.planned == 10
    assert found.decide(summary, wide, 10)
