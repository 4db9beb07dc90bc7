"""Errors name the place with its names, the value and a remedy."""

import pytest
from pydantic import ValidationError

from simulations.declarations.problems import InvalidInput, nearest, problem, problems_of
from simulations.scenario.spec import scenario_model
from tests.simulations.platforms.samples import scenario_body


def test_a_problem_has_a_pointer_and_a_named_path() -> None:
    data = {"queues": [{"name": "orders", "a/b": 1}]}
    found = problem(("queues", 0, "a/b"), "wrong", value="x" * 200, data=data)
    assert (found.pointer, found.path) == ("/queues/0/a~1b", 'queues.orders["a/b"]')
    assert len(found.value) == 80


def test_the_nearest_known_word_is_offered() -> None:
    assert nearest("maximum_session", ["maximum_sessions", "mode"]) == "did you mean 'maximum_sessions'?"
    assert nearest("zzz", ["a", "b"]) == "known here: a, b"
    assert nearest("zzz", []) == "known here: nothing"


def test_unions_do_not_show_in_the_place_of_an_error() -> None:
    body = scenario_body("websphere-zos", arrivals={"kind": "poisson", "rate": -1, "rats": 2})
    model = scenario_model("websphere-zos")
    with pytest.raises(ValidationError) as error:
        model.model_validate(body)
    found = {item.pointer: item.message for item in problems_of(error.value, model, body)}
    assert set(found) == {"/queues/0/arrivals/rate", "/queues/0/arrivals/rats"}
    assert "did you mean 'rate'?" in found["/queues/0/arrivals/rats"]


@pytest.mark.parametrize(
    ("share", "message"),
    [
        ("130%", "must be at most 100 % (got '130%')"),
        (1.3, "must be at most 1 (got 1.3)"),
        ("many", "'many' is not understood; write a number with %, for example 50%"),
    ],
)
def test_a_share_is_told_as_it_was_written(share: object, message: str) -> None:
    body, model = scenario_body("weblogic", queue={"urgent_share": share}), scenario_model("weblogic")
    with pytest.raises(ValidationError) as error:
        model.model_validate(body)
    (found,) = problems_of(error.value, model, body)
    assert found.message == message


def test_of_a_thousand_problems_the_first_hundred_are_told() -> None:
    many = [problem((str(number),), "wrong") for number in range(1000)]
    error = InvalidInput(many)
    assert len(error.problems) == 101
    assert error.problems[-1].message == "more than 100 values are wrong; mend these first"
    assert InvalidInput(error.problems).problems == error.problems
    assert len(InvalidInput(many[:100]).problems) == 100


def test_all_problems_are_in_the_text_of_the_error() -> None:
    error = InvalidInput([problem(("a",), "one"), problem((), "two")])
    assert str(error) == "a: one\ninput: two"
