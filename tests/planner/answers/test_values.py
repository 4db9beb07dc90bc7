"""Answers as JSON values: numbers that do not exist are null, sources are one text."""

import math
from dataclasses import replace
from typing import Any

import pytest

from planner.answers.values import (
    ALIASES,
    derivation_body,
    derive_answer,
    estimate_body,
    finding_body,
    plain,
    point_out,
    source_text,
)
from simulations.analysis.estimates.summary import Derivation, Derived, Estimate, Finding, Source
from simulations.declarations.problems import InvalidInput
from simulations.platforms import PLATFORMS
from simulations.scenario.runsettings import Objective
from tests.planner.conftest import summary_of

BROKEN = Finding(
    "weblogic.hoards",
    "violated",
    "warning",
    "Hoards.",
    Source("Tuning guide", "chapter 4", "assumed"),
    queue="orders",
    fix={"queues.orders.settings.pipeline": 1},
    details={"worst_case_s": math.inf},
    cost={"latency.mean": Estimate(0.5, 0.4, math.nan, "s")},
)


def test_numbers_that_do_not_exist_become_null_at_every_depth() -> None:
    assert plain({"a": [1.5, math.nan, {"b": -math.inf}], "c": (True, "NaN")}) == {
        "a": [1.5, None, {"b": None}],
        "c": [True, "NaN"],
    }


@pytest.mark.parametrize(
    ("source", "text"),
    [
        (Source("Guide", "page 3"), "Guide: page 3"),
        (Source("Guide", ""), "Guide"),
        (Source("Guide", "page 3", "unverified"), "Guide: page 3 (unverified)"),
    ],
)
def test_a_source_is_one_text_that_says_what_is_not_certain(source: Source, text: str) -> None:
    assert source_text(source) == text


def test_an_estimate_has_both_ends_of_its_interval() -> None:
    assert estimate_body(Estimate(2.0, 1.0, math.inf, "s")) == {
        "value": 2.0,
        "ci95": [1.0, None],
        "unit": "s",
        "origin": Estimate(2.0, 1.0, 3.0, "s").origin,
    }


def test_a_finding_carries_its_cure_and_its_cost() -> None:
    body = finding_body(BROKEN)
    assert (body["fix"], body["details"]) == ({"queues.orders.settings.pipeline": 1}, {"worst_case_s": None})
    assert body["cost"]["latency.mean"]["ci95"] == [0.4, None]
    assert body["source"] == "Tuning guide: chapter 4 (assumed)"


def test_formula_answers_keep_their_computation() -> None:
    value = Derived("threads", "Threads", math.inf, "threads", "3 × 6", Source("Guide", "page 3"), "payments")
    body = derivation_body(Derivation((value,), (BROKEN,)))
    assert body["values"][0]["value"] is None
    assert (body["values"][0]["formula"], body["values"][0]["source"]) == ("3 × 6", "Guide: page 3")
    assert body["findings"] == [finding_body(BROKEN)]


def test_a_point_is_judged_and_has_no_curves() -> None:
    objective: dict[str, Any] = {"metric": "latency.p95", "at_most": 0.2}
    summary = replace(summary_of(0, 0.25), derived={"worker_threads": math.nan})
    body = point_out(summary, [Objective.model_validate(objective)]).model_dump(mode="json")
    assert body["objectives"] == [{**objective, "met": False}]
    assert (body["derived"], body["metrics"]["latency.p95"]["value"]) == ({"worker_threads": None}, 0.25)
    assert not {"timeline", "threads", "tail"} & set(body)


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
