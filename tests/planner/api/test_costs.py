"""Costs of broken rules over the API: measured, paired, its owner's only, within a budget."""

from collections.abc import Callable
from typing import Any

import jsonschema
import pytest
from django.contrib.auth.models import User
from rest_framework.test import APIClient

from planner import services
from planner.answers.quick import FEWEST_EVENTS, rule_costs
from planner.models import Run, Scenario
from simulations.declarations.problems import InvalidInput
from simulations.scenario.spec import parse
from tests.planner.api.test_openapi import answer_schema, operation
from tests.planner.management.commands.test_rule_costs import SESSIONS, broken

PATH = "scenarios/{scenario_id}/rule-costs"


@pytest.fixture
def narrow(owner: User) -> Scenario:
    """Open MQ with a window half as large as its pool."""
    return services.scenario_store(owner=owner, spec=parse(broken()))


def asked(client: APIClient, scenario: Scenario, **question: Any) -> Any:
    return client.post(f"/api/v1/scenarios/{scenario.pk}/rule-costs", question, format="json")


def test_a_broken_rule_costs_what_its_cure_saves(client: APIClient, narrow: Scenario) -> None:
    found = asked(client, narrow, rules=[SESSIONS])
    assert found.status_code == 200, found.json()
    (item,) = found.json()["items"]
    latency = item["finding"]["cost"]["latency.mean"]
    assert (item["finding"]["rule"], item["cured"]) == (SESSIONS, "ok")
    assert 0 < latency["ci95"][0] < latency["value"] < latency["ci95"][1]
    assert (found.json()["scenario"], found.json()["version"]) == (str(narrow.pk), 1)
    assert not Run.objects.exists(), "nothing is stored"


def test_the_same_question_has_the_same_answer_as_described(client: APIClient, narrow: Scenario) -> None:
    first, second = (asked(client, narrow, events=200_000).json() for _ in range(2))
    assert first["items"] == second["items"]
    assert len(first["items"]) > 1
    jsonschema.validate(first, answer_schema(PATH, "post"))


def test_an_older_version_can_be_asked(client: APIClient, narrow: Scenario) -> None:
    cured = {**narrow.version.spec, "queues": [{**narrow.version.spec["queues"][0], "settings": {}}]}
    services.scenario_replace(scenario=narrow, author=narrow.owner, spec=parse(cured))
    assert asked(client, narrow, rules=[SESSIONS]).json()["items"] == []
    assert len(asked(client, narrow, rules=[SESSIONS], version=1).json()["items"]) == 1
    assert asked(client, narrow, version=9).status_code == 404


def test_a_rule_without_a_cure_is_compared_with_the_given_one(client: APIClient, owner: User) -> None:
    body = broken()
    body["platform"], body["queues"][0]["settings"] = "weblogic", {"redelivery_limit": 2, "poison_rate": 0.1}
    scenario = services.scenario_store(owner=owner, spec=parse(body))
    question = {"rules": ["weblogic.error-destination"]}
    (without,) = asked(client, scenario, **question).json()["items"]
    assert (without["cured"], without["finding"]["cost"]) == (None, {})
    cure = {"queues.orders.settings.error_destination": "errors"}
    (item,) = asked(client, scenario, **question, cure=cure).json()["items"]
    assert (item["cured"], item["finding"]["fix"]) == ("ok", cure)
    kept = item["finding"]["cost"]["dead_letters"]
    assert kept["ci95"][1] < 0, "without the cure fewer messages are kept"


@pytest.mark.parametrize(
    ("question", "pointer"),
    [
        ({"rules": ["openmq.limit-covers-pol"]}, "/rules"),
        ({"cure": {"queues.orders.settings.no_such": 1}, "rules": ["openmq.threshold-covers-pool"]}, None),
        ({"events": 20_000}, "/events"),
        ({"events": 1}, "/events"),
        ({"unknown": 1}, "/unknown"),
    ],
)
def test_wrong_questions_are_named(
    client: APIClient, narrow: Scenario, question: dict[str, Any], pointer: str | None
) -> None:
    found = asked(client, narrow, **question)
    if pointer is None:
        assert found.status_code == 200, "a cure is used only where a rule has none"
        return
    assert found.status_code == 422
    assert [item["pointer"] for item in found.json()["errors"]] == [pointer]


def test_a_forbidden_cure_is_named(client: APIClient, owner: User) -> None:
    body = broken()
    body["platform"], body["queues"][0]["settings"] = "weblogic", {"redelivery_limit": 2}
    scenario = services.scenario_store(owner=owner, spec=parse(body))
    cure = {"queues.orders.settings.no_such": 1}
    found = asked(client, scenario, rules=["weblogic.error-destination"], cure=cure)
    assert found.status_code == 422
    assert {item["pointer"] for item in found.json()["errors"]} == {"/cure"}


def test_a_scenarios_costs_are_its_owners(
    client: APIClient,
    other: APIClient,
    nobody: APIClient,
    owner: User,
    narrow: Scenario,
    token_client: Callable[..., APIClient],
) -> None:
    statuses = [asked(one, narrow, rules=[SESSIONS]).status_code for one in (client, other, nobody)]
    assert statuses == [200, 404, 401]
    assert asked(token_client(owner, "write"), narrow).status_code == 403
    assert client.get(f"/api/v1/scenarios/{narrow.pk}/rule-costs").status_code == 405


def test_calls_are_counted_against_the_limit(client: APIClient, narrow: Scenario) -> None:
    answers = [asked(client, narrow, rules=[SESSIONS]) for _ in range(2)]
    left = [int(answer["RateLimit-Remaining"]) for answer in answers]
    assert left[0] - left[1] == 1


def test_the_examples_work(client: APIClient, scenario: Scenario) -> None:
    examples = operation(PATH, "post")["requestBody"]["content"]["application/json"]["examples"]
    for example in examples.values():
        assert asked(client, scenario, **example["value"]).status_code == 200


def test_long_courses_are_cut_alike_and_say_so() -> None:
    body = broken()
    body["run"] = {**body["run"], "horizon": {"messages": 1_000_000}}
    found = rule_costs(parse(body), rules=[SESSIONS], events=100_000)
    assert found.shortened
    assert not rule_costs(parse(broken()), rules=[SESSIONS]).shortened
    with pytest.raises(InvalidInput, match="name fewer rules"):
        rule_costs(parse(body), events=2 * FEWEST_EVENTS)


def test_a_scenario_without_broken_rules_costs_nothing() -> None:
    assert rule_costs(parse(broken()), rules=["openmq.prefetch-off"]).items == ()
