"""Servers and queues that the scenario calls otherwise than the files: scripts and patches find them all the same."""

from typing import Any

import pytest

from planner.configuration.exporting import Written, configuration_written
from planner.configuration.importing import names_in_files
from simulations.declarations.identity import without_identities
from simulations.declarations.texts import path_of
from simulations.platforms import PLATFORMS
from simulations.scenario.spec import ScenarioSpec, parse

DOMAIN = b"""<domain xmlns="http://xmlns.oracle.com/weblogic/domain"><name>d</name><server><name>ms.1</name></server>
<jms-system-resource><name>jms/Claims</name><descriptor-file-name>claims-jms.xml</descriptor-file-name>
</jms-system-resource></domain>"""
MODULE = b"""<weblogic-jms><queue name="PAY.ORDERS"><delivery-failure-params><redelivery-limit>3</redelivery-limit>
</delivery-failure-params><jndi-name>jms/pay</jndi-name></queue><queue name="PAY/ORDERS"><jndi-name>jms/o</jndi-name>
</queue></weblogic-jms>"""
FILES = {"config.xml": DOMAIN, "claims-jms.xml": MODULE}


def imported() -> dict[str, Any]:
    return {**PLATFORMS["weblogic"].read(FILES).scenario, "name": "Imported"}


def exported(installed: ScenarioSpec, queue: str) -> Written:
    body = installed.body()
    for item in body["queues"]:
        item["settings"]["redelivery_limit"] = 5 if item["name"] == queue else item["settings"]["redelivery_limit"]
    return configuration_written(installed=installed, wanted=parse(body), scenario_hash="cafe", originals=FILES)


def as_stored_before_names_took_any_characters() -> dict[str, Any]:
    body: dict[str, Any] = without_identities(imported())
    body["queues"] = [{**body["queues"][0], "name": "PAY_ORDERS"}]
    return body


def as_renamed_by_a_person() -> dict[str, Any]:
    body = imported()
    body["queues"][0]["name"] = "Payment orders"
    return body


@pytest.mark.parametrize(
    ("body", "name"),
    [(imported, "PAY.ORDERS"), (as_renamed_by_a_person, "Payment orders")],
)
def test_a_queue_is_found_in_the_files_under_any_name(body: Any, name: str) -> None:
    written = exported(parse(body()), name)
    assert [change.path for change in written.changes] == [path_of("queues", name, "settings", "redelivery_limit")]
    (patched,) = written.scripts["xml"]
    assert patched.apply.count("<redelivery-limit>5</redelivery-limit>") == 1
    assert not written.unpatched
    assert "PAY.ORDERS" in written.scripts["wlst"][0].apply
    assert "PAY/ORDERS" not in written.scripts["wlst"][0].apply


def test_names_as_older_versions_rewrote_them_are_found_where_only_one_can_be_meant() -> None:
    body = as_stored_before_names_took_any_characters()
    alone = {"config.xml": DOMAIN, "claims-jms.xml": MODULE.replace(b"PAY/ORDERS", b"OTHER")}
    read = PLATFORMS["weblogic"].read(alone).scenario
    assert names_in_files(parse(body).system, read)["queues", "PAY_ORDERS"] == "PAY.ORDERS"
    assert ("queues", "PAY_ORDERS") not in names_in_files(parse(body).system, imported())
