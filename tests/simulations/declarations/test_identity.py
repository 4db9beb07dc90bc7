"""Identities in a scenario: written only where they are known, and no part of what decides the numbers."""

import pytest
from pydantic import ValidationError

from simulations.declarations.identity import Identity, Part, with_identities, without_identities
from simulations.scenario.spec import parse
from tests.simulations.platforms.samples import scenario_body

KNOWN = {"name": "PAY.ORDERS", "kind": "UniformDistributedQueue", "parts": [{"role": "factory", "name": "cf"}]}


def test_what_is_not_known_is_not_written() -> None:
    assert Identity().model_dump(mode="json") == {}
    assert Identity.model_validate(KNOWN).model_dump(mode="json") == KNOWN
    assert Identity.model_validate(KNOWN).part("factory").name == "cf"
    assert Identity.model_validate(KNOWN).part("quota").name == ""


def test_a_further_object_needs_a_role_and_a_name_is_one_line() -> None:
    for wrong in ({"name": "cf"}, {"role": "", "name": "cf"}, {"role": "factory", "name": "a\nb"}):
        with pytest.raises(ValidationError):
            Part.model_validate(wrong)


def test_an_identity_changes_the_file_and_not_the_hash() -> None:
    body = parse(scenario_body("weblogic")).body()
    assert all("identity" not in item for item in (*body["servers"], *body["queues"]))
    named = with_identities(body, {"queues": [{"name": body["queues"][0]["name"], "identity": KNOWN}]})
    spec = parse(named)
    assert spec.body()["queues"][0]["identity"] == KNOWN
    assert spec.content_hash() == parse(body).content_hash()
    assert without_identities(spec.body()) == body


def test_a_given_identity_stays_and_lists_are_matched_by_name() -> None:
    known = {"items": [{"name": "b", "identity": {"name": "B"}}, {"name": "a", "identity": {"name": "A"}}]}
    body = {"items": [{"name": "a", "identity": {"name": "mine"}}, {"name": "b"}, {"name": "c"}, 5]}
    assert with_identities(body, known)["items"] == [
        {"name": "a", "identity": {"name": "mine"}},
        {"name": "b", "identity": {"name": "B"}},
        {"name": "c"},
        5,
    ]
