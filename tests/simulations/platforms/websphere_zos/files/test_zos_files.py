"""server.xml, variables.xml and was.env of WebSphere for z/OS."""

from collections import Counter

import pytest

from planner.configuration.importing import configuration_read, platform_of
from simulations.declarations.problems import InvalidInput

SERVER = b"""<?xml version="1.0"?>
<process:Server xmlns:process="p" xmlns:xmi="http://www.omg.org/XMI" name="SRV1">
  <components><services xmi:type="l:MessageListenerService">
    <properties name="MDB.THROTTLE.THRESHOLD.LOW.EQUALS.HIGH" value="true"/>
    <properties name="ENABLE.ZOS.LP.RECOVERY" value="1"/>
    <properties name="MAX.RECOVERY.RETRIES" value="7"/>
    <listenerPorts name="orders" maxSessions="100" maxRetries="3" maxMessages="1"/>
    <listenerPorts name="events" maxSessions="40"/>
  </services></components>
  <services xmi:type="s:TransactionService" totalTranLifetimeTimeout="90"/>
  <serverInstance minimumNumOfInstances="2" maximumNumberOfInstances="3" enableMultipleServerInstances="true"/>
</process:Server>
"""
VARIABLES = b"""<variables:VariableMap xmlns:variables="v">
  <entries symbolicName="server_region_workload_profile" value="cpubound"/>
  <entries symbolicName="control_region_mdb_request_timeout" value="30"/>
  <entries symbolicName="control_region_timeout_save_last_servant" value="1"/>
  <entries symbolicName="USER_HOME" value="/u/x"/>
</variables:VariableMap>
"""


def test_server_and_variables_make_one_scenario_with_every_line_accounted_for() -> None:
    reading = configuration_read({"server.xml": SERVER, "variables.xml": VARIABLES})
    server, (orders, events) = reading.spec.servers[0], reading.spec.queues
    found = server.settings.model_dump()
    expected = {
        "min_servants": 2,
        "max_servants": 3,
        "workload_profile": "CPUBOUND",
        "mdb_request_timeout": 30.0,
        "save_last_servant": True,
        "total_transaction_timeout": 90.0,
        "zos_recovery": True,
        "recovery_retries": 7,
    }
    assert reading.spec.platform == "websphere-zos"
    assert {name: found[name] for name in expected} == expected
    assert orders.settings.model_dump()["maximum_sessions"] == 100
    assert orders.settings.model_dump()["maximum_retries"] == 3
    assert [queue.settings.model_dump()["low_equals_high"] for queue in (orders, events)] == [True, True]
    ignored = [line.message for line in reading.account if line.status == "ignored" and line.line]
    assert any("maxMessages" in message for message in ignored)
    assert Counter(line.file for line in reading.account if line.status == "ignored")["variables.xml"] == 1


def test_an_environment_file_alone_sets_what_it_names() -> None:
    lines = (b"# comment", b"server_region_workload_profile=CUSTOM", b"servant_region_custom_thread_count=12")
    reading = configuration_read({"was.env": b"\n".join((*lines, b"wlm_maximumSRCount=4", b""))})
    found = reading.spec.servers[0].settings.model_dump()
    assert (found["workload_profile"], found["custom_threads"], found["max_servants"]) == ("CUSTOM", 12, 4)


def test_a_value_that_the_platform_forbids_is_said_and_the_default_counts() -> None:
    text = VARIABLES.replace(b'"30"', b'"soon"').replace(b"cpubound", b"FASTEST")
    reading = configuration_read({"variables.xml": text})
    said = [line.path for line in reading.account if line.status == "contradictory"]
    assert [path.rsplit(".", 1)[-1] for path in said] == ["mdb_request_timeout", "workload_profile"]
    assert reading.spec.servers[0].settings.model_dump()["workload_profile"] == "IOBOUND"


def test_only_marks_of_zos_make_a_server_file_one_of_zos() -> None:
    plain = SERVER.replace(b"MDB.THROTTLE.THRESHOLD.LOW.EQUALS.HIGH", b"X").replace(b"ENABLE.ZOS.LP.RECOVERY", b"Y")
    plain = plain.replace(b"minimumNumOfInstances", b"a").replace(b"enableMultipleServerInstances", b"b")
    assert platform_of({"server.xml": SERVER}).name == "websphere-zos"
    assert platform_of({"server.xml": plain}).name == "websphere"
    with pytest.raises(InvalidInput, match="choose one of"):
        platform_of({"server.xml": plain, "variables.xml": VARIABLES})
    assert (
        configuration_read({"s.xml": plain, "v.xml": VARIABLES}, platform="websphere-zos").spec.servers[0].name
        == "SRV1"
    )


def test_another_document_is_refused_with_its_root() -> None:
    with pytest.raises(InvalidInput, match="the root is <beans>"):
        configuration_read({"x.xml": b"<beans/>"}, platform="websphere-zos")


TIMEOUT = '<variables:VariableMap xmlns:variables="v"><entries symbolicName="{}" value="{}"/></variables:VariableMap>'
NODE = "cells/c/nodes/n"


def test_a_variable_counts_for_the_servers_of_its_folder_and_a_narrow_one_before_a_wide_one() -> None:
    servers = {"a": b"", "b": b' clusterName="k"', "d": b""}
    values = {
        "cells/c": 200,
        "cells/c/clusters/k": 90,
        "cells/c/clusters/other": 91,
        NODE: 150,
        f"{NODE}/servers/a": 60,
        f"{NODE}/servers/gone": 61,
    }
    files = {
        f"{NODE}/servers/{name}/server.xml": SERVER.replace(b' name="SRV1"', b' name="%s"%s' % (name.encode(), more))
        for name, more in servers.items()
    }
    files |= {
        f"{folder}/variables.xml": TIMEOUT.format("control_region_mdb_request_timeout", value).encode()
        for folder, value in values.items()
    }
    for order in (files, dict(reversed(files.items()))):
        reading = configuration_read(order)
        found = {item.name: item.settings.model_dump()["mdb_request_timeout"] for item in reading.spec.servers}
        assert found == {"a": 60.0, "b": 90.0, "d": 150.0}
        assert not [line for line in reading.account if line.status in ("contradictory", "unresolved")]
        said = {(line.file, line.message) for line in reading.account if line.status == "ignored"}
        assert ("cells/c/variables.xml", f"60 of {NODE}/servers/a/variables.xml:1, of a narrower scope, counts") in said
        for folder in ("cells/c/clusters/other", f"{NODE}/servers/gone"):
            assert (f"{folder}/variables.xml", "its folder is that of no server that is imported") in said


@pytest.mark.parametrize(
    ("environment", "most"), [(b"", 2), (b"wlm_maximumSRCount=0", 2), (b"wlm_maximumSRCount=4", 4)]
)
def test_no_limit_of_instances_is_left_to_be_entered_and_keeps_the_minimum(environment: bytes, most: int) -> None:
    server = SERVER.replace(b'maximumNumberOfInstances="3"', b'maximumNumberOfInstances="0"')
    reading = configuration_read({"server.xml": server, "was.env": b"wlm_minimumSRCount=2\n" + environment})
    found = reading.spec.servers[0].settings.model_dump()
    assert (found["min_servants"], found["max_servants"]) == (2, most)
    (line, *_) = [line for line in reading.account if line.status in ("contradictory", "unresolved")]
    assert (line.status, line.path, line.line) == ("unresolved", "servers.SRV1.settings.max_servants", 11)
    assert "no limit" in line.message


@pytest.mark.parametrize(("most", "installed"), [(b"0", "0"), (b"3", "3")])
def test_what_the_file_does_not_limit_is_what_a_script_expects_and_puts_back(most: bytes, installed: str) -> None:
    server = SERVER.replace(b'maximumNumberOfInstances="3"', b'maximumNumberOfInstances="%s"' % most)
    spec = configuration_read({"server.xml": server}).spec
    scripts = spec.family.write(spec.system, {"servers.SRV1.settings.max_servants": 9}, "cafe")
    (script,) = [item for item in scripts if item.format == "wsadmin"]
    assert f"'maximumNumberOfInstances',), ('{installed}',), '9')" in script.apply
    assert f"'maximumNumberOfInstances',), ('9',), '{installed}')" in script.undo
