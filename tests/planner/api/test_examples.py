"""The examples of the OpenAPI document work."""

import jsonschema
import pytest
from rest_framework.test import APIClient

from planner.models import Scenario
from tests.planner.api.test_openapi import answer_schema, operation


@pytest.mark.parametrize("path", ["derive", "quick-runs", "scenarios"])
def test_examples_work(client: APIClient, path: str) -> None:
    examples = operation(path, "post")["requestBody"]["content"]["application/json"]["examples"]
    for example in examples.values():
        assert client.post(f"/api/v1/{path}", example["value"], format="json").status_code in (200, 201)


def test_the_example_of_a_run_works(client: APIClient, scenario: Scenario) -> None:
    path = "scenarios/{scenario_id}/runs"
    (example,) = operation(path, "post")["requestBody"]["content"]["application/json"]["examples"].values()
    answer = client.post(f"/api/v1/scenarios/{scenario.pk}/runs", example["value"], format="json")
    jsonschema.validate(answer.json(), answer_schema(path, "post", "202"))
