"""The choice, its probability, and what stays open."""

from dataclasses import replace
from typing import Any

import pytest

from simulations.analysis.estimates.summary import Estimate, PointSummary
from simulations.experiment.choice import Best, best_of, nearest_cheaper, stages
from simulations.experiment.questions import Optimize, asked_spec
from simulations.experiment.reading import read_question
from simulations.experiment.verdicts import lost_more
from simulations.experiment.words import why
from simulations.scenario.runsettings import Replications
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
    assert 0.3 < found.probability < 0.6
    assert found.open == {1}


def test_between_equal_costs_the_metric_decides_and_hardly_worse_is_equal() -> None:
    question = asked(minimize=[])
    clear = best(question, at(0, 36, 0.7), at(1, 50, 0.6))
    equal = best(question, at(0, 36, 0.602), at(1, 50, 0.6))
    assert clear.chosen is not None
    assert equal.chosen is not None
    assert (clear.chosen.index, equal.chosen.index) == (1, 0)


def test_pairs_tell_apart_what_intervals_cannot() -> None:
    """Both points vary by a third, but in every replication the second one is 10 % better."""
    first, second = at(0, 36, 0.6, 0.2), at(1, 50, 0.54, 0.2)
    course = [0.4, 0.5, 0.6, 0.7, 0.8] * 2
    paired = [
        replace(point, samples={"latency.p95": tuple(value * level for value in course)})
        for point, level in ((first, 1.0), (second, 0.9))
    ]
    question = asked(minimize=[], subject_to=[])
    alone, together = best(question, first, second), best(question, *paired)
    assert alone.chosen is not None
    assert together.chosen is not None
    assert (alone.chosen.index, together.chosen.index) == (1, 1)
    assert alone.probability < 0.9 < 0.99 < together.probability
    assert (alone.open, together.open) == (frozenset({0, 1}), frozenset())


def test_what_misses_the_bound_with_the_indifference_to_spare_is_dismissed() -> None:
    """0.795 meets 0.8, but not 2 % below it: it may be taken or left, and no replications are spent on which."""
    found = best(asked(), at(0, 36, 0.7), at(1, 24, 0.795, 0.002))
    assert found.chosen is not None
    assert (found.chosen.index, found.dismissed) == (1, frozenset({1})), "sure to meet the bound itself"
    near = best(asked(), at(0, 36, 0.7), at(1, 24, 0.799, 0.002))
    assert near.chosen is not None
    assert near.chosen.index == 0
    assert near.probability > 0.99
    assert nearest_cheaper(near) is near.candidates[1]


def test_more_settings_that_might_have_been_taken_need_surer_ones() -> None:
    rivals = [at(index, 36 + index, 0.75, 0.02) for index in range(40)]
    few, many = best(asked(), *rivals[:1]), best(asked(minimize=[], indifference=0.5), *rivals)
    assert few.probability > many.probability


@pytest.mark.parametrize(("least", "most", "looks"), [(10, 10, 1), (10, 30, 2), (10, 270, 4), (10, 200, 4)])
def test_every_stage_has_three_times_as_many_replications(least: int, most: int, looks: int) -> None:
    assert stages(Replications(min=least, max=most)) == looks


NONE, SOME = Estimate(0, 0, 0, "messages"), Estimate(50, 45, 55, "messages")


def test_what_loses_more_messages_is_not_chosen_unless_an_objective_allows_it() -> None:
    now = answer(0, {SESSIONS: 36}, 0.7, dead_letters=NONE, rejected=SOME)
    losing = answer(1, {SESSIONS: 24}, 0.6, dead_letters=SOME, rejected=SOME)
    found = best(asked(), now, losing)
    assert found.chosen is not None
    assert (found.chosen.index, found.probability > 0.99, found.dismissed) == (0, True, frozenset({1}))
    allowed = best(asked(subject_to=[BOUND, {"kpi": "dead_letters", "op": "<=", "value": 100}]), now, losing)
    assert allowed.chosen is not None
    assert allowed.chosen.index == 1
    assert lost_more((), losing, now) == "dead_letters"
    assert lost_more((), now, losing) == ""
    moved = answer(2, {SESSIONS: 24}, 0.6, dead_letters=SOME, rejected=NONE)
    assert lost_more((), moved, now) == "", "as many are lost in another way"


def test_losses_are_compared_in_pairs_where_bursts_make_their_intervals_overlap() -> None:
    now = answer(0, {SESSIONS: 36}, 0.7, dropped=Estimate(17_412, 12_231, 22_318, "messages"))
    losing = answer(1, {SESSIONS: 24}, 0.6, dropped=Estimate(23_259, 17_851, 28_412, "messages"))
    assert lost_more((), losing, now) == ""
    paired = replace(losing, differences={"dropped": Estimate(5847, 5717, 5977, "messages")})
    assert lost_more((), paired, now) == "dropped"
    assert lost_more((), paired, now, times=2.0) == "", "twice the load may lose twice as much"


def test_where_the_present_settings_pile_up_the_point_that_loses_least_says_what_may_be_lost() -> None:
    few = Estimate(10, 8, 12, "messages")
    now = answer(0, {SESSIONS: 36}, None, dead_letters=NONE)
    poison, refusing = (
        answer(1, {SESSIONS: 24}, 0.7, dead_letters=few),
        answer(2, {SESSIONS: 18}, 0.6, dead_letters=SOME),
    )
    found = best(asked(), now, poison, refusing)
    assert found.chosen is not None
    assert (found.chosen.index, found.dismissed) == (1, frozenset({0, 2}))
    assert why(asked(), asked_spec(asked(), SPEC), found, 2) == (
        "It loses messages: Dead letters 50.0 ± 5.0 messages, 10.0 ± 2.0 messages with Maximum sessions 24."
    )
