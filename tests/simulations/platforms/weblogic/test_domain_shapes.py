"""Domains as they come: clusters that make their servers, lists of targets, templates, several factories."""

import pytest

from simulations.platforms import PLATFORMS
from simulations.platforms.shared.family import Reading
from simulations.scenario.spec import ScenarioSpec, parse

WEBLOGIC = PLATFORMS["weblogic"]
MODEL = b"""topology:
  Cluster:
    c1:
      DynamicServers: {ServerTemplate: t1, DynamicClusterSize: 4, MaxDynamicClusterSize: 8}
    other:
      DynamicServers: {DynamicClusterSize: 3}
  Server:
    admin: {SelfTuningThreadPoolSizeMin: 9}
  ServerTemplate:
    t1: {Cluster: c1, SelfTuningThreadPoolSizeMin: 20}
resources:
  JMSServer:
    j: {Target: [c1]}
"""
CONFIG = b"""<domain xmlns="http://xmlns.oracle.com/weblogic/domain">
<server><name>admin</name><self-tuning-thread-pool-size-min>9</self-tuning-thread-pool-size-min></server>
<server-template><name>t1</name><self-tuning-thread-pool-size-min>20</self-tuning-thread-pool-size-min></server-template>
<cluster><name>c1</name><dynamic-servers><server-template>t1</server-template>
<maximum-dynamic-server-count>4</maximum-dynamic-server-count></dynamic-servers></cluster>
</domain>"""


def read(file: str, content: bytes) -> tuple[Reading, ScenarioSpec]:
    reading = WEBLOGIC.read({file: content})
    return reading, parse(reading.scenario)


@pytest.mark.parametrize(("file", "content"), [("m.yaml", MODEL), ("config.xml", CONFIG)])
def test_a_cluster_that_makes_its_servers_has_as_many_as_it_says(file: str, content: bytes) -> None:
    _, spec = read(file, content)
    assert spec.servers[0].instances == 4
    assert spec.servers[0].settings.model_dump()["thread_pool_minimum"] == 20


def test_a_size_that_is_filled_in_is_open() -> None:
    reading, spec = read("m.yaml", MODEL.replace(b"4, Max", b"'@@PROP:SIZE@@', Max").replace(b"3}", b"0}"))
    assert spec.servers[0].instances == 1
    assert [item.line for item in reading.account if item.status == "unresolved"] == [4]


WORK = b"""resources:
  SelfTuning:
    MaxThreadsConstraint:
      most: {Target: ['c1', c2], Count: 5}
      '!gone':
    WorkManager:
      '!old':
      wm:
        Target:
          - c1
        MaxThreadsConstraint: most
"""


def test_lists_of_targets_are_read_and_deleted_objects_are_not() -> None:
    reading, spec = read("m.yaml", WORK)
    managers = spec.servers[0].settings.model_dump()["work_managers"]
    assert [(item["name"], item["max_threads"]) for item in managers] == [("wm", "most")]
    ignored = {item.path for item in reading.account if item.status == "ignored"}
    assert {path.rpartition(".")[2] for path in ignored} == {"!gone", "!old"}
    assert [item.message for item in reading.account if item.message.startswith("runs on")] == ["runs on c1"]


MODULE = b"""<weblogic-jms>
<quota name="small"><messages-maximum>70</messages-maximum></quota>
<template name="T"><thresholds><messages-high>40</messages-high><messages-low>10</messages-low></thresholds>
<delivery-failure-params><redelivery-limit>5</redelivery-limit></delivery-failure-params><quota>small</quota></template>
<queue name="own"><template>T</template>
<delivery-failure-params><redelivery-limit>2</redelivery-limit></delivery-failure-params></queue>
<queue name="plain"><template>T</template></queue>
<queue name="lost"><template>missing</template></queue>
</weblogic-jms>"""


def test_a_template_gives_what_a_destination_leaves_out() -> None:
    reading, spec = read("m-jms.xml", MODULE)
    found = {queue.name: queue.settings.model_dump() for queue in spec.queues}
    names = ("redelivery_limit", "messages_threshold_high", "messages_quota")
    assert [tuple(found[queue][name] for name in names) for queue in ("own", "plain")] == [(2, 40, 70), (5, 40, 70)]
    assert [item.line for item in reading.account if item.status == "unresolved"] == [8]


def test_a_setting_of_a_template_is_changed_at_one_destination_only() -> None:
    files = {"m-jms.xml": MODULE}
    spec = parse(WEBLOGIC.read(files).scenario)
    assert WEBLOGIC.patch
    done = WEBLOGIC.patch(files, spec.system, {"queues.plain.settings.redelivery_limit": 8}, "cafe")
    after = parse(WEBLOGIC.read({"m-jms.xml": done.scripts[0].apply.encode()}).scenario)
    found = {queue.name: queue.settings.model_dump()["redelivery_limit"] for queue in after.queues}
    assert (found["own"], found["plain"]) == (2, 8)
    assert "<redelivery-limit>5</redelivery-limit>" in done.scripts[0].apply


FACTORIES = b"""<weblogic-jms>
<connection-factory name="A"><client-params><messages-maximum>1</messages-maximum></client-params></connection-factory>
%s<queue name="Q"/></weblogic-jms>"""


def test_settings_of_several_factories_are_open_without_a_bean() -> None:
    reading, spec = read("m-jms.xml", FACTORIES % b'<connection-factory name="B"/>\n')
    assert spec.queues[0].settings.model_dump()["messages_maximum"] == 10
    assert [item.line for item in reading.account if item.status == "unresolved"] == [2, 3]
    _, alone = read("m-jms.xml", FACTORIES % b"")
    assert alone.queues[0].settings.model_dump()["messages_maximum"] == 1


def test_the_server_s_own_work_managers_are_not_taken_for_the_bean_s() -> None:
    content = (
        b'<domain xmlns="weblogic"><self-tuning><work-manager><name>weblogic.wsee.mdb.DispatchPolicy</name>'
        b"</work-manager>%s</self-tuning></domain>"
    )
    for more, name in ((b"", "default"), (b"<work-manager><name>mine</name></work-manager>", "mine")):
        _, spec = read("config.xml", content % more)
        assert spec.queues[0].settings.model_dump()["work_manager"] == name


def test_a_work_manager_that_no_bean_names_is_said() -> None:
    manager = b"<work-manager>\n<name>%s</name></work-manager>"
    bean = b"<weblogic-enterprise-bean><ejb-name>B</ejb-name><dispatch-policy>a</dispatch-policy>"
    content = b"<weblogic-ejb-jar>%s</weblogic-enterprise-bean>%s%s</weblogic-ejb-jar>" % (
        bean,
        manager % b"a",
        manager % b"b",
    )
    reading, _ = read("w.xml", content)
    said = [(item.path.rpartition(".")[2], item.line) for item in reading.account if "dispatch-policy" in item.message]
    assert said == [("b", 2)]


def test_an_error_destination_with_a_dot_gets_no_bean() -> None:
    module = (
        b'<weblogic-jms><queue name="shop.orders"><delivery-failure-params><error-destination>shop.errors'
        b'</error-destination></delivery-failure-params></queue><queue name="shop.errors"/></weblogic-jms>'
    )
    _, spec = read("m-jms.xml", module)
    assert [queue.name for queue in spec.queues] == ["shop.orders"]


def test_the_default_work_manager_has_the_beans_without_a_dispatch_policy() -> None:
    bean = "<weblogic-enterprise-bean><ejb-name>A</ejb-name></weblogic-enterprise-bean>"
    for name, unused in (("default", False), ("other", True)):
        manager = f"<work-manager><name>{name}</name></work-manager>"
        reading = WEBLOGIC.read(
            {"weblogic-ejb-jar.xml": f"<weblogic-ejb-jar>{bean}{manager}</weblogic-ejb-jar>".encode()}
        )
        assert any("dispatch-policy" in item.message for item in reading.account) == unused
