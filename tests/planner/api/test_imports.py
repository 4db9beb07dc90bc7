"""Files in: the scenario with an account of every element, whatever somebody sends."""

import re
from typing import Any

import jsonschema
import pytest
import yaml
from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.http import HttpResponse
from rest_framework.test import APIClient

from planner.api.examples import DESCRIPTOR
from planner.configuration.importing import ScenarioReading, configuration_read
from planner.configuration.uploads import MAX_FILES, MAX_TOTAL_BYTES
from planner.models import Import, Scenario
from simulations.platforms.files.syntax.tree import MAX_BYTES, MAX_DEPTH
from tests.planner.api.conftest import TokenClient
from tests.planner.api.test_openapi import answer_schema

BOMB = b'<!DOCTYPE a [<!ENTITY x "ha"><!ENTITY y "&x;&x;">]>\n<weblogic-ejb-jar>&y;</weblogic-ejb-jar>'
FETCH = b'<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]>\n<weblogic-ejb-jar>&x;</weblogic-ejb-jar>'
DEEP = b"<weblogic-ejb-jar>" + b"<a>" * MAX_DEPTH + b"</a>" * MAX_DEPTH + b"</weblogic-ejb-jar>"
LARGE = b"<weblogic-ejb-jar>" + b" " * MAX_BYTES + b"</weblogic-ejb-jar>"


def send(client: APIClient, *files: tuple[str, bytes | str], **more: str) -> HttpResponse:
    key = more.pop("key", "")
    headers: dict[str, Any] = {"HTTP_IDEMPOTENCY_KEY": key} if key else {}
    parts = [SimpleUploadedFile(name, text if isinstance(text, bytes) else text.encode()) for name, text in files]
    answer: Any = client.post("/api/v1/imports", {"files": parts, **more}, format="multipart", **headers)
    found: HttpResponse = answer
    return found


def test_a_descriptor_becomes_a_scenario_with_an_account(client: APIClient) -> None:
    """Job J6: 100 beans, no dispatch policy, and the line of each element."""
    answer: Any = send(client, ("weblogic-ejb-jar.xml", DESCRIPTOR), name="Orders")
    made = answer.json()
    assert answer.status_code == 201, made
    jsonschema.validate(made, answer_schema("imports", "post", "201"))
    assert (made["scenario"]["name"], made["scenario"]["platform"]) == ("Orders", "weblogic")
    assert made["scenario"]["spec"]["queues"][0]["settings"]["max_beans_in_free_pool"] == 100
    beans = next(line for line in made["account"] if line["path"].endswith("max_beans_in_free_pool"))
    assert (beans["status"], beans["file"], beans["line"]) == ("understood", "weblogic-ejb-jar.xml", 5)
    unresolved = next(line for line in made["account"] if line["status"] == "unresolved")
    assert (unresolved["line"], "'jms/orders'" in unresolved["message"]) == (6, True)
    assert made["counts"] == {
        status: sum(line["status"] == status for line in made["account"]) for status in made["counts"]
    }
    assert [(file["name"], file["size"], file["patchable"]) for file in made["files"]] == [
        ("weblogic-ejb-jar.xml", len(DESCRIPTOR), True)
    ]
    assert client.get(answer["Location"]).json() == made
    derived = client.post("/api/v1/derive", made["scenario"]["spec"], format="json").json()
    assert {item["name"]: item["value"] for item in derived["values"]}["max_concurrency"] == 16


def test_several_files_make_one_scenario_and_passwords_are_not_kept(client: APIClient) -> None:
    domain = (
        '<domain xmlns="http://xmlns.oracle.com/weblogic/domain"><jta><timeout-seconds>600</timeout-seconds></jta>'
        "<security-configuration><credential-encrypted>{AES}secret</credential-encrypted></security-configuration>"
        "</domain>"
    )
    answer: Any = send(client, ("config/config.xml", domain), ("META-INF/weblogic-ejb-jar.xml", DESCRIPTOR))
    made = answer.json()
    assert made["scenario"]["spec"]["queues"][0]["settings"]["transaction_timeout"] == 600
    assert {file["name"]: file["patchable"] for file in made["files"]} == {
        "config.xml": False,
        "weblogic-ejb-jar.xml": True,
    }
    assert Import.objects.get().files.get(name="config.xml").content is None
    assert "{AES}secret" not in answer.content.decode()


@pytest.mark.parametrize(
    ("file", "platform"),
    [
        (("broker.sh", "imqcmd update dst -t q -n orders -o consumerFlowLimit=64\n"), "openmq"),
        (("config.properties", "imq.autocreate.queue.consumerFlowLimit=64\n"), "openmq"),
        (("domain.xml", "<domain><configs/></domain>"), "openmq"),
        (("server.xml", '<p:Server xmlns:p="http://www.ibm.com/x.xmi" name="s1"/>'), "websphere"),
        (("model.yaml", "resources:\n  SelfTuning: {}\n"), "weblogic"),
        (("x-jms.xml", "<!-- licence --><weblogic-jms/>"), "weblogic"),
    ],
)
def test_the_files_say_their_platform(client: APIClient, file: tuple[str, str], platform: str) -> None:
    answer: Any = send(client, file)
    assert answer.json()["scenario"]["platform"] == platform


def test_a_scenario_file_keeps_its_name(client: APIClient, body: dict[str, Any]) -> None:
    answer: Any = send(client, ("scenario.yaml", yaml.safe_dump(body, sort_keys=False)))
    assert answer.json()["scenario"]["name"] == "Surge backlog"


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ([("a.xml", BOMB)], "a.xml:.*entities are not allowed"),
        ([("a.xml", FETCH)], "a.xml:.*entities are not allowed"),
        ([("a.xml", DEEP)], "a.xml:.*nested deeper"),
        ([("a.xml", LARGE)], "a.xml:.*at most"),
        ([("a.xml", b"<weblogic-ejb-jar><x></weblogic-ejb-jar>")], "a.xml:1:.*no XML"),
        ([("a.xml", b"\xff\xfe\x00")], "a.xml:.*written in UTF-16"),
        ([("a.xml", b"\x00\xff")], "platform:.*a.xml: unknown"),
        ([("a.yaml", b"resources: {a: &x 1, b: *x}")], "a.yaml:1:.*anchors and aliases"),
        ([("a.yaml", b'resources: {"\\0": 1}\nx: !!python/object:os.system 1')], "a.yaml:2:.*no plain value"),
        ([], "files:.*no file was sent"),
        ([(f"{n}.xml", b"<weblogic-jms/>") for n in range(MAX_FILES + 1)], "files:.*at most"),
        ([(f"{n}.xml", b"<a/>" * 60_000) for n in range(2)], "files:.*120,000 elements or lines together"),
        ([("a.xml", b"<weblogic-jms/>"), ("b.xml", b"<Server/>")], "platform:.*b.xml: WebSphere"),
    ],
)
def test_hostile_and_broken_files_get_one_clear_answer(
    client: APIClient, files: list[tuple[str, bytes]], message: str
) -> None:
    answer: Any = send(client, *files)
    assert (answer.status_code, answer["Content-Type"]) == (422, "application/problem+json")
    told = [f"{item['path']}: {item['message']}" for item in answer.json()["errors"]]
    assert any(re.match(message, line) for line in told), told
    assert not Scenario.objects.exists()


def test_the_platform_and_other_fields_are_checked(client: APIClient) -> None:
    wrong: Any = send(client, ("a.xml", DESCRIPTOR), platform="wblogic")
    assert (wrong.status_code, wrong.json()["errors"][0]["pointer"]) == (422, "/platform")
    assert "'weblogic'" in wrong.json()["errors"][0]["message"]
    unknown: Any = send(client, ("a.xml", DESCRIPTOR), plattform="weblogic")
    assert "did you mean 'platform'" in unknown.json()["errors"][0]["message"]
    other: Any = send(client, ("a.xml", DESCRIPTOR), platform="was")
    assert "weblogic-ejb-jar" in other.json()["errors"][0]["message"]
    assert send(client, ("a.xml", DESCRIPTOR), platform="wls").status_code == 201
    null: Any = send(client, ("a.xml", DESCRIPTOR), name="a\0b")
    assert null.status_code == 400


def test_what_is_no_upload_is_refused_before_it_is_read(client: APIClient) -> None:
    assert client.post("/api/v1/imports", {"files": []}, format="json").status_code == 415
    large: Any = client.generic(
        "POST", "/api/v1/imports", "--x", "multipart/form-data; boundary=x", CONTENT_LENGTH=MAX_TOTAL_BYTES * 2
    )
    assert (large.status_code, large.json()["type"]) == (413, "urn:sluice:problem:too_large")
    broken: Any = client.generic("POST", "/api/v1/imports", "no boundary", "multipart/form-data")
    assert broken.status_code == 400
    more = settings.DATA_UPLOAD_MAX_NUMBER_FIELDS + 1
    fields = "".join(f'--x\r\nContent-Disposition: form-data; name="f{n}"\r\n\r\n1\r\n' for n in range(more)) + "--x--"
    many: Any = client.generic("POST", "/api/v1/imports", fields, "multipart/form-data; boundary=x")
    assert many.status_code == 413


def test_the_same_key_imports_once(client: APIClient) -> None:
    first, again = (send(client, ("a.xml", DESCRIPTOR), key="k1") for _ in range(2))
    assert (first.status_code, again.status_code) == (201, 201)
    assert first["Location"] == again["Location"]
    assert Scenario.objects.count() == 1
    other = send(client, ("a.xml", DESCRIPTOR.replace("100", "99")), key="k1")
    assert other.status_code == 422
    assert Scenario.objects.count() == 1


def test_who_may_import_and_see_it(
    client: APIClient, other: APIClient, nobody: APIClient, owner: Any, token_client: TokenClient
) -> None:
    made: Any = send(client, ("a.xml", DESCRIPTOR))
    address = made["Location"]
    assert [one.get(address).status_code for one in (client, other, nobody)] == [200, 404, 401]
    assert send(nobody, ("a.xml", DESCRIPTOR)).status_code == 401
    assert send(token_client(owner, "read", "run", "export"), ("a.xml", DESCRIPTOR)).status_code == 403
    assert client.get("/api/v1/imports").status_code == 405


def test_files_are_read_while_others_may_use_the_database(client: APIClient, monkeypatch: pytest.MonkeyPatch) -> None:
    within: list[int] = []

    def watched(*about: Any, **more: Any) -> ScenarioReading:
        within.append(len(connection.savepoint_ids))
        return configuration_read(*about, **more)

    monkeypatch.setattr("planner.configuration.reading_apart.configuration_read", watched)
    outside = len(connection.savepoint_ids)
    answers: list[Any] = [send(client, ("weblogic-ejb-jar.xml", DESCRIPTOR), key="k1") for _ in range(2)]
    assert set(within) == {outside}
    assert answers[0].json()["id"] == answers[1].json()["id"]


def test_a_request_without_a_body_says_what_is_missing(client: APIClient) -> None:
    answer = client.post("/api/v1/imports")
    assert (answer.status_code, [item["pointer"] for item in answer.json()["errors"]]) == (422, ["/files"])
