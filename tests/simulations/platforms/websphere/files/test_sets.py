"""Sets of WebSphere's files: server.xml of version 5 inside another element, and bindings beside a server.xml."""

import pytest

from planner.configuration.importing import configuration_read
from simulations.platforms import PLATFORMS
from simulations.scenario.spec import parse

PORTS = """<process:Server xmlns:process="urn:process" name="s1">
<services type="msg:MessageListenerService"><listenerPorts name="Orders" maxSessions="7"/>%s</services></process:Server>
"""
OF_5 = """<?xml version="1.0"?>
<xmi:XMI xmi:version="2.0" xmlns:xmi="http://www.omg.org/XMI">
%s<process:Other xmlns:process="urn:process"/></xmi:XMI>"""
ZOS = '<properties name="MDB.THROTTLE.THRESHOLD.LOW.EQUALS.HIGH" value="true"/>'
BINDINGS = {
    "ibm-ejb-jar-bnd.xmi": b'<ejbbnd:EJBJarBinding xmlns:ejbbnd="ejbbnd.xmi"><a/></ejbbnd:EJBJarBinding>',
    "ibm-ejb-jar-bnd.xml": b'<ejb-jar-bnd xmlns="urn:javaee"><message-driven name="B"/></ejb-jar-bnd>',
}


@pytest.mark.parametrize(("properties", "platform"), [("", "websphere"), (ZOS, "websphere-zos")])
def test_a_server_inside_an_xmi_element_is_read(properties: str, platform: str) -> None:
    reading = configuration_read({"server.xml": (OF_5 % (PORTS % properties)).encode()})
    queue = reading.spec.queues[0]
    assert (reading.spec.platform, queue.name, queue.server) == (platform, "Orders", "s1")
    assert queue.settings.model_dump()["maximum_sessions"] == 7
    assert [item.line for item in reading.account if "listener port" in item.message and item.file] == [4]


@pytest.mark.parametrize("name", BINDINGS)
@pytest.mark.parametrize(("properties", "platform"), [("", "websphere"), (ZOS, "websphere-zos")])
def test_bindings_beside_a_server_are_set_aside_with_a_line(name: str, properties: str, platform: str) -> None:
    reading = configuration_read({name: BINDINGS[name], "server.xml": (PORTS % properties).encode()})
    assert (reading.spec.platform, [queue.name for queue in reading.spec.queues]) == (platform, ["Orders"])
    told = [item for item in reading.account if item.file == name and item.message.startswith("set aside")]
    assert [(item.status, item.line) for item in told] == [("ignored", 1)]


def test_a_server_of_version_5_can_be_patched() -> None:
    family, files = PLATFORMS["websphere"], {"server.xml": (OF_5 % (PORTS % "")).encode()}
    system = parse(family.read(files).scenario).system
    assert family.patch is not None
    patched = family.patch(files, system, {"queues.Orders.settings.maximum_sessions": 9}, "cafe")
    again = family.read({"server.xml": patched.scripts[0].apply.encode()}).scenario
    assert again["queues"][0]["settings"] == {"maximum_sessions": 9}
    assert patched.scripts[0].undo.encode() == files["server.xml"]


def test_of_several_servers_the_one_that_gets_the_activation_specifications_is_named() -> None:
    files = {f"{name}.xml": (PORTS % "").replace("s1", name).encode() for name in ("s1", "s2")}
    specs = b'<xmi:XMI xmlns:xmi="http://www.omg.org/XMI"><j2cActivationSpec name="A"/></xmi:XMI>'
    account = PLATFORMS["websphere"].read({**files, "resources.xml": specs}).account
    (line,) = [item for item in account if item.path == "servers.s1" and item.status == "unresolved"]
    assert line.message.endswith("activation specifications run: s1 counts, not s2")


def test_activation_specifications_belong_to_the_server_of_their_folder() -> None:
    files = {f"servers/{name}/server.xml": (PORTS % "").replace("s1", name).encode() for name in ("s1", "s2")}
    specs = b'<xmi:XMI xmlns:xmi="http://www.omg.org/XMI"><j2cActivationSpec name="A"/></xmi:XMI>'
    reading = PLATFORMS["websphere"].read({**files, "servers/s2/resources.xml": specs})
    assert {queue["name"]: queue["server"] for queue in reading.scenario["queues"]}["A"] == "s2"
    assert not [item for item in reading.account if item.status == "unresolved"]
    elsewhere = PLATFORMS["websphere"].read({**files, "servers/s3/resources.xml": specs})
    assert "A" not in {queue["name"] for queue in elsewhere.scenario["queues"]}
    assert "its folder is that of no server that is imported" in {item.message for item in elsewhere.account}
