"""Bad input gets one clear answer that names every wrong field."""

import base64
import copy
import json
import time
from typing import Any

import pytest
from django.conf import settings
from rest_framework.test import APIClient

from planner.models import Run, Scenario

JSON = "application/json"


def cursor(place: str) -> str:
    return f"cursor={base64.urlsafe_b64encode(place.encode()).decode()}"


def errors_of(answer: Any) -> dict[str, str]:
    assert answer["Content-Type"] == "application/problem+json"
    body = answer.json()
    assert body["status"] == answer.status_code == 422
    return {item["pointer"]: item["message"] for item in body["errors"]}


def test_all_wrong_fields_are_named_at_once(client: APIClient, body: dict[str, Any]) -> None:
    body["queues"][0]["arrivals"]["rate"] = -5
    body["queues"][0]["settings"]["maximum_sesions"] = 36
    body["servers"][0]["cpus"] = 0
    body["colour"] = "red"
    found = errors_of(client.post("/api/v1/scenarios", body, format="json"))
    assert set(found) == {
        "/queues/0/arrivals/rate",
        "/queues/0/settings/maximum_sesions",
        "/servers/0/cpus",
        "/colour",
    }
    assert "did you mean 'maximum_sessions'?" in found["/queues/0/settings/maximum_sesions"]
    assert not Scenario.objects.exists()


@pytest.mark.parametrize(("address", "part"), [("scenarios", ""), ("quick-runs", "scenario")])
def test_a_wrong_setting_names_its_limits_and_its_source(
    client: APIClient, body: dict[str, Any], address: str, part: str
) -> None:
    body["queues"][0]["settings"]["maximum_sessions"] = 0
    sent = {part: body} if part else body
    error = client.post(f"/api/v1/{address}", sent, format="json").json()["errors"][0]
    assert error["allowed"].startswith("at least 1")
    assert "MDB throttle" in error["source"]
    assert error["path"].endswith("queues.orders.settings.maximum_sessions")


@pytest.mark.parametrize("path", ["scenarios", "quick-runs", "derive"])
@pytest.mark.parametrize(
    "content", ["{", "[1,]", '{"a": NaN}', '{"a": Infinity}', '{"a": 1, "a": 2}', "\xff", "[" * 100_000]
)
def test_what_is_not_json_is_malformed(client: APIClient, path: str, content: str) -> None:
    answer = client.post(f"/api/v1/{path}", content.encode("latin-1"), content_type=JSON)
    assert (answer.status_code, answer.json()["type"]) == (400, "urn:sluice:problem:malformed")


def test_a_key_that_is_there_twice_is_found_among_very_many(client: APIClient) -> None:
    content = "{" + ", ".join(f'"k{number}": 1' for number in range(100_000)) + ', "k99999": 2}'
    began = time.process_time()
    answer = client.post("/api/v1/scenarios", content, content_type=JSON)
    assert answer.json()["detail"] == "not JSON: the key 'k99999' is there twice"
    assert time.process_time() - began < 10


def test_messages_repeat_only_the_beginning_of_what_is_long(client: APIClient, body: dict[str, Any]) -> None:
    long = "x" * 10_000
    twice = client.post("/api/v1/scenarios", f'{{"{long}": 1, "{long}": 2}}', content_type=JSON)
    assert len(twice.json()["detail"]) < 200
    body["queues"][0]["service"] = {"kind": "constant", "mean": long}
    body["queues"] = [{**body["queues"][0], "name": long}] * 2
    found = errors_of(client.post("/api/v1/scenarios", body, format="json"))
    assert {"/queues/0/service/mean", "/queues/1/name"} <= set(found)
    assert max(map(len, found.values())) < 300


@pytest.mark.parametrize("depth", [70, 400, 900])
@pytest.mark.parametrize(("opened", "closed"), [("[", "]"), ('{"a":', "}")])
def test_a_body_that_is_nested_too_deeply_is_refused(client: APIClient, opened: str, closed: str, depth: int) -> None:
    content = '{"spec": ' + opened * depth + "1" + closed * depth + "}"
    answer = client.post("/api/v1/scenarios", content, content_type=JSON)
    assert (answer.status_code, answer.json()["detail"]) == (400, "the body is nested deeper than 64 levels")


@pytest.mark.parametrize(("opened", "closed"), [("[", "]"), ('{"a":', "}")])
@pytest.mark.parametrize("innermost", ["[]", "{}", "[1]"])
def test_sixty_four_levels_are_read_and_no_more(client: APIClient, opened: str, closed: str, innermost: str) -> None:
    details = []
    for depth in (63, 64):
        content = opened * depth + innermost + closed * depth
        details.append(client.post("/api/v1/derive", content, content_type=JSON).json()["detail"])
    assert details[0] != details[1] == "the body is nested deeper than 64 levels"


def test_a_number_with_too_many_digits_is_refused(client: APIClient) -> None:
    answer = client.post("/api/v1/derive", '{"cpus": ' + "9" * 5000 + "}", content_type=JSON)
    assert (answer.status_code, answer.json()["detail"]) == (400, "not JSON: a number has more than 4300 digits")


@pytest.mark.parametrize("content", ["[]", "3", '"text"', "null"])
def test_a_body_must_be_an_object(client: APIClient, content: str) -> None:
    assert client.post("/api/v1/scenarios", content, content_type=JSON).status_code == 422


def test_a_body_just_above_the_limit_is_refused(client: APIClient) -> None:
    content = b'{"name": "' + b"x" * settings.ENVIRONMENT.max_body_bytes + b'"}'
    assert client.post("/api/v1/scenarios", content, content_type=JSON).status_code == 413


def test_another_content_type_is_refused(client: APIClient) -> None:
    answer = client.post("/api/v1/scenarios", b"a: 1", content_type="application/yaml")
    assert (answer.status_code, answer.json()["status"]) == (415, 415)
    assert answer.json()["detail"].endswith("send application/json")


def test_another_method_is_refused_and_the_right_ones_are_named(client: APIClient, scenario: Scenario) -> None:
    answer = client.put(f"/api/v1/scenarios/{scenario.pk}")
    assert (answer.status_code, answer["Allow"]) == (405, "GET, PATCH, DELETE, HEAD, OPTIONS")
    assert answer.json()["detail"].endswith("use GET, PATCH, DELETE, HEAD, OPTIONS")


@pytest.mark.parametrize("path", ["scenarios", "runs/x/events", "version", "metrics"])
def test_the_methods_of_an_address_can_be_asked_for(client: APIClient, path: str) -> None:
    answer = client.options(f"/api/v1/{path}")
    assert (answer.status_code, answer.content) == (204, b"")
    assert "GET" in answer["Allow"].split(", ")


def test_a_wrong_query_is_named_whatever_the_body_is(client: APIClient) -> None:
    found = [client.post("/api/v1/scenarios?search=%00", "{", content_type=kind) for kind in (JSON, "text/plain")]
    found.append(client.post("/api/v1/scenarios", "{}", content_type=JSON, HTTP_IDEMPOTENCY_KEY="x" * 300))
    assert [set(errors_of(answer)) for answer in found] == [{"/search"}, {"/search"}, {"/Idempotency-Key"}]


def test_more_parameters_than_are_read_are_refused(client: APIClient) -> None:
    answer = client.get(
        "/api/v1/comparisons?" + "&".join(["subject=run_x"] * (settings.DATA_UPLOAD_MAX_NUMBER_FIELDS + 1))
    )
    assert (answer.status_code, answer["Content-Type"]) == (400, "application/problem+json")


def test_a_body_with_thousands_of_wrong_values_gets_a_short_answer(client: APIClient, body: dict[str, Any]) -> None:
    sweep = [{"path": "queues.orders.settings.maximum_sessions", "values": [-1] * 20_000}]
    unknown = {f"maximum_session{number}": 1 for number in range(20_000)}
    wrong = {"queues": [{**body["queues"][0], "settings": unknown}], "objectives": [{"metric": "x"}] * 5000}
    for part in ({"sweep": sweep}, wrong, {"queues": [1] * 100_000}):
        answer = client.post("/api/v1/scenarios", {**body, **part}, format="json")
        errors = answer.json()["errors"]
        assert (answer.status_code, len(errors)) == (422, 101)
        assert errors[-1]["message"] == "more than 100 values are wrong; mend these first"


def test_a_sweep_of_10_to_the_12_is_refused_without_being_made(client: APIClient, body: dict[str, Any]) -> None:
    axis = {"path": "queues.orders.settings.maximum_sessions", "from": 1, "to": 1e6, "steps": 1000}
    body["sweep"] = [axis, copy.deepcopy(axis), copy.deepcopy(axis), copy.deepcopy(axis)]
    assert "1000000000000 points" in errors_of(client.post("/api/v1/scenarios", body, format="json"))["/sweep"]
    axis["steps"], body["sweep"] = settings.ENVIRONMENT.max_sweep_points + 1, [axis]
    scenario = client.post("/api/v1/scenarios", body, format="json").json()
    found = errors_of(client.post(f"/api/v1/scenarios/{scenario['id']}/runs", {}, format="json"))
    assert f"{axis['steps']} points" in found["/sweep"]
    assert not Run.objects.exists()


def test_every_forbidden_value_of_a_sweep_is_named(client: APIClient, body: dict[str, Any]) -> None:
    body["sweep"] = [{"path": "queues.orders.settings.maximum_sessions", "values": [18, 0, -1]}]
    answer = client.post("/api/v1/scenarios", body, format="json")
    assert answer.status_code == 422
    assert {error["value"] for error in answer.json()["errors"]} == {"0", "-1"}
    assert set(errors_of(answer)) == {"/sweep/0/values/1", "/sweep/0/values/2"}


def test_a_part_of_the_body_is_pointed_at_from_the_whole(client: APIClient, body: dict[str, Any]) -> None:
    body["servers"][0]["cpus"] = 0
    quick = errors_of(client.post("/api/v1/quick-runs", {"scenario": body}, format="json"))
    envelope = errors_of(client.post("/api/v1/scenarios", {"spec": body}, format="json"))
    assert (set(quick), set(envelope)) == ({"/scenario/servers/0/cpus"}, {"/spec/servers/0/cpus"})


@pytest.mark.parametrize(
    "query",
    [
        "limit=0",
        "limit=x",
        "limit=201",
        f"limit={'9' * 5000}",
        "sort=owner__password",
        "cursor=zzz",
        cursor("{}"),
        cursor('["name", "Surge backlog", "a"]'),
        cursor('["-updated_at", "2026-01-01T00:00:00Z", "a\\u0000"]'),
        cursor('["-updated_at", "9999-12-31T23:59:59-23:59", "a"]'),
        cursor('["-updated_at", "2026-01-01T00:00:00Z", ' + "[" * 400 + "]" * 401),
        cursor("[" * 20_000),
        "archived=yes",
        "platform=webspere",
    ],
)
def test_wrong_list_questions_are_named(client: APIClient, query: str) -> None:
    name = query.partition("=")[0]
    assert set(errors_of(client.get(f"/api/v1/scenarios?{query}"))) == {f"/{name}"}


@pytest.mark.parametrize("query", ["point=0.5", "point=-1", "points=0", "points=2001", "from=nan", "to=inf"])
def test_a_wrong_place_in_a_series_is_named(client: APIClient, finished: Run, query: str) -> None:
    answer = client.get(f"/api/v1/runs/{finished.pk}/series/backlog?{query}")
    assert set(errors_of(answer)) == {f"/{query.partition('=')[0]}"}


@pytest.mark.parametrize("query", ["from=one", "to=-1", f"to={'9' * 5000}"])
def test_a_wrong_number_of_a_version_is_named(client: APIClient, scenario: Scenario, query: str) -> None:
    answer = client.get(f"/api/v1/scenarios/{scenario.pk}/diff?{query}")
    assert set(errors_of(answer)) == {f"/{query.partition('=')[0]}"}


def test_wrong_settings_of_a_run_are_pointed_at_as_they_were_sent(client: APIClient, scenario: Scenario) -> None:
    wrong = {"precision": {"metric": "latency.p42"}}
    answer = client.post(f"/api/v1/scenarios/{scenario.pk}/runs", wrong, format="json")
    assert set(errors_of(answer)) == {"/precision/metric"}


@pytest.mark.parametrize("wait", ["soon", "-1", "1e9"])
def test_a_wrong_wait_is_named(client: APIClient, run: Run, wait: str) -> None:
    assert set(errors_of(client.get(f"/api/v1/runs/{run.pk}?wait={wait}"))) == {"/wait"}


@pytest.mark.parametrize("header", ["3", "x", "W/3"])
def test_a_wrong_if_match_is_named(client: APIClient, scenario: Scenario, header: str) -> None:
    answer = client.patch(f"/api/v1/scenarios/{scenario.pk}", {"tags": []}, format="json", HTTP_IF_MATCH=header)
    assert set(errors_of(answer)) == {"/If-Match"}


def test_a_defect_gives_a_number_to_report_and_no_trace(
    client: APIClient, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("secret detail")

    monkeypatch.setattr("planner.api.views.catalogue.derive_answer", broken)
    answer = client.post("/api/v1/derive", {}, format="json")
    assert answer.status_code == 500
    assert "secret detail" not in answer.content.decode()
    assert answer.json()["id"] in caplog.text


def test_a_defect_after_the_view_gives_a_number_too(
    client: APIClient, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("secret detail")

    monkeypatch.setattr("planner.api.base.ApiView.finalize_response", broken)
    client.raise_request_exception = False
    answer = client.get("/api/v1/platforms")
    assert (answer.status_code, answer["Content-Type"]) == (500, "application/problem+json")
    assert "secret detail" not in answer.content.decode()
    assert answer.json()["id"] in caplog.text


def test_a_name_that_is_too_long_is_named(client: APIClient, body: dict[str, Any]) -> None:
    body["name"] = "x" * 201
    assert set(errors_of(client.post("/api/v1/scenarios", body, format="json"))) == {"/name"}


@pytest.mark.parametrize("text", ["a\x00b", "a\ud800b"])
def test_texts_that_no_database_keeps_are_refused(client: APIClient, body: dict[str, Any], text: str) -> None:
    content = json.dumps({**body, "name": text}).encode()
    assert client.post("/api/v1/scenarios", content, content_type=JSON).status_code == 400


def test_a_search_that_no_database_understands_is_refused(client: APIClient) -> None:
    assert set(errors_of(client.get("/api/v1/scenarios?search=%00"))) == {"/search"}


@pytest.mark.parametrize("path", ["runs/%00", "scenarios/a%00/versions", "runs/%00/events", "reports/%00.pdf"])
def test_an_address_that_no_database_understands_does_not_exist(client: APIClient, path: str) -> None:
    answer = client.get(f"/api/v1/{path}")
    assert (answer.status_code, answer["Content-Type"]) == (404, "application/problem+json")
    assert "address" in answer.json()["detail"]


@pytest.mark.parametrize("path", ["scenarios", "version", "runs/x/events"])
def test_a_wrong_host_is_refused_in_the_words_of_the_api(client: APIClient, path: str) -> None:
    answer = client.get(f"/api/v1/{path}", HTTP_HOST="evil.example")
    assert (answer.status_code, answer["Content-Type"]) == (400, "application/problem+json")
    assert "Host" in answer.json()["detail"]
    assert "evil" not in answer.content.decode()


def test_a_wrong_host_gets_a_page_elsewhere(client: APIClient) -> None:
    answer = client.get("/login/", HTTP_HOST="evil.example")
    assert (answer.status_code, answer["Content-Type"].partition(";")[0]) == (400, "text/html")


def test_true_and_false_are_no_numbers(client: APIClient, body: dict[str, Any], scenario: Scenario) -> None:
    queue = body["queues"][0]
    queue.update(producers=True, message_size=True)
    queue["settings"]["maximum_sessions"] = True
    queue["arrivals"] = {"kind": "poisson", "rate": True}
    body["servers"][0]["cpus"] = False
    body["run"] = {"seed": True, "warmup": False, "horizon": {"messages": True}}
    body["objectives"] = [{"metric": "latency.p95", "at_most": True}]
    body["sweep"] = [{"path": "queues.orders.settings.maximum_sessions", "values": [18, True]}]
    found = errors_of(client.post("/api/v1/scenarios", body, format="json"))
    own = {"producers", "message_size", "settings/maximum_sessions", "arrivals/rate"}
    run = {"seed", "warmup", "horizon/messages"}
    assert set(found) == {
        *(f"/queues/0/{key}" for key in own),
        *(f"/run/{key}" for key in run),
        "/servers/0/cpus",
        "/objectives/0/at_most",
        "/sweep/0/values/1",
    }
    assert all("write a number; true and false are none" in message for message in found.values())
    address = f"/api/v1/scenarios/{scenario.pk}/runs"
    wrong = errors_of(client.post(address, {"version": True, "seed": False, "max_time": True}, format="json"))
    assert set(wrong) == {"/version", "/seed", "/max_time"}
    exported = client.post(f"/api/v1/scenarios/{scenario.pk}/exports", {"format": "yaml", "since": True}, format="json")
    assert set(errors_of(exported)) == {"/since"}
    question = {"scenario": scenario.pk, "type": "headroom", "least": True, "effort": {"messages": True}}
    assert set(errors_of(client.post("/api/v1/experiments", question, format="json"))) == {"/least", "/effort/messages"}


def test_true_and_false_stay_what_they_are_elsewhere(
    client: APIClient, scenario: Scenario, body: dict[str, Any]
) -> None:
    body["queues"][0]["settings"]["stop_if_delivery_fails"] = True
    body["sweep"] = [{"path": "queues.orders.settings.stop_if_delivery_fails", "values": [True, False]}]
    stored = client.post("/api/v1/scenarios", body, format="json").json()["spec"]
    assert stored["queues"][0]["settings"]["stop_if_delivery_fails"] is True
    assert stored["sweep"][0]["values"] == [True, False]
    answer = client.post(f"/api/v1/scenarios/{scenario.pk}/runs", {"force": True, "version": 1}, format="json")
    assert answer.status_code == 202
    for change in ({"archived": True}, {"archived": False}):
        assert client.patch(f"/api/v1/scenarios/{scenario.pk}", change, format="json").status_code == 200
