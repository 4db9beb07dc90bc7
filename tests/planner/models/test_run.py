"""What a run says of itself."""

from typing import Any

import pytest

from planner import services
from planner.models import Run, RunKind, RunStatus, Scenario
from tests.scenarios import FEWEST_SESSIONS

FINAL = {RunStatus.SUCCEEDED, RunStatus.FAILED, RunStatus.CANCELLED}


@pytest.mark.parametrize("status", list(RunStatus))
def test_a_run_is_over_or_at_rest(status: RunStatus) -> None:
    run = Run(status=status)
    assert run.final == (status in FINAL)
    assert run.at_rest == (status in FINAL or status == RunStatus.PAUSED)


@pytest.mark.parametrize(
    ("mine", "other", "reproduced"),
    [
        ({"result_hash": "a"}, {"result_hash": "a"}, True),
        ({"result_hash": "a"}, {"result_hash": "b"}, False),
        ({"result_hash": ""}, {"result_hash": "a"}, None),
        ({"result_hash": "a", "progress": {"time_is_up": True}}, {"result_hash": "b"}, None),
        ({"result_hash": "a"}, {"result_hash": "b", "progress": {"time_is_up": True}}, None),
    ],
)
def test_a_repetition_says_whether_it_reproduced_the_numbers(
    mine: dict[str, Any], other: dict[str, Any], reproduced: object
) -> None:
    assert Run(repeats=Run(**other), **mine).reproduced is reproduced


def test_a_run_that_repeats_nothing_reproduces_nothing() -> None:
    assert Run(result_hash="a").reproduced is None


def test_points_of_a_run_start_from_the_scenario_without_its_sweep(run: Run) -> None:
    assert [point.index for point in run.expansion.points] == [0, 1]
    assert (run.asked.sweep, len(run.parsed.sweep)) == ((), 1)


def test_points_of_an_experiment_follow_from_its_answers(scenario: Scenario) -> None:
    run = services.experiment_prepare(version=scenario.version, owner=scenario.owner, question=FEWEST_SESSIONS)().run
    assert (run.kind, run.expansion.points) == (RunKind.OPTIMIZE, ())
    assert run.asked.sweep == ()
