"""Thresholds and quotas of JMS servers: they are put into a config.xml or a model that leaves them out."""

from typing import Any

import pytest
import yaml

from simulations.platforms.shared.family import Patched, Script
from simulations.platforms.weblogic import WEBLOGIC
from simulations.scenario.spec import parse
from tests.simulations.platforms.consoles import Wlst
from tests.simulations.platforms.samples import scenario_body

BEAN = b"""<weblogic-ejb-jar>
  <weblogic-enterprise-bean><ejb-name>Orders</ejb-name></weblogic-enterprise-bean>
</weblogic-ejb-jar>
"""
SERVERS = b"""<domain xmlns="http://xmlns.oracle.com/weblogic/domain">
  <jms-server>
    <name>one</name>
    <target>a</target>
    <persistent-store>files</persistent-store>
  </jms-server>
  <jms-server>
    <name>two</name>
    <target>b</target>
  </jms-server>
</domain>
"""
MODEL = b"""resources:
    JMSServer:
        one:
            Target: a
"""
WANTED: dict[str, Any] = {
    "messages_threshold_high": 900,
    "messages_threshold_low": 300,
    "messages_quota": 1000,
    "bytes_quota": 10**6,
    "blocking_send_policy": "Preemptive",
}


def patched(file: str, content: bytes, wanted: dict[str, Any]) -> Patched:
    assert WEBLOGIC.patch
    files = {file: content, "weblogic-ejb-jar.xml": BEAN}
    system = parse(WEBLOGIC.read(files).scenario).system
    chosen = {f"queues.Orders.settings.{key}": value for key, value in wanted.items()}
    return WEBLOGIC.patch(files, system, chosen, "0123abcd")


def read(file: str, content: str) -> dict[str, Any]:
    files = {file: content.encode(), "weblogic-ejb-jar.xml": BEAN}
    return parse(WEBLOGIC.read(files).scenario).queues[0].settings.model_dump()


def test_every_jms_server_gets_what_it_lacks() -> None:
    result = patched("config.xml", SERVERS, WANTED)
    assert not result.refused
    text = result.scripts[0].apply
    assert text.count("<messages-threshold-high>900</messages-threshold-high>") == 2
    found = read("config.xml", text)
    assert {key: found[key] for key in WANTED} == WANTED
    first = text[text.index("<persistent-store>") : text.index("</jms-server>")]
    names = ["persistent-store", "messages-threshold-high", "messages-threshold-low", "bytes-maximum", "messages-max"]
    assert [first.index(f"<{name}") for name in names] == sorted(first.index(f"<{name}") for name in names)
    assert result.scripts[0].undo.encode() == SERVERS


def test_a_model_gets_what_its_jms_server_lacks() -> None:
    result = patched("model.yaml", MODEL, WANTED)
    assert not result.refused
    found = read("model.yaml", result.scripts[0].apply)
    assert {key: found[key] for key in WANTED} == WANTED


def test_servers_that_differ_are_left_alone() -> None:
    different = SERVERS.replace(b"<target>b<", b"<bytes-maximum>5</bytes-maximum><target>b<")
    assert set(patched("config.xml", different, {"messages_quota": 10}).refused) == {
        "queues.Orders.settings.messages_quota"
    }


def test_a_destination_of_a_module_is_changed_itself() -> None:
    """Its thresholds come before those of its server."""
    assert WEBLOGIC.patch
    module = b"""<weblogic-jms>
  <queue name="orders"><jndi-name>jms/orders</jndi-name></queue>
</weblogic-jms>
"""
    bean = BEAN.replace(
        b"</ejb-name>",
        b"</ejb-name><message-driven-descriptor><destination-jndi-name>jms/orders</destination-jndi-name>"
        b"</message-driven-descriptor>",
    )
    files = {"config.xml": SERVERS, "orders-jms.xml": module, "weblogic-ejb-jar.xml": bean}
    system = parse(WEBLOGIC.read(files).scenario).system
    chosen = {
        "queues.Orders.settings.messages_threshold_high": 90,
        "queues.Orders.settings.messages_threshold_low": 30,
    }
    result = WEBLOGIC.patch(files, system, chosen, "0123abcd")
    assert not result.refused
    assert [script.filename for script in result.scripts] == ["orders-jms.xml"]


HOSTS = b"""<domain xmlns="http://xmlns.oracle.com/weblogic/domain">
<jms-server><name>small</name><messages-maximum>50</messages-maximum></jms-server>
<jms-server><name>large</name><messages-maximum>900</messages-maximum></jms-server>
<jms-server><name>large2</name><messages-maximum>900</messages-maximum></jms-server>
<jms-system-resource><name>M</name><sub-deployment><name>S</name><target>small</target></sub-deployment>
<sub-deployment><name>L</name><target>large,large2</target></sub-deployment></jms-system-resource></domain>"""
HOSTED = b"""<weblogic-jms><queue name="a"><sub-deployment-name>S</sub-deployment-name></queue>
<uniform-distributed-queue name="b"><sub-deployment-name>L</sub-deployment-name><jndi-name>jms/b</jndi-name>
</uniform-distributed-queue><queue name="c"/></weblogic-jms>"""


def test_a_destination_has_the_quota_of_the_servers_of_its_sub_deployment() -> None:
    reading = WEBLOGIC.read({"config.xml": HOSTS, "m-jms.xml": HOSTED})
    found = {queue.name: queue.settings.model_dump()["messages_quota"] for queue in parse(reading.scenario).queues}
    assert (found["a"], found["b"], found["c"]) == (50, 900, -1)
    assert [item.path for item in reading.account if item.status == "unresolved"] == ["queues.c"]


def test_a_bean_has_the_quota_of_the_servers_of_its_destination() -> None:
    bean = (
        b"<weblogic-ejb-jar><weblogic-enterprise-bean><ejb-name>B</ejb-name><message-driven-descriptor>"
        b"<destination-jndi-name>jms/b</destination-jndi-name></message-driven-descriptor>"
        b"</weblogic-enterprise-bean></weblogic-ejb-jar>"
    )
    files = {"w.xml": bean, "config.xml": HOSTS, "m-jms.xml": HOSTED}
    spec = parse(WEBLOGIC.read(files).scenario)
    assert spec.queues[0].settings.model_dump()["messages_quota"] == 900
    assert WEBLOGIC.patch
    done = WEBLOGIC.patch(files, spec.system, {"queues.B.settings.messages_quota": 30}, "cafe")
    after = next(script for script in done.scripts if script.filename != "w.xml")
    again = WEBLOGIC.read({**files, after.filename: after.apply.encode()})
    assert parse(again.scenario).queues[0].settings.model_dump()["messages_quota"] == 30


WEIGHTED = b"""<weblogic-jms>
<queue name="Q1"><sub-deployment-name>S</sub-deployment-name><delivery-failure-params>
<redelivery-limit>3</redelivery-limit></delivery-failure-params></queue>
<queue name="Q2"><sub-deployment-name>S</sub-deployment-name><delivery-failure-params>
<redelivery-limit>%d</redelivery-limit></delivery-failure-params></queue>
<distributed-queue name="D"><jndi-name>jms/D</jndi-name><distributed-queue-member name="Q1"><weight>1</weight>
</distributed-queue-member><distributed-queue-member name="two"><physical-destination-name>Q2\
</physical-destination-name></distributed-queue-member></distributed-queue></weblogic-jms>"""


def test_a_weighted_distributed_queue_has_what_its_members_say() -> None:
    reading = WEBLOGIC.read({"config.xml": HOSTS, "m-jms.xml": WEIGHTED % 3})
    queues = parse(reading.scenario).queues
    assert [queue.name for queue in queues] == ["D"]
    found = queues[0].settings.model_dump()
    assert (found["redelivery_limit"], found["messages_quota"]) == (3, 50)
    assert not [item for item in reading.account if item.status == "unresolved"]


def test_a_change_of_a_distributed_queue_goes_to_all_its_members() -> None:
    files = {"m-jms.xml": WEIGHTED % 3}
    assert WEBLOGIC.patch
    system = parse(WEBLOGIC.read(files).scenario).system
    chosen = {"queues.D.settings.redelivery_limit": 8, "queues.D.settings.redelivery_delay": 2.0}
    text = WEBLOGIC.patch(files, system, chosen, "cafe").scripts[0].apply
    assert (text.count("<redelivery-limit>8<"), text.count("<redelivery-delay>2000<")) == (2, 2)


def test_members_that_differ_are_said() -> None:
    account = WEBLOGIC.read({"m-jms.xml": WEIGHTED % 4}).account
    assert [(item.path, item.line) for item in account if item.status == "unresolved"] == [("queues.D", 6)]


DOMAIN = {
    "config.xml": b"""<domain xmlns="http://xmlns.oracle.com/weblogic/domain">
<jms-server><name>js1</name><messages-threshold-high>1000</messages-threshold-high><messages-maximum>5000\
</messages-maximum><messages-threshold-low>200</messages-threshold-low></jms-server>
<jms-system-resource><name>mod</name><sub-deployment><name>sub</name><target>js1</target></sub-deployment>
<descriptor-file-name>jms/mod-jms.xml</descriptor-file-name></jms-system-resource></domain>""",
    "jms/mod-jms.xml": b"""<weblogic-jms><queue name="QA"><sub-deployment-name>sub</sub-deployment-name></queue>
<queue name="QB"><sub-deployment-name>sub</sub-deployment-name></queue></weblogic-jms>""",
}
HIGH = "messages_threshold_high"


def exported(chosen: dict[str, Any]) -> dict[str, Script]:
    system = parse(WEBLOGIC.read(DOMAIN).scenario).system
    return {item.format: item for item in WEBLOGIC.write(system, chosen, "cafe")}


def hosting() -> Wlst:
    """The domain of the files."""
    console = Wlst(servers=[], destinations=["QA", "QB"])
    console.domain.values["JMSSystemResources"][0].name = "mod"
    console.domain._create("JMSServer", "js1").values.update(MessagesThresholdHigh=1000, MessagesMaximum=5000)
    return console


def test_thresholds_of_a_jms_server_are_changed_there_by_all_its_queues() -> None:
    both = {f"queues.{name}.settings.{HIGH}": 1500 for name in ("QA", "QB")}
    scripts, console = exported(both), hosting()
    before = console.snapshot()
    console.run(scripts["wlst"].apply)
    assert console.snapshot() == {**before, "JMSServer.js1": {"MessagesThresholdHigh": 1500, "MessagesMaximum": 5000}}
    console.run(scripts["wlst"].undo)
    assert console.snapshot() == before
    assert yaml.safe_load(scripts["wdt"].apply) == {
        "resources": {"JMSServer": {"js1": {"MessagesThresholdHigh": 1500}}}
    }
    assert WEBLOGIC.patch
    patched = WEBLOGIC.patch(DOMAIN, parse(WEBLOGIC.read(DOMAIN).scenario).system, both, "cafe")
    assert [(item.filename, "high>1500<" in item.apply) for item in patched.scripts] == [("config.xml", True)]


def test_a_threshold_that_queues_share_is_not_changed_for_one_of_them() -> None:
    path = f"queues.QA.settings.{HIGH}"
    script = exported({path: 1500, "queues.QA.settings.redelivery_limit": 3})["wlst"]
    assert script.left_out == (path,)
    assert "js1" in script.reasons[path]


def test_a_queue_gets_a_quota_of_its_own_instead_of_that_of_its_jms_server() -> None:
    for wanted, written in ((3000, 3000), (-1, 2**63 - 1)):
        scripts, console = exported({"queues.QA.settings.messages_quota": wanted}), hosting()
        before = console.snapshot()
        console.run(scripts["wlst"].apply)
        quota = console.module.lookupQueue("QA").getQuota()
        assert (quota.name, quota.values["MessagesMaximum"]) == ("QA-quota", written)
        assert console.module.lookupQueue("QB").getQuota() is None
        console.run(scripts["wlst"].undo)
        assert console.snapshot() == before
        module = yaml.safe_load(scripts["wdt"].apply)["resources"]["JMSSystemResource"]["mod"]["JmsResource"]
        assert module["Quota"]["QA-quota"]["MessagesMaximum"] == written


def test_queues_that_are_new_at_a_jms_server_set_its_thresholds() -> None:
    system = parse(scenario_body("weblogic", queue={})).system
    chosen = {"jms_server": "js1", HIGH: 1000, "messages_threshold_low": 200}
    paths = {f"queues.orders.settings.{key}": value for key, value in chosen.items()}
    model = next(item for item in WEBLOGIC.write(system, paths, "cafe") if item.format == "wdt")
    assert yaml.safe_load(model.apply)["resources"] == {
        "JMSServer": {"js1": {"MessagesThresholdHigh": 1000, "MessagesThresholdLow": 200}}
    }
    assert yaml.safe_load(model.undo)["resources"]["JMSServer"]["js1"] == dict.fromkeys(
        ("MessagesThresholdHigh", "MessagesThresholdLow"), -1
    )


@pytest.mark.parametrize(
    ("part", "setting"),
    [("factory", "messages_maximum"), ("quota", "messages_quota"), ("destination", "redelivery_limit")],
)
def test_an_object_that_queues_share_is_not_changed_for_one_of_them(part: str, setting: str) -> None:
    body = scenario_body("weblogic", queue={"messages_quota": 7})
    first, name = body["queues"][0], {"name": "shared", "kind": {"quota": "Quota"}.get(part, ""), "module": "m"}
    known = [
        name if part == "destination" else {"name": f"D{number}", "module": "m", "parts": [{**name, "role": part}]}
        for number in (1, 2)
    ]
    body["queues"] = [{**first, "identity": known[0]}, {**first, "name": "other", "identity": known[1]}]
    system, paths = parse(body).system, [f"queues.{name}.settings.{setting}" for name in ("orders", "other")]
    for values in ((4,), (4, 5)):
        chosen = dict(zip(paths, values, strict=False)) | {"queues.orders.settings.max_beans_in_free_pool": 3}
        for script in WEBLOGIC.write(system, chosen, "cafe")[1:]:
            assert chosen.keys() == script.reasons.keys() == set(script.left_out)
    for script in WEBLOGIC.write(system, dict.fromkeys(paths, 4), "cafe"):
        assert not script.left_out or script.format not in ("wlst", "wdt")


@pytest.mark.parametrize("by_template", [False, True])
def test_a_queue_with_a_quota_has_no_limits_of_its_jms_server(by_template: bool) -> None:  # noqa: FBT001
    holder = b'<template name="T"><quota>Q</quota></template><queue name="QA"><template>T</template>'
    start = holder if by_template else b'<queue name="QA"><quota>Q</quota>'
    quota = b'<weblogic-jms><quota name="Q"><messages-maximum>500</messages-maximum></quota>'
    module = DOMAIN["jms/mod-jms.xml"].replace(b"<weblogic-jms>", quota).replace(b'<queue name="QA">', start)
    server = (
        b"</messages-maximum><bytes-maximum>9000</bytes-maximum><blocking-send-policy>Preemptive</blocking-send-policy>"
    )
    config = DOMAIN["config.xml"].replace(b"</messages-maximum>", server)
    scenario = parse(WEBLOGIC.read({"config.xml": config, "jms/mod-jms.xml": module}).scenario)
    first, second = (queue.settings.model_dump() for queue in scenario.queues)
    limits = ("messages_quota", "bytes_quota", "blocking_send_policy")
    assert [first[limit] for limit in limits] == [500, -1, "FIFO"]
    assert [second[limit] for limit in limits] == [5000, 9000, "Preemptive"]
    assert first[HIGH] == second[HIGH] == 1000
