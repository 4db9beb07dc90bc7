"""Servers and queues that the scenario calls otherwise than the files: scripts and patches find them all the same."""

from typing import Any

import pytest

from planner.configuration.exporting import Written, configuration_written
from planner.configuration.importing import configuration_read, names_in_files
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
    assert not written.refused
    assert "PAY.ORDERS" in written.scripts["wlst"][0].apply
    assert "PAY/ORDERS" not in written.scripts["wlst"][0].apply


def test_names_as_older_versions_rewrote_them_are_found_where_only_one_can_be_meant() -> None:
    body = as_stored_before_names_took_any_characters()
    alone = {"config.xml": DOMAIN, "claims-jms.xml": MODULE.replace(b"PAY/ORDERS", b"OTHER")}
    read = PLATFORMS["weblogic"].read(alone).scenario
    assert names_in_files(parse(body).system, read)["queues", "PAY_ORDERS"] == "PAY.ORDERS"
    assert ("queues", "PAY_ORDERS") not in names_in_files(parse(body).system, imported())


def test_a_value_that_the_platform_forbids_was_not_understood_too() -> None:
    read = configuration_read({"config.properties": b"imq.autocreate.queue.consumerFlowLimit=abc\n"})
    (line,) = [line for line in read.account if line.line == 1]
    assert (line.status, line.message) == ("contradictory", "must be a whole number (got 'abc'); the default counts")


WORK_MANAGERS = """<domain xmlns="http://xmlns.oracle.com/weblogic/domain"><self-tuning>
<fair-share-request-class><name>high</name><fair-share>5000</fair-share></fair-share-request-class>
<fair-share-request-class><name>odd</name><fair-share>much</fair-share></fair-share-request-class>
<max-threads-constraint><name>none</name><count>-1</count></max-threads-constraint>
<work-manager><name>a</name><fair-share-request-class>high</fair-share-request-class>
<max-threads-constraint>none</max-threads-constraint></work-manager>
<work-manager><name>b</name><fair-share-request-class>odd</fair-share-request-class>
<max-threads-constraint>absent</max-threads-constraint>
<min-threads-constraint>none</min-threads-constraint><capacity>room</capacity></work-manager>
<min-threads-constraint><name>room</name><count>2</count></min-threads-constraint>
</self-tuning></domain>"""
UNUSED = (
    "no bean of these files has it as its dispatch-policy, which stands in weblogic-ejb-jar.xml or in an annotation"
)
WORK = "servers.server.settings.work_managers"


def test_only_the_wrong_value_of_a_work_manager_is_left_out_and_what_is_declared_is_not_called_missing() -> None:
    read = configuration_read({"config.xml": WORK_MANAGERS.encode()})
    told = {
        (line.status, line.path, line.message)
        for line in read.account
        if line.status in ("contradictory", "unresolved")
    }
    assert told == {
        ("contradictory", f"{WORK}.a.fair_share", "must be at most 1,000 (got 5000); the default counts"),
        ("contradictory", "request class odd", "'much' is no number; the default counts"),
        ("unresolved", f"{WORK}.b.max_threads", "no file declares the max threads constraint 'absent'"),
        ("unresolved", f"{WORK}.b.capacity", "no file declares the capacity constraint 'room'"),
        ("unresolved", f"{WORK}.b", UNUSED),
    }
    managers = read.spec.servers[0].settings.model_dump()["work_managers"]
    assert [item["name"] for item in managers] == ["a", "b"]
