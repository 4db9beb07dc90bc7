"""Several files of a cell as one scenario, on z/OS and elsewhere."""

import pytest

from simulations.platforms import PLATFORMS
from simulations.platforms.shared.family import Reading

FAMILIES = ("websphere", "websphere-zos")
SERVER = """<process:Server xmlns:process="p" xmlns:xmi="http://www.omg.org/XMI" name="{name}">
<services xmi:type="msg:MessageListenerService"><listenerPorts name="orders" maxSessions="{sessions}"/></services>
<services xmi:type="t:TransactionService" totalTranLifetimeTimeout="{timeout}"/></process:Server>"""
SPECS = """<xmi:XMI xmlns:xmi="http://www.omg.org/XMI"><resources.j2c:J2CResourceAdapter xmlns:resources.j2c="j"
name="{adapter}"><j2cActivationSpec name="in"><resourceProperties name="maxPoolDepth" value="7"/></j2cActivationSpec>
</resources.j2c:J2CResourceAdapter></xmi:XMI>"""


def read(platform: str, files: dict[str, str]) -> Reading:
    return PLATFORMS[platform].read({file: text.encode() for file, text in files.items()})


def two_nodes(*nodes: str) -> dict[str, str]:
    return {
        f"cells/main/nodes/{node}/servers/s1/server.xml": SERVER.format(name="s1", sessions=number, timeout=60 + number)
        for number, node in enumerate(nodes, 1)
    }


@pytest.mark.parametrize("platform", FAMILIES)
def test_servers_of_one_name_on_two_nodes_are_two_servers(platform: str) -> None:
    scenario = read(platform, two_nodes("east", "west")).scenario
    servers = {item["name"]: item for item in scenario["servers"]}
    assert servers.keys() == {"s1", "s1 west"}
    assert [item["settings"]["total_transaction_timeout"] for item in servers.values()] == [61, 62]
    assert [item["identity"]["name"] for item in servers.values()] == ["s1", "s1"]
    assert [item["identity"]["parent"] for item in servers.values()] == ["main/east", "main/west"]
    queues = {item["server"]: item for item in scenario["queues"]}
    assert {name: item["settings"]["maximum_sessions"] for name, item in queues.items()} == {"s1": 1, "s1 west": 2}
    assert {item["identity"]["parent"] for item in queues.values()} == {"s1"}


@pytest.mark.parametrize("platform", FAMILIES)
def test_specifications_of_several_servers_belong_to_the_first_which_is_said(platform: str) -> None:
    files = {**two_nodes("east", "west"), "resources.xml": SPECS.format(adapter="WebSphere MQ Resource Adapter")}
    reading = read(platform, files)
    spec = next(item for item in reading.scenario["queues"] if item["name"] == "in")
    assert (spec["server"], spec["settings"]["maximum_server_sessions"]) == ("s1", 7)
    assert any("no file says on which server" in line.message for line in reading.account)


@pytest.mark.parametrize("platform", FAMILIES)
def test_an_unknown_adapter_is_said(platform: str) -> None:
    reading = read(platform, {"resources.xml": SPECS.format(adapter="SonicRA")})
    (line,) = [line for line in reading.account if "SonicRA" in line.message]
    assert (line.status, line.path) == ("unresolved", "queues.in")
