"""The choice, its probability, and what stays open."""

from typing import Any

from simulations.analysis.estimates.summary import PointSummary
from simulations.experiment.choice import Best, best_of
from simulations.experiment.questions import Optimize, asked_spec
from simulations.experiment.reading import read_question
from simulations.scenario.spec import parse
from tests.simulations.experiment.answers import SESSIONS, answer
from tests.simulations.pipeline.doubles import BODY

SPEC = parse(BODY)
BOUND = {"kpi": "latency.p95", "op": "<=", "value": "800ms"}


def asked(**more: Any) -> Optimize:
    body = {"type": "optimize", "minimize": ["max_sessions"], "subject_to": [BOUND], **more}
    question = read_question(body, SPEC)
    assert isinstance(question, Optimize)
    return question


def best(question: Optimize, *answers: PointSummary) -> Best:
    return best_of(question, asked_spec(question, SPEC), {summary.index: summary for summary in answers})


def at(index: int, sessions: int, p95: float | None, half: float = 0.001) -> PointSummary:
    return answer(index, {SESSIONS: sessions}, p95, half)


def test_the_cheapest_that_meets_is_chosen_and_the_next_is_the_runner_up() -> None:
    found = best(asked(), at(0, 36, 0.7), at(1, 18, None), at(2, 24, 0.9), at(3, 50, 0.65))
    assert found.chosen is not None
    assert found.chosen.summary.overrides == {SESSIONS: 36}
    assert found.runner_up is not None
    assert found.runner_up.summary.overrides == {SESSIONS: 50}
    assert found.probability > 0.99
    assert found.open == frozenset()


def test_a_cheaper_point_in_doubt_stays_open_and_lowers_the_probability() -> None:
    found = best(asked(), at(0, 36, 0.7), at(1, 24, 0.81, 0.1), at(2, 50, 0.79, 0.1))
    assert found.chosen is not None
    assert found.chosen.index == 0
    assert 0.5 < found.probability < 0.7
    assert found.open == {0, 1}


def test_between_equal_costs_the_metric_decides_and_hardly_worse_is_equal() -> None:
    question = asked(minimize=[])
    clear = best(question, at(0, 36, 0.7), at(1, 50, 0.6))
    equal = best(question, at(0, 36, 0.602), at(1, 50, 0.6))
    assert clear.chosen is not None
    assert equal.chosen is not None
    assert (clear.chosen.index, equal.chosen.index) == (1, 0)
