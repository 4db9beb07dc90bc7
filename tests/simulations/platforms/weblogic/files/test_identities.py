"""Scripts and models made beside the domain's files: every object that they name is in those files."""

from typing import Any

import pytest
import yaml

from simulations.declarations.identity import without_identities
from simulations.platforms import PLATFORMS
from simulations.platforms.shared.family import Script
from simulations.platforms.weblogic.files.identities import OF_APPLICATION
from simulations.scenario.spec import parse

CONFIG = b"""<domain xmlns="http://xmlns.oracle.com/weblogic/domain"><name>d</name>
<server><name>ms1</name></server>
<self-tuning><work-manager><name>shared</name><target>ms1</target></work-manager></self-tuning>
<jms-system-resource><name>Claims Module</name><target>ms1</target>
<descriptor-file-name>jms/claims-jms.xml</descriptor-file-name></jms-system-resource></domain>"""
MODULE = b"""<weblogic-jms><quota name="big"><messages-maximum>900</messages-maximum></quota>
<connection-factory name="CHQueueConnectionFactory"><jndi-name>jms/cf</jndi-name></connection-factory>
<uniform-distributed-queue name="EfilingQueue"><quota>big</quota><jndi-name>jms/efiling</jndi-name>
</uniform-distributed-queue></weblogic-jms>"""
DESCRIPTOR = b"""<weblogic-ejb-jar><weblogic-enterprise-bean><ejb-name>Filing</ejb-name><message-driven-descriptor>
<destination-jndi-name>jms/efiling</destination-jndi-name><connection-factory-jndi-name>jms/cf
</connection-factory-jndi-name></message-driven-descriptor><dispatch-policy>own</dispatch-policy>
</weblogic-enterprise-bean><work-manager><name>own</name><max-threads-constraint><name>own-max</name><count>5</count>
</max-threads-constraint></work-manager></weblogic-ejb-jar>""".replace(b"\n</conn", b"</conn")
FILES = {"config.xml": CONFIG, "jms/claims-jms.xml": MODULE, "weblogic-ejb-jar.xml": DESCRIPTOR}
WEBLOGIC = PLATFORMS["weblogic"]
MANAGERS = "servers.server.settings.work_managers"
CHOSEN: dict[str, Any] = {
    "queues.Filing.settings.redelivery_limit": 4,
    "queues.Filing.settings.messages_maximum": 5,
    "queues.Filing.settings.messages_quota": 300,
    "servers.server.settings.thread_pool_maximum": 50,
}


def written(chosen: dict[str, Any]) -> dict[str, Script]:
    system = parse(WEBLOGIC.read(FILES).scenario).system
    return {item.format: item for item in WEBLOGIC.write(system, chosen, "cafe")}


def test_a_model_names_only_what_the_files_declare() -> None:
    model = yaml.safe_load(written(CHOSEN)["wdt"].apply)
    assert model == {
        "resources": {
            "JMSSystemResource": {
                "Claims Module": {
                    "JmsResource": {
                        "UniformDistributedQueue": {
                            "EfilingQueue": {"DeliveryFailureParams": {"RedeliveryLimit": 4}, "Quota": "big"}
                        },
                        "ConnectionFactory": {"CHQueueConnectionFactory": {"ClientParams": {"MessagesMaximum": 5}}},
                        "Quota": {"big": {"MessagesMaximum": 300}},
                    }
                }
            }
        },
        "topology": {"Server": {"ms1": {"SelfTuningThreadPoolSizeMax": 50}}},
    }


def test_a_script_looks_up_what_the_files_declare() -> None:
    script = written(CHOSEN)["wlst"].apply
    names = ["EfilingQueue", "CHQueueConnectionFactory", "Claims Module", "Claims Module", "ms1"]
    head = script.partition("NAMES = {")[2].partition("}")[0]
    assert [line.rpartition(": ")[2].strip(" ',") for line in head.strip().splitlines()] == names
    assert "('UniformDistributedQueue',)" in script


CLUSTER = b"""<domain xmlns="http://xmlns.oracle.com/weblogic/domain"><name>d</name>
<server><name>ms1</name><cluster>c</cluster></server><server><name>ms2</name><cluster>c</cluster></server>
<cluster><name>c</name></cluster></domain>"""
DYNAMIC = b"""<domain xmlns="http://xmlns.oracle.com/weblogic/domain"><name>d</name>
<server-template><name>tpl</name><cluster>c</cluster></server-template><cluster><name>c</name><dynamic-servers>
<server-template>tpl</server-template><dynamic-cluster-size>3</dynamic-cluster-size></dynamic-servers></cluster>
</domain>"""


@pytest.mark.parametrize(
    ("config", "expected"), [(CLUSTER, {"Server": {"ms1", "ms2"}}), (DYNAMIC, {"ServerTemplate": {"tpl"}})]
)
def test_a_setting_of_a_cluster_s_servers_is_written_to_each(config: bytes, expected: dict[str, set[str]]) -> None:
    files, path = {**FILES, "config.xml": config}, "servers.server.settings.thread_pool_maximum"
    body = WEBLOGIC.read(files).scenario
    found = {item.format: item for item in WEBLOGIC.write(parse(body).system, {path: 50}, "cafe")}
    model = yaml.safe_load(found["wdt"].apply)["topology"]
    assert {kind: set(names) for kind, names in model.items()} == expected
    assert all(f"'{kind}', '{name}'" in found["wlst"].apply for kind, names in expected.items() for name in names)
    unknown = WEBLOGIC.write(parse(without_identities(body)).system, {path: 50}, "cafe")
    for script in (text for item in unknown if item.format in ("wlst", "wdt") for text in (item.apply, item.undo)):
        assert "for each other member" in script


def test_a_constraint_of_a_model_is_of_the_kind_that_it_stands_under() -> None:
    model = b"resources:\n  SelfTuning:\n    MaxThreadsConstraint:\n      threeMax: {Count: 3}\n    WorkManager:\n"
    files = {"m.yaml": model + b"      wm: {MaxThreadsConstraint: threeMax}\n"}
    (constraint,) = WEBLOGIC.read(files).scenario["servers"][0]["settings"]["constraints"]
    assert (constraint["identity"]["name"], constraint["identity"]["kind"]) == ("threeMax", "MaxThreadsConstraint")


def test_without_identities_a_model_asks_for_every_name() -> None:
    system = parse(without_identities(WEBLOGIC.read(FILES).scenario)).system
    found = {item.format: item for item in WEBLOGIC.write(system, CHOSEN, "cafe")}
    model = yaml.safe_load(found["wdt"].apply)
    for names in (model["resources"]["JMSSystemResource"], model["topology"]["Server"]):
        assert all(name.startswith("@@PROP:") for name in names)
    assert "-variable_file" in found["wdt"].apply
    assert "'factory of Filing': ''" in found["wlst"].apply


def test_a_constraint_of_a_descriptor_is_no_change_of_the_domain() -> None:
    system = parse(WEBLOGIC.read(FILES).scenario).system
    held = system.servers[0].settings.model_dump()["work_managers"]
    own = [{**item, "max_threads": 9} if item["name"] == "own" else item for item in held]
    found = written({MANAGERS: own, "queues.Filing.settings.redelivery_limit": 4})
    for name in ("wlst", "wdt"):
        assert (found[name].left_out, found[name].reasons) == ((MANAGERS,), {MANAGERS: OF_APPLICATION})
    assert "Tuned" not in found["wlst"].apply.partition("STEPS = [")[2].partition("\n]")[0]
    assert "SelfTuning" not in yaml.safe_load(found["wdt"].apply)["resources"]
    assert written({MANAGERS: own})["wlst"].left_out == (MANAGERS,)
    assert WEBLOGIC.patch
    (script,) = WEBLOGIC.patch(FILES, system, {MANAGERS: own}, "cafe").scripts
    assert (script.filename, "<count>9</count>" in script.apply) == ("weblogic-ejb-jar.xml", True)


def test_a_work_manager_of_the_domain_is_changed_there() -> None:
    system = parse(WEBLOGIC.read(FILES).scenario).system
    held = system.servers[0].settings.model_dump()["work_managers"]
    shared = [{**item, "max_threads": 9} if item["name"] == "shared" else item for item in held]
    model = yaml.safe_load(written({MANAGERS: shared})["wdt"].apply)
    assert model["resources"]["SelfTuning"]["MaxThreadsConstraint"]["shared-MaxThreadsConstraint"] == {
        "Target": "ms1",
        "Count": 9,
    }
