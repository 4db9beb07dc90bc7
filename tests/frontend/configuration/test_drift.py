"""The drift page: files in, a table of what differs, and nothing stored."""

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from planner import services
from planner.api.examples import DESCRIPTOR
from planner.configuration.importing import configuration_read
from planner.configuration.uploads import files_named
from planner.models import Import, Scenario


@pytest.fixture
def imported(owner: User) -> Scenario:
    """A scenario that was read from a descriptor."""
    files = {"weblogic-ejb-jar.xml": DESCRIPTOR.encode()}
    return services.import_store(owner=owner, files=files, reading=configuration_read(files)).scenario


def sent(person: Client, scenario: Scenario, text: str, **more: object) -> tuple[int, str]:
    files = [SimpleUploadedFile("live.xml", text.encode())]
    answer = person.post(f"/scenarios/{scenario.pk}/drift/", {"files": files, **more})
    return answer.status_code, answer.content.decode()


def test_the_export_page_leads_to_a_form(person: Client, imported: Scenario) -> None:
    assert (
        f'href="/scenarios/{imported.pk}/drift/?version=1"'
        in person.get(f"/scenarios/{imported.pk}/export/").content.decode()
    )
    text = person.get(f"/scenarios/{imported.pk}/drift/").content.decode()
    assert 'type="file"' in text
    assert 'id="answer"' not in text


def test_the_cluster_that_was_chosen_at_the_import_is_filled_in(person: Client, owner: User) -> None:
    clusters = "".join(f"<cluster name='{name}' config-ref='{name}-config'/>" for name in ("one", "two"))
    configs = "".join(f"<config name='{name}-config'><mdb-container/></config>" for name in ("one", "two"))
    domain = f"<domain><clusters>{clusters}</clusters><configs>{configs}</configs></domain>"
    files = files_named([("domain.xml", domain.encode())], target="two")
    made = services.import_store(owner=owner, files=files, reading=configuration_read(files)).scenario
    assert 'name="target" value="two"' in person.get(f"/scenarios/{made.pk}/drift/").content.decode()


def test_no_difference_is_said_plainly(person: Client, imported: Scenario) -> None:
    code, text = sent(person, imported, DESCRIPTOR)
    assert code == 200
    assert "No difference: " in text
    assert "What differs" not in text


def test_what_differs_is_a_table(person: Client, imported: Scenario) -> None:
    code, text = sent(person, imported, DESCRIPTOR.replace(">100<", ">50<"), version=1)
    assert code == 200
    assert text.count('data-status="changed"') == 1
    assert '<code class="muted">max-beans-in-free-pool</code>' in text
    assert "live.xml:5" in text
    assert Import.objects.count() == 1


def test_pasted_text_is_compared_too(person: Client, imported: Scenario) -> None:
    answer = person.post(f"/scenarios/{imported.pk}/drift/", {"text": DESCRIPTOR})
    assert "No difference: " in answer.content.decode()


def test_what_cannot_be_read_is_said(person: Client, imported: Scenario) -> None:
    code, text = sent(person, imported, "<weblogic-ejb-jar>")
    assert code == 422
    assert "Nothing was compared." in text
    assert "<code>live.xml:1</code>" in text
    assert person.post(f"/scenarios/{imported.pk}/drift/").status_code == 422


def test_who_may_compare(person: Client, stranger: Client, imported: Scenario) -> None:
    address = f"/scenarios/{imported.pk}/drift/"
    assert [one.get(address).status_code for one in (person, stranger)] == [200, 404]
    assert stranger.post(address, {"text": DESCRIPTOR}).status_code == 404
    assert person.put(address).status_code == 405
    assert person.get(address, {"version": 9}).status_code == 404
