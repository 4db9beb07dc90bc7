"""Identities in a scenario: written only where they are known, and no part of what decides the numbers."""

import pytest
from pydantic import ValidationError

from simulations.declarations.identity import Identity, Part, with_identities, without_identities
from simulations.declarations.system import ASSUMED
from simulations.scenario.spec import ScenarioSpec, parse, revised
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


def test_marks_alone_are_no_identity_that_stays() -> None:
    known = [{"name": "a", "identity": KNOWN}]
    assert with_identities([{"name": "a", "identity": {"arrivals_assumed": True}}], known) == known


def assumed(spec: ScenarioSpec) -> list[str]:
    """Which parts of the load of the first queue are marked."""
    identity = spec.body()["queues"][0].get("identity") or {}
    return [name for name in ("arrivals_assumed", "service_assumed") if identity.get(name)]


def test_a_mark_goes_with_the_value_that_an_import_assumed_and_does_not_come_back() -> None:
    body = parse(scenario_body("weblogic")).body()
    queue = body["queues"][0]
    marks = {"arrivals_assumed": True, "service_assumed": True}
    queue |= {name: value.model_dump(mode="json") for name, value in ASSUMED.items()} | {"identity": KNOWN | marks}
    imported = parse(body)
    assert (assumed(imported), imported.placeholders) == (["arrivals_assumed", "service_assumed"], (queue["name"],))
    entered = revised(imported, [(("queues", 0, "arrivals", "rate"), 81.0)])
    again = revised(entered, [(("queues", 0, "arrivals", "rate"), 10.0)])
    assert assumed(entered) == assumed(again) == ["service_assumed"]
    known = revised(again, [(("queues", 0, "identity", "service_assumed"), False)])
    assert (known.body()["queues"][0]["identity"], known.placeholders) == (KNOWN, ())
    assert known.content_hash() == imported.content_hash()
