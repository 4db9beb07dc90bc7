"""The import page: files or text in, an account with lines, and errors that keep what was typed."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from frontend.configuration.imports import account_groups, account_sentences
from planner import services
from planner.api.examples import DESCRIPTOR
from planner.configuration.importing import configuration_read
from planner.configuration.uploads import files_named
from planner.models import Import, Scenario


@pytest.fixture
def imported(owner: User) -> Import:
    """A stored import of one descriptor."""
    files = {"weblogic-ejb-jar.xml": DESCRIPTOR.encode()}
    return services.import_store(owner=owner, files=files, reading=configuration_read(files))


def send(person: Client, *files: tuple[str, str], **fields: str) -> Any:
    parts = [SimpleUploadedFile(name, text.encode()) for name, text in files]
    return person.post("/imports/new/", {"files": parts, **fields})


def test_the_scenarios_page_leads_to_the_import(person: Client) -> None:
    assert 'href="/imports/new/"' in person.get("/").content.decode()
    form = person.get("/imports/new/").content.decode()
    assert 'enctype="multipart/form-data"' in form
    assert "Open MQ" in form


def test_files_become_a_scenario_and_their_account(person: Client, owner: User) -> None:
    answer = send(person, ("weblogic-ejb-jar.xml", DESCRIPTOR), name="Orders")
    made = Import.objects.get(owner=owner)
    assert answer.headers["Location"] == f"/imports/{made.pk}/"
    text = person.get(answer.headers["Location"]).content.decode()
    assert "weblogic-ejb-jar.xml<span" in text
    assert "queues.Orders.settings.max_beans_in_free_pool" in text
    assert 'row">Max beans in free pool <code' in text
    assert f'href="/scenarios/{made.scenario.pk}/"' in text
    assert text.index('data-status="unresolved"') < text.index('data-status="understood"')
    assert made.scenario.name == "Orders"


@pytest.mark.parametrize(
    ("text", "name", "platform"),
    [
        (DESCRIPTOR, "pasted.xml", "weblogic"),
        ("imqcmd update dst -t q -n orders -o consumerFlowLimit=64", "pasted.txt", "openmq"),
        ("resources:\n  SelfTuning: {}\n", "pasted.yaml", "weblogic"),
    ],
)
def test_pasted_text_is_as_good_as_a_file(person: Client, text: str, name: str, platform: str) -> None:
    assert send(person, text=text).status_code == 302
    made = Import.objects.get()
    assert (made.files.get().name, made.scenario.platform) == (name, platform)


def test_text_and_files_go_together(person: Client) -> None:
    module = '<weblogic-jms><queue name="OrdersQueue"><jndi-name>jms/orders</jndi-name></queue></weblogic-jms>'
    send(person, ("a.xml", DESCRIPTOR), text=module, text_name="orders-jms.xml")
    made = Import.objects.get()
    assert [file.name for file in made.files.all()] == ["a.xml", "orders-jms.xml"]
    assert not [line for line in made.account if line["status"] == "unresolved"]


def test_what_cannot_be_read_is_said_with_its_line_and_the_text_stays(person: Client) -> None:
    answer = send(person, text="<weblogic-ejb-jar>\n<a></weblogic-ejb-jar>", text_name="b.xml", name="Mine")
    text = answer.content.decode()
    assert answer.status_code == 422
    assert "<code>b.xml:2</code>" in text
    assert "&lt;weblogic-ejb-jar&gt;" in text
    assert 'value="Mine"' in text
    assert not Scenario.objects.exists()
    assert "no file was sent" in send(person).content.decode()
    unclear = send(person, text="hello", platform="").content.decode()
    assert "it is not clear which platform" in unclear


def test_the_workbench_leads_back_to_the_account(person: Client, imported: Import, scenario: Scenario) -> None:
    assert f'href="/imports/{imported.pk}/"' in person.get(f"/scenarios/{imported.scenario.pk}/").content.decode()
    assert "/imports/imp_" not in person.get(f"/scenarios/{scenario.pk}/").content.decode()


def test_who_may_see_an_import(person: Client, stranger: Client, client: Client, imported: Import) -> None:
    address = f"/imports/{imported.pk}/"
    assert [one.get(address).status_code for one in (person, stranger)] == [200, 404]
    assert person.post(address).status_code == 405
    nobody = Client()
    assert nobody.get(address).headers["Location"].startswith("/login/")
    assert nobody.post("/imports/new/").headers["Location"].startswith("/login/")
    policy = person.get(address)
    assert " style=" not in policy.content.decode()


def test_sentences_count_and_name_what_needs_a_look() -> None:
    lines = [
        {"status": status} for status in ("understood", "unresolved", "contradictory", "contradictory", "defaulted")
    ]
    first, second, third = account_sentences(lines)
    assert first.startswith("1 element was understood, 0 ignored")
    assert second == "3 need a look: 2 contradictory and 1 unresolved."
    assert third.startswith("1 setting is in no file")
    assert len(account_sentences(lines[:1])) == 2


@pytest.fixture
def described(owner: User) -> Scenario:
    """A scenario that was read from a descriptor."""
    files = {"weblogic-ejb-jar.xml": DESCRIPTOR.encode()}
    return services.import_store(owner=owner, files=files, reading=configuration_read(files)).scenario


def sent(person: Client, scenario: Scenario, text: str, **more: object) -> tuple[int, str]:
    files = [SimpleUploadedFile("live.xml", text.encode())]
    answer = person.post(f"/scenarios/{scenario.pk}/drift/", {"files": files, **more})
    return answer.status_code, answer.content.decode()


def test_the_export_page_leads_to_a_form(person: Client, described: Scenario) -> None:
    assert (
        f'href="/scenarios/{described.pk}/drift/?version=1"'
        in person.get(f"/scenarios/{described.pk}/export/").content.decode()
    )
    text = person.get(f"/scenarios/{described.pk}/drift/").content.decode()
    assert 'type="file"' in text
    assert 'id="answer"' not in text


def test_the_cluster_that_was_chosen_at_the_import_is_filled_in(person: Client, owner: User) -> None:
    clusters = "".join(f"<cluster name='{name}' config-ref='{name}-config'/>" for name in ("one", "two"))
    configs = "".join(f"<config name='{name}-config'><mdb-container/></config>" for name in ("one", "two"))
    domain = f"<domain><clusters>{clusters}</clusters><configs>{configs}</configs></domain>"
    files = files_named([("domain.xml", domain.encode())], target="two")
    made = services.import_store(owner=owner, files=files, reading=configuration_read(files)).scenario
    assert 'name="target" value="two"' in person.get(f"/scenarios/{made.pk}/drift/").content.decode()


def test_no_difference_is_said_plainly(person: Client, described: Scenario) -> None:
    code, text = sent(person, described, DESCRIPTOR)
    assert code == 200
    assert "No difference: " in text
    assert "What differs" not in text


def test_what_differs_is_a_table(person: Client, described: Scenario) -> None:
    code, text = sent(person, described, DESCRIPTOR.replace(">100<", ">50<"), version=1)
    assert code == 200
    assert text.count('data-status="changed"') == 1
    assert '<code class="muted">max-beans-in-free-pool</code>' in text
    assert "live.xml:5" in text
    assert Import.objects.count() == 1


def test_pasted_text_is_compared_too(person: Client, described: Scenario) -> None:
    answer = person.post(f"/scenarios/{described.pk}/drift/", {"text": DESCRIPTOR})
    assert "No difference: " in answer.content.decode()


def test_what_cannot_be_read_is_said(person: Client, described: Scenario) -> None:
    code, text = sent(person, described, "<weblogic-ejb-jar>")
    assert code == 422
    assert "Nothing was compared." in text
    assert "<code>live.xml:1</code>" in text
    assert person.post(f"/scenarios/{described.pk}/drift/").status_code == 422


def test_who_may_compare(person: Client, stranger: Client, described: Scenario) -> None:
    address = f"/scenarios/{described.pk}/drift/"
    assert [one.get(address).status_code for one in (person, stranger)] == [200, 404]
    assert stranger.post(address, {"text": DESCRIPTOR}).status_code == 404
    assert person.put(address).status_code == 405
    assert person.get(address, {"version": 9}).status_code == 404


@pytest.mark.parametrize(("size", "shown"), [("-1", "0 (unlimited)"), ("10m", "10.49 MB")])
def test_sizes_have_their_unit_or_say_that_they_are_unlimited(size: str, shown: str) -> None:
    command = f"imqcmd create dst -t q -n orders -o maxTotalMsgBytes={size} -o maxNumMsgs=-1\n"
    reading = configuration_read({"setup.sh": command.encode()})
    account = [vars(line) for line in reading.account]
    lines = [line for group in account_groups(account, reading.spec) for line in group["lines"]]
    messages = {line["path"].rpartition(".")[2]: line["message"] for line in lines}
    assert (messages["max_total_msg_bytes"], messages["max_num_msgs"]) == (shown, "-1 (unlimited)")
