"""ETags: what was read is what is changed, and nothing that somebody else has changed since."""

from functools import partial
from typing import Any

import pytest
from django.contrib.auth.models import Permission, User
from rest_framework.test import APIClient

from planner.models import Run, Webhook
from planner.services.rows import Issued
from tests.planner.api.conftest import TokenClient
from tests.planner.services.test_inventory import QUEUE, SERVER

API = "/api/v1"


@pytest.fixture
def server(client: APIClient) -> str:
    made = client.post(f"{API}/servers", {"platform": "websphere-zos", **SERVER}, format="json")
    return str(made["Location"])


def rename(client: APIClient, address: str, name: str, **headers: str) -> Any:
    return client.patch(address, {"name": name}, format="json", headers=headers)


def test_a_change_needs_the_tag_of_what_is_there(client: APIClient, server: str) -> None:
    read = client.get(server)["ETag"]
    first = rename(client, server, "first", **{"If-Match": read})
    assert (first.status_code, first["ETag"]) == (200, client.get(server)["ETag"])
    late = rename(client, server, "second", **{"If-Match": read})
    assert (late.status_code, late.json()["type"]) == (412, "urn:sluice:problem:stale")
    assert client.get(server).json()["name"] == "first"
    assert client.delete(server, headers={"If-Match": read}).status_code == 412
    assert client.delete(server, headers={"If-Match": f'"x", {first["ETag"]}'}).status_code == 204


@pytest.mark.parametrize("headers", [{}, {"If-Match": "*"}])
def test_without_a_tag_the_newest_is_changed(client: APIClient, server: str, headers: dict[str, str]) -> None:
    assert rename(client, server, "renamed", **headers).status_code == 200


def test_a_weak_tag_of_a_compressed_answer_counts(client: APIClient, server: str) -> None:
    weak = f"W/{client.get(server)['ETag']}"
    assert client.get(server, headers={"If-None-Match": weak}).status_code == 304
    assert rename(client, server, "renamed", **{"If-Match": weak}).status_code == 200
    assert client.get(server, headers={"If-None-Match": weak}).status_code == 200


def test_what_is_no_tag_is_named(client: APIClient, server: str) -> None:
    wrong = rename(client, server, "renamed", **{"If-Match": "abc"})
    assert (wrong.status_code, wrong.json()["errors"][0]["pointer"]) == (422, "/If-Match")


def test_whoever_may_only_read_is_told_so_first(client: APIClient, other: APIClient, server: str) -> None:
    assert rename(other, server, "stolen", **{"If-Match": '"x"'}).status_code == 404


def queue_of(client: APIClient, server: str) -> str:
    body = {"server_id": server.rpartition("/")[2], **QUEUE}
    return str(client.post(f"{API}/queues", body, format="json")["Location"])


def baseline_of(client: APIClient, run: Run) -> str:
    body = {"scenario": run.version.scenario_id}
    return str(client.post(f"{API}/baselines", body, format="json")["Location"])


def test_everything_that_is_shown_and_ended_has_a_tag(
    client: APIClient, server: str, run: Run, issued: Issued[Webhook], owner: User, token_client: TokenClient
) -> None:
    owner.user_permissions.add(Permission.objects.get(codename="manage_service_accounts"))
    service = client.post(f"{API}/service-accounts", {"name": "nightly"}, format="json")
    addresses = [
        queue_of(client, server),
        baseline_of(client, run),
        f"{API}/webhooks/{issued.row.pk}",
        service["Location"],
    ]
    for address in addresses:
        tag = client.get(address)["ETag"]
        assert client.get(address, headers={"If-None-Match": tag}).status_code == 304, address
        assert client.delete(address, headers={"If-Match": '"another"'}).status_code == 412, address
        assert client.delete(address, headers={"If-Match": tag}).status_code == 204, address


def test_who_signs_signs_the_state_that_they_read(client: APIClient, finished: Run) -> None:
    address = client.post(f"{API}/reports", {"run": finished.pk, "title": "Decision"}, format="json")["Location"]
    read = client.get(address)["ETag"]
    step = partial(client.post, f"{address}/signoff", {"to": "in_review"}, "json", headers={"If-Match": read})
    assert [step().status_code, step().status_code] == [200, 412]


def test_the_document_names_the_headers(client: APIClient) -> None:
    paths = client.get(f"{API}/openapi.json").json()["paths"]
    shown, changed = paths[f"{API}/servers/{{server_id}}"]["get"], paths[f"{API}/servers/{{server_id}}"]["patch"]
    assert "If-None-Match" in {item["name"] for item in shown["parameters"]}
    assert "If-Match" in {item["name"] for item in changed["parameters"]}
    assert "304" in shown["responses"]
    assert {"ETag"} == {name for name in shown["responses"]["200"]["headers"] if name == "ETag"}
    assert "ETag" not in shown["responses"]["404"]["headers"]
