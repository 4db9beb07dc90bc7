"""Answers without simulation: a scenario, or a short question by the platform's name or one of its aliases."""

from typing import Any

import pytest

from planner.answers.formulas import ALIASES, derive_answer
from simulations.declarations.problems import InvalidInput
from simulations.platforms import PLATFORMS


def test_every_alias_names_a_platform_that_answers_short_questions() -> None:
    assert set(ALIASES.values()) <= set(PLATFORMS)
    asked = {"cpus": 2, "servants_max": 3}
    assert derive_answer({"platform": "was-zos", **asked}) == derive_answer({"platform": "websphere-zos", **asked})


def test_a_scenario_is_answered_with_its_values_and_verdicts(body: dict[str, Any]) -> None:
    answer = derive_answer(body)
    assert answer["platform"] == "websphere-zos"
    assert {item["name"]: item["value"] for item in answer["values"]}["worker_threads"] == 18
    assert {item["rule"].partition(".")[0] for item in answer["findings"]} == {"websphere-zos"}


def test_the_rules_of_a_short_question_are_plain_values() -> None:
    rules = derive_answer({"platform": "was-zos", "cpus": 2, "servants_max": 3})["rules"]
    assert all(rule["status"] == "ok" and isinstance(rule["source"], str) for rule in rules)


@pytest.mark.parametrize("body", [{}, {"platform": "was-zoz"}, {"queues": []}])
def test_what_is_neither_is_invalid(body: dict[str, Any]) -> None:
    with pytest.raises(InvalidInput):
        derive_answer(body)
