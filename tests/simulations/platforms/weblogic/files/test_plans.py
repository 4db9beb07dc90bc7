"""Deployment plans: their values count in place of those of the descriptors, and each is accounted for."""

from typing import Any

import pytest

from simulations.declarations.problems import InvalidInput
from simulations.platforms.shared.family import Reading
from simulations.platforms.weblogic import WEBLOGIC
from simulations.platforms.weblogic.files import plans
from simulations.scenario.spec import parse

BEANS = b"""<weblogic-ejb-jar xmlns="http://xmlns.oracle.com/weblogic/weblogic-ejb-jar">
<weblogic-enterprise-bean><ejb-name>Bills</ejb-name><message-driven-descriptor><pool>
<max-beans-in-free-pool>10</max-beans-in-free-pool></pool></message-driven-descriptor></weblogic-enterprise-bean>
<weblogic-enterprise-bean><ejb-name>Orders</ejb-name><message-driven-descriptor><pool>
<max-beans-in-free-pool>10</max-beans-in-free-pool></pool></message-driven-descriptor>
<dispatch-policy>work</dispatch-policy></weblogic-enterprise-bean></weblogic-ejb-jar>"""
BEAN = '/weblogic-ejb-jar/weblogic-enterprise-bean/[ejb-name="Orders"]'
POOL = f"{BEAN}/message-driven-descriptor/pool/max-beans-in-free-pool"
PATH = "/weblogic-ejb-jar/weblogic-enterprise-bean[ejb-name='Orders']/transaction-descriptor/trans-timeout-seconds"


def plan(xpath: str, value: str = "<value>40</value>", operation: str = "replace", module: str = "orders.jar") -> bytes:
    return f"""<deployment-plan xmlns="http://xmlns.oracle.com/weblogic/deployment-plan">
<application-name>shop</application-name>
<variable-definition><variable><name>v</name>{value}</variable></variable-definition>
<module-override><module-name>{module}</module-name><module-type>ejb</module-type>
<module-descriptor external="false"><root-element>weblogic-ejb-jar</root-element>
<uri>META-INF/weblogic-ejb-jar.xml</uri>
<variable-assignment><name>v</name><xpath>{xpath}</xpath><operation>{operation}</operation></variable-assignment>
</module-descriptor></module-override></deployment-plan>""".encode()


def read(content: bytes, file: str = "weblogic-ejb-jar.xml") -> Reading:
    return WEBLOGIC.read({"plan.xml": content, file: BEANS})


def settings(reading: Reading, queue: str = "Orders") -> dict[str, Any]:
    return next(item for item in parse(reading.scenario).queues if item.name == queue).settings.model_dump()


def of_plan(reading: Reading) -> list[tuple[str, str]]:
    return [
        (line.status, line.message) for line in reading.account if line.file == "plan.xml" and line.status != "ignored"
    ]


def test_the_value_of_a_plan_counts_for_its_bean_alone() -> None:
    reading = read(plan(POOL))
    assert settings(reading)["max_beans_in_free_pool"] == 40
    assert settings(reading, "Bills")["max_beans_in_free_pool"] == 10
    assert of_plan(reading) == [("understood", "'40': the plan's v")]
    assert WEBLOGIC.recognises("plan.xml", plan(POOL))


def test_a_plan_adds_and_takes_away() -> None:
    assert settings(read(plan(PATH, operation="add")))["transaction_timeout"] == 40
    gone = read(plan(f"{BEAN}/dispatch-policy", operation="remove"))
    assert settings(gone)["work_manager"] == "default"
    assert of_plan(gone) == [("understood", "taken away: the plan's v")]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (plan(POOL.replace("Orders", "Others")), "no descriptor among the files has a place for '40' of v"),
        (plan("/weblogic-jms/queue"), "no descriptor among the files has a place for '40' of v"),
        (plan("/weblogic-ejb-jar"), "no descriptor among the files has a place for '40' of v"),
        (plan("not a path"), "no descriptor among the files has a place for '40' of v"),
        (plan(POOL, value=""), "the plan gives this variable no value"),
    ],
)
def test_what_finds_no_place_is_unresolved(content: bytes, message: str) -> None:
    reading = read(content)
    assert of_plan(reading) == [("unresolved", message)]
    assert settings(reading)["max_beans_in_free_pool"] == 10


@pytest.mark.parametrize(("module", "beans"), [("orders.jar", 40), ("shop.ear", 40), ("bills.jar", 10)])
def test_a_plan_is_for_its_module(module: str, beans: int) -> None:
    reading = read(plan(POOL, module=module), "shop.ear/orders.jar/META-INF/weblogic-ejb-jar.xml")
    assert settings(reading)["max_beans_in_free_pool"] == beans


def test_what_a_plan_says_is_not_written_into_the_descriptor() -> None:
    assert WEBLOGIC.patch
    files = {"plan.xml": plan(POOL), "weblogic-ejb-jar.xml": BEANS}
    system = parse(WEBLOGIC.read(files).scenario).system
    path = "queues.Orders.settings.max_beans_in_free_pool"
    patched = WEBLOGIC.patch(files, system, {path: 50}, "cafe")
    assert (patched.scripts, list(patched.refused)) == ((), [path])


def test_endless_plans_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plans, "MOST", 0)
    with pytest.raises(InvalidInput, match="the plans make 1 assignments, at most 0 are read"):
        read(plan(POOL))
