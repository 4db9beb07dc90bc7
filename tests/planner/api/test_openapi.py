"""The OpenAPI document is valid, says what the API does, and its examples work."""

import warnings
from typing import Any

import jsonschema
import pytest
from drf_spectacular.validation import validate_schema
from rest_framework.test import APIClient

from planner.api.openapi import METHODS, openapi_document
from planner.api.urls import urlpatterns
from planner.models import Run, RunStatus, Scenario
from simulations.declarations.parameters import parameters_of
from simulations.platforms import PLATFORMS

UNLISTED = {"openapi", "docs", "unknown", "results-json", "report-json"}


def resolved(schema: dict[str, Any]) -> dict[str, Any]:
    return {**schema, "components": openapi_document()["components"]}


def operation(path: str, method: str = "get") -> dict[str, Any]:
    found: dict[str, Any] = openapi_document()["paths"][f"/api/v1/{path}"][method]
    return found


def answer_schema(path: str, method: str = "get", status: str = "200") -> dict[str, Any]:
    content = operation(path, method)["responses"][status]["content"]["application/json"]
    return resolved(content["schema"])


def test_the_document_is_valid_openapi_3_1_and_made_without_warnings(capsys: pytest.CaptureFixture[str]) -> None:
    openapi_document.cache_clear()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        document = openapi_document()
    assert document["openapi"].startswith("3.1")
    validate_schema(document)  # type: ignore[no-untyped-call]
    assert "Warning" not in capsys.readouterr().err


def test_every_address_is_described(client: APIClient) -> None:
    described = set(client.get("/api/v1/openapi.json").json()["paths"])
    for pattern in urlpatterns:
        if pattern.name not in UNLISTED:
            route = str(pattern.pattern)
            for kind in ("str", "int"):
                route = route.replace(f"<{kind}:", "{").replace(">", "}")
            assert f"/api/v1/{route}" in described


def test_every_parameter_says_what_it_means() -> None:
    operations = [item[method] for item in openapi_document()["paths"].values() for method in METHODS if method in item]
    known = [(item["operationId"], parameter) for item in operations for parameter in item.get("parameters", ())]
    assert len(known) > 200
    assert [(name, item["name"]) for name, item in known if not item.get("description", "").strip()] == []


def test_operations_have_names_texts_and_problems() -> None:
    operations = [item[method] for item in openapi_document()["paths"].values() for method in METHODS if method in item]
    names = [item["operationId"] for item in operations]
    assert len(set(names)) == len(names) >= 35
    for item in operations:
        assert item["description"]
        assert all("application/problem+json" in item["responses"][status]["content"] for status in ("422", "500"))
        assert "RateLimit-Remaining" in item["responses"]["500"]["headers"]
        assert "default" not in item["responses"]


def parameters(path: str, method: str = "get", place: str = "query") -> set[str]:
    return {item["name"] for item in operation(path, method).get("parameters", ()) if item["in"] == place}


def test_lists_describe_their_pages_and_filters() -> None:
    assert parameters("runs") == {"limit", "cursor", "sort", "status"}
    assert parameters("runs/{run_id}/results") == {"limit", "cursor", "sort"}
    assert parameters("scenarios") == {"limit", "cursor", "sort", "archived", "platform", "search", "team"}
    assert "Idempotency-Key" in parameters("scenarios/{scenario_id}/runs", "post", "header")
    assert "Idempotency-Key" not in parameters("tokens", "post", "header"), "its secret is kept nowhere"
    status = openapi_document()["components"]["schemas"]["RunOut"]["properties"]["status"]
    names = openapi_document()["components"]["schemas"][status["$ref"].rpartition("/")[2]]["enum"]
    assert names == list(RunStatus.values)


@pytest.mark.parametrize("path", ["runs?staus=failed", "version?x=1", "scenarios?limit=5&shown=all"])
def test_unknown_parameters_are_refused_with_the_known_ones(client: APIClient, path: str) -> None:
    problem = client.get(f"/api/v1/{path}").json()["errors"][0]
    assert problem["code"] == "unknown_parameter"
    assert ("cursor, limit, sort, status" in problem["message"]) == path.startswith("runs")
    assert client.head("/api/v1/runs?limit=5").status_code == 200


@pytest.mark.parametrize("platform", list(PLATFORMS))
def test_settings_carry_unit_and_source(platform: str) -> None:
    prefix = "".join(part.capitalize() for part in platform.split("-"))
    model = PLATFORMS[platform].server_parameters
    properties = openapi_document()["components"]["schemas"][f"{prefix}{model.__name__}"]["properties"]
    for item in parameters_of(model):
        assert (properties[item.name]["x-unit"], properties[item.name]["x-source"]) == (item.unit, item.quantity.source)


def test_texts_with_units_are_described_and_accepted(client: APIClient, body: dict[str, Any]) -> None:
    schema = resolved(operation("scenarios", "post")["requestBody"]["content"]["application/json"]["schema"])
    jsonschema.validate(body, schema)
    assert client.post("/api/v1/scenarios", body, format="json").status_code == 201
    body["queues"][0]["arrivals"]["rate"] = [81]
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(body, schema)


@pytest.mark.parametrize(
    "path", ["platforms", "presets", "servers", "queues", "scenarios", "runs", "reports", "tokens", "version"]
)
def test_lists_answer_as_described(client: APIClient, finished: Run, path: str) -> None:
    jsonschema.validate(client.get(f"/api/v1/{path}").json(), answer_schema(path))


@pytest.mark.parametrize("platform", list(PLATFORMS))
def test_the_settings_of_a_platform_are_answered_as_described(client: APIClient, platform: str) -> None:
    answer = client.get(f"/api/v1/platforms/{platform}/settings").json()
    jsonschema.validate(answer, answer_schema("platforms/{platform}/settings"))


def test_a_comparison_answers_as_described(client: APIClient, finished: Run) -> None:
    answer = client.get(f"/api/v1/comparisons?subject={finished.pk}:0&subject={finished.pk}:1").json()
    assert answer["differing"]
    jsonschema.validate(answer, answer_schema("comparisons"))


@pytest.mark.parametrize("part", ["", "/results", "/explanation", "/findings", "/checks"])
def test_a_run_answers_as_described(client: APIClient, finished: Run, part: str) -> None:
    answer = client.get(f"/api/v1/runs/{finished.pk}{part}").json()
    jsonschema.validate(answer, answer_schema(f"runs/{{run_id}}{part}"))


def test_a_scenario_and_a_quick_run_answer_as_described(
    client: APIClient, scenario: Scenario, body: dict[str, Any]
) -> None:
    shown = client.get(f"/api/v1/scenarios/{scenario.pk}").json()
    jsonschema.validate(shown, answer_schema("scenarios/{scenario_id}"))
    quick = client.post("/api/v1/quick-runs", {"scenario": body}, format="json").json()
    jsonschema.validate(quick, answer_schema("quick-runs", "post"))


def test_problems_are_as_described(client: APIClient) -> None:
    schema = resolved(
        operation("scenarios", "post")["responses"]["422"]["content"]["application/problem+json"]["schema"]
    )
    for answer in (client.post("/api/v1/scenarios", {}, format="json"), client.get("/api/v1/nothing")):
        jsonschema.validate(answer.json(), schema)
