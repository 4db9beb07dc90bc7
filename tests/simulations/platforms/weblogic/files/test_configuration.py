"""Files of a domain and of its beans: read together, patched, written as WLST and as a Deploy Tooling model."""

import ast

import pytest
import yaml

from simulations.declarations.problems import InvalidInput
from simulations.platforms.weblogic import WEBLOGIC
from simulations.scenario.spec import parse
from tests.simulations.platforms.choosing import filled_in
from tests.simulations.platforms.samples import bean, formula_value, managers

EJB_JAR = b"""<?xml version="1.0" encoding="UTF-8"?>
<weblogic-ejb-jar xmlns="%s">
  <weblogic-enterprise-bean>
    <ejb-name>Orders</ejb-name>
    <message-driven-descriptor>
      <pool><max-beans-in-free-pool>100</max-beans-in-free-pool></pool>
      <destination-jndi-name>jms/orders</destination-jndi-name>
    </message-driven-descriptor>
  </weblogic-enterprise-bean>
  <weblogic-enterprise-bean>
    <ejb-name>Desk</ejb-name><stateless-session-descriptor/>
  </weblogic-enterprise-bean>
</weblogic-ejb-jar>
"""
MODULE = b"""<weblogic-jms xmlns="http://xmlns.oracle.com/weblogic/weblogic-jms">
  <quota name="q"><messages-maximum>9000</messages-maximum></quota>
  <queue name="OrdersQueue"><jndi-name>jms/orders</jndi-name><quota>q</quota>
    <thresholds><messages-high>100</messages-high><messages-low>200</messages-low></thresholds>
    <delivery-params-overrides><redelivery-delay>500</redelivery-delay></delivery-params-overrides></queue>
</weblogic-jms>
"""
NAMESPACES = (
    b"http://xmlns.oracle.com/weblogic/weblogic-ejb-jar",
    b"http://www.bea.com/ns/weblogic/weblogic-ejb-jar",
    b"http://www.bea.com/ns/weblogic/90",
    b"http://www.bea.com/ns/weblogic/10.0",
)


@pytest.mark.parametrize("namespace", NAMESPACES)
def test_descriptors_of_every_namespace_are_read(namespace: bytes) -> None:
    """Job J6: a pool of 100 beans without a dispatch policy runs 16."""
    spec = parse(WEBLOGIC.read({"weblogic-ejb-jar.xml": EJB_JAR % namespace}).scenario)
    assert [queue.name for queue in spec.queues] == ["Orders"]
    assert formula_value(WEBLOGIC.derive(spec.system), "max_concurrency") == 16


def test_several_files_make_one_scenario_with_a_full_account() -> None:
    files = {"weblogic-ejb-jar.xml": EJB_JAR % NAMESPACES[0], "orders-jms.xml": MODULE}
    reading = WEBLOGIC.read(files)
    settings = parse(reading.scenario).queues[0].settings.model_dump()
    assert (settings["redelivery_delay"], settings["messages_quota"], settings["messages_threshold_high"]) == (
        0.5,
        9000,
        -1,
    )
    by_status = {
        status: [item.path for item in reading.account if item.status == status]
        for status in ("contradictory", "ignored")
    }
    assert by_status["contradictory"], "thresholds in the wrong order are named"
    assert any("weblogic-enterprise-bean" in path for path in by_status["ignored"]), "a session bean is named"
    assert all(item.line > 0 for item in reading.account if item.file)


def test_what_no_file_declares_is_unresolved() -> None:
    text = b"""<weblogic-ejb-jar><weblogic-enterprise-bean><ejb-name>A</ejb-name><message-driven-descriptor>
    <destination-jndi-name>jms/a</destination-jndi-name></message-driven-descriptor><dispatch-policy>wm</dispatch-policy>
    </weblogic-enterprise-bean><work-manager><name>other</name><max-threads-constraint-name>none</max-threads-constraint-name>
    </work-manager></weblogic-ejb-jar>"""
    unresolved = [item.message for item in WEBLOGIC.read({"a.xml": text}).account if item.status == "unresolved"]
    assert len(unresolved) == 4


def test_a_file_of_another_kind_is_refused() -> None:
    with pytest.raises(InvalidInput, match="web-app"):
        WEBLOGIC.read({"web.xml": b"<web-app/>"})


def test_a_patched_descriptor_differs_in_the_chosen_elements_only() -> None:
    original = EJB_JAR % NAMESPACES[0]
    spec = parse(WEBLOGIC.read({"f.xml": original}).scenario)
    assert WEBLOGIC.patch
    chosen = {
        "servers.server.settings.work_managers": [{"name": "orders-work", "fair_share": 80, "max_threads": 40}],
        "queues.Orders.settings.work_manager": "orders-work",
        "queues.Orders.settings.max_beans_in_free_pool": 40,
    }
    script = WEBLOGIC.patch({"f.xml": original}, spec.system, chosen, "cafe").scripts[0]
    assert script.undo.encode() == original
    expected = (
        original.decode()
        .replace(">100<", ">40<")
        .replace(
            f'xmlns="{NAMESPACES[0].decode()}">',
            f'xmlns="{NAMESPACES[0].decode()}">\n<!-- Patched by Sluice for the scenario cafe -->',
        )
    )
    manager = script.apply[script.apply.index("<work-manager>") : script.apply.index("</work-manager>")]
    assert "<fair-share>80</fair-share>" in manager
    kept = script.apply.replace(manager + "</work-manager>", "")
    kept = "\n".join(line for line in kept.splitlines() if line.strip() and "orders-work" not in line)
    assert kept == "\n".join(line for line in expected.splitlines() if line.strip())
    again = parse(WEBLOGIC.read({"f.xml": script.apply.encode()}).scenario)
    assert formula_value(WEBLOGIC.derive(again.system), "max_concurrency") == 40
    assert again.queues[0].settings.model_dump()["work_manager"] == "orders-work"


def test_wlst_and_deploy_tooling_say_the_same() -> None:
    spec = bean(server=managers(max_threads=16), work_manager="work")
    chosen = {
        "servers.payments.settings.work_managers": [{"name": "work", "fair_share": 80, "max_threads": 40}],
        "queues.orders.settings.flow_maximum": 400,
        "queues.orders.settings.max_beans_in_free_pool": 40,
    }
    scripts = {item.format: item for item in WEBLOGIC.write(spec.system, chosen, "cafe")}
    ast.parse(scripts["wlst"].apply)
    steps = scripts["wlst"].apply.partition("STEPS = [")[2].partition("\n]")[0]
    constraint = "('MaxThreadsConstraint', 'work-MaxThreadsConstraint', 'target of payments', 'Count',), (16,), 40)"
    assert f"Tuned, {constraint}" in steps
    assert "'FlowControlParams', 'FlowMaximum',), (500,), 400)" in steps
    assert (
        "Not written, not in the domain's configuration: queues.orders.settings.max_beans_in_free_pool"
        in scripts["wlst"].apply
    )
    model = yaml.safe_load(scripts["wdt"].apply)["resources"]
    assert model["SelfTuning"]["WorkManager"]["work"]["FairShareRequestClass"] == "work-FairShareRequestClass"
    assert model["SelfTuning"]["MaxThreadsConstraint"]["work-MaxThreadsConstraint"] == {"Count": 40}
    undone = yaml.safe_load(scripts["wdt"].undo)["resources"]["SelfTuning"]
    assert undone["MaxThreadsConstraint"]["work-MaxThreadsConstraint"] == {"Count": 16}
    assert undone["FairShareRequestClass"] == {"!work-FairShareRequestClass": None}


def test_a_written_model_reads_back() -> None:
    spec = bean(server=managers(), work_manager="work")
    new = [{"name": "work", "response_time_goal": 2.0, "min_threads": 3, "max_threads": 40}]
    scripts = {
        item.format: item for item in WEBLOGIC.write(spec.system, {"servers.payments.settings.work_managers": new}, "c")
    }
    again = parse(WEBLOGIC.read({"model.yaml": yaml.safe_dump(filled_in(scripts["wdt"].apply)).encode()}).scenario)
    manager = again.servers[0].settings.model_dump()["work_managers"][0]
    assert (manager["name"], manager["response_time_goal"]) == ("work", 2.0)
    counts = {item["kind"]: item["count"] for item in again.servers[0].settings.model_dump()["constraints"]}
    assert counts == {"min_threads": 3, "max_threads": 40}
