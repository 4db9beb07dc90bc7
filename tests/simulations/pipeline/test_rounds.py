"""The loop of rounds: what it plans, what it reports, and that nothing but the replications decides the numbers."""

import math
from pathlib import Path

import pytest

from simulations.analysis.estimates.intervals import Precision, relative_half_width
from simulations.analysis.estimates.summary import PointSummary
from simulations.analysis.replications.sample import Sample
from simulations.pipeline import course
from simulations.pipeline import rounds as module
from simulations.pipeline.archive.store import Archive
from simulations.pipeline.rounds import Round, run_rounds
from simulations.pipeline.spark.executors import Cancelled, Paused
from simulations.pipeline.spark.session import SparkUnavailable
from tests.simulations.pipeline.doubles import SyntheticExecutor, final_answers, points_of, scenario


def rounds_of(
    executor: SyntheticExecutor, archive: Archive | None = None, spent: float = 0.0, **run: object
) -> list[Round]:
    spec = scenario(**run)
    points = points_of(spec)
    return list(run_rounds(points, spec.run, executor, should_stop=lambda: False, archive=archive, spent=spent))


def test_the_first_round_simulates_the_least_number_of_every_point() -> None:
    executor = SyntheticExecutor()
    rounds_of(executor, replications={"min": 3, "max": 3})
    assert executor.asked == [(point, number) for point in range(4) for number in range(3)]


def test_later_rounds_ask_only_for_what_is_missing() -> None:
    executor = SyntheticExecutor()
    rounds_of(executor)
    assert len(executor.asked) == len(set(executor.asked))


def test_a_precise_point_stops_early_and_the_others_end_at_the_most_allowed() -> None:
    steps = rounds_of(SyntheticExecutor(), precision={"metric": "latency.mean", "relative": 1e-6})
    # On a machine that stalls, partial results of fewer replications come before the end of the first round.
    first = {summary.index: summary for step in steps for summary in step.open if summary.replications == 3}
    widths = {index: relative_half_width(summary.metrics["latency.mean"]) for index, summary in first.items()}
    narrowest, second = sorted(widths.values())[:2]
    steps = rounds_of(SyntheticExecutor(), precision={"metric": "latency.mean", "relative": (narrowest + second) / 2})
    last = {summary.index: summary for step in steps for summary in step.decided}
    early = [index for index, summary in last.items() if summary.replications == 3]
    assert early == [min(widths, key=widths.__getitem__)]
    assert all(summary.status == "ok" or summary.replications == 9 for summary in last.values())


def test_a_point_that_is_never_precise_says_so() -> None:
    steps = rounds_of(SyntheticExecutor(), precision={"metric": "latency.p99", "relative": 1e-6})
    assert {summary.status for step in steps for summary in step.decided} == {"not_converged"}
    assert steps[-1].progress.replications_done == 4 * 9


def test_a_complete_point_is_judged_while_others_are_computed(monkeypatch: pytest.MonkeyPatch) -> None:
    executor, judge, judged = SyntheticExecutor(), course.PointCourse.judge, {}

    def noted(point: course.PointCourse, precision: Precision, baseline: Sample | None) -> PointSummary:
        judged[point.index] = len(executor.asked)
        return judge(point, precision, baseline)

    monkeypatch.setattr(course.PointCourse, "judge", noted)
    rounds_of(executor, replications={"min": 3, "max": 3})
    assert judged == {0: 3, 1: 6, 2: 9, 3: 12}


def test_the_order_in_which_rows_arrive_changes_no_number() -> None:
    forwards, backwards = rounds_of(SyntheticExecutor()), rounds_of(SyntheticExecutor(backwards=True))
    assert final_answers(forwards) == final_answers(backwards)


def test_differences_to_the_first_point_are_paired() -> None:
    steps = rounds_of(SyntheticExecutor())
    last = {summary.index: summary for step in steps for summary in step.decided}
    assert not last[0].differences
    difference, here, there = (
        last[3].differences["latency.mean"],
        last[3].metrics["latency.mean"],
        last[0].metrics["latency.mean"],
    )
    assert difference.value == pytest.approx(here.value - there.value, rel=0.05)
    unpaired = math.hypot(here.high - here.low, there.high - there.low)
    assert difference.high - difference.low < 0.8 * unpaired


def test_progress_never_falls_and_ends_at_one() -> None:
    steps = rounds_of(SyntheticExecutor())
    fractions = [step.progress.fraction for step in steps]
    assert fractions == sorted(fractions)
    assert fractions[-1] == 1.0
    last = steps[-1].progress
    assert (last.points_done, last.points, last.eta_s) == (4, 4, 0.0)
    assert last.messages_done == last.replications_done * 500
    assert last.precision_target == 0.02
    assert last.precision_now is not None


def test_partial_results_come_during_a_round(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "PARTIAL_SECONDS", 0.0)
    monkeypatch.setattr(course, "PATIENCE", 0.0)
    steps = rounds_of(SyntheticExecutor(), replications={"min": 4, "max": 4})
    first = [step for step in steps if step.number == 1]
    assert len(first) == 17  # after each of the sixteen rows, and at the end
    assert [summary.replications for summary in first[1].open] == [2]
    assert final_answers(steps) == final_answers(rounds_of(SyntheticExecutor(), replications={"min": 4, "max": 4}))


def test_cancelling_ends_the_rounds_and_keeps_what_was_computed(tmp_path: Path) -> None:
    archive = Archive(tmp_path / "run", "content")
    with pytest.raises(Cancelled):
        rounds_of(SyntheticExecutor(break_after=5), archive)
    assert sum(batch.num_rows for batch in archive.read()) == 5


def test_a_run_that_broke_off_goes_on_without_computing_anything_twice(tmp_path: Path) -> None:
    whole = SyntheticExecutor()
    undisturbed = rounds_of(whole)
    before = SyntheticExecutor(break_after=14, break_with=SparkUnavailable)
    with pytest.raises(SparkUnavailable):
        rounds_of(before, Archive(tmp_path / "run", "content"))
    after = SyntheticExecutor()
    resumed = rounds_of(after, Archive(tmp_path / "run", "content"))
    assert sorted(before.asked + after.asked) == sorted(whole.asked)
    assert final_answers(resumed) == final_answers(undisturbed)


def test_rows_beyond_the_plan_change_nothing(tmp_path: Path) -> None:
    archive = Archive(tmp_path / "run", "content")
    rounds_of(SyntheticExecutor(), archive, replications={"min": 9, "max": 9})
    executor = SyntheticExecutor()
    steps = rounds_of(executor, archive)
    assert executor.asked == []
    assert final_answers(steps) == final_answers(rounds_of(SyntheticExecutor()))


NEVER = {"metric": "latency.p99", "relative": 1e-6}


def test_a_run_whose_time_is_up_keeps_what_its_rounds_said() -> None:
    executor = SyntheticExecutor()
    steps = rounds_of(executor, max_time="1us", precision=NEVER)
    assert sorted(executor.asked) == [(point, number) for point in range(4) for number in range(3)]
    last = steps[-1]
    assert {(summary.index, summary.status, summary.replications) for summary in last.decided} == {
        (index, "not_converged", 3) for index in range(4)
    }
    assert (last.open, last.progress.time_is_up, last.progress.fraction) == ((), True, 1.0)
    assert last.progress.precision_now is not None


def test_a_limit_that_is_not_reached_changes_nothing() -> None:
    limited = rounds_of(SyntheticExecutor(), max_time="1h", precision=NEVER)
    assert final_answers(limited) == final_answers(rounds_of(SyntheticExecutor(), precision=NEVER))
    assert not any(step.progress.time_is_up for step in limited)


def test_time_that_an_earlier_attempt_spent_counts(tmp_path: Path) -> None:
    archive = Archive(tmp_path / "run", "content")
    with pytest.raises(SparkUnavailable):
        rounds_of(SyntheticExecutor(break_after=14, break_with=SparkUnavailable), archive, precision=NEVER)
    again = SyntheticExecutor()
    steps = rounds_of(again, archive, spent=7200.0, max_time="1h", precision=NEVER)
    assert again.asked == [], "the first round was stored, another one is beyond the time"
    assert steps[-1].progress.time_is_up
    assert steps[-1].progress.spent_s >= 7200


def test_a_pause_comes_between_rounds_and_nothing_is_computed_twice(tmp_path: Path) -> None:
    whole, before, after = SyntheticExecutor(), SyntheticExecutor(), SyntheticExecutor()
    undisturbed = rounds_of(whole, precision=NEVER)
    archive, spec = Archive(tmp_path / "run", "content"), scenario(precision=NEVER)
    with pytest.raises(Paused):
        list(
            run_rounds(
                points_of(spec),
                spec.run,
                before,
                should_stop=lambda: False,
                should_pause=lambda: bool(before.asked),
                archive=archive,
            )
        )
    assert {number for _, number in before.asked} == {0, 1, 2}
    assert final_answers(rounds_of(after, archive, precision=NEVER)) == final_answers(undisturbed)
    assert sorted(before.asked + after.asked) == sorted(whole.asked)
