"""The server.xml of WebSphere with its listener service: read, patched, and written for wsadmin."""

from typing import Any

import pytest

from simulations.platforms.shared.family import Patched
from simulations.platforms.websphere import WEBSPHERE
from simulations.platforms.websphere.parameters import ServerSettings
from simulations.scenario.spec import parse
from tests.simulations.platforms.consoles import Wsadmin

SERVER_XML = b"""<?xml version="1.0" encoding="UTF-8"?>
<process:Server xmlns:process="http://www.ibm.com/websphere/appserver/schemas/5.0/process.xmi"
 xmlns:xmi="http://www.omg.org/XMI" xmlns:l="http://www.ibm.com/listener.xmi" name="server1">
 <components xmi:type="applicationserver:ApplicationServer">
  <services xmi:type="applicationserver:TransactionService" totalTranLifetimeTimeout="90"/>
  <services xmi:type="l:MessageListenerService">
   <threadPool maximumSize="30" name="Message.Listener.Pool"/>
   <properties name="NON.ASF.RECEIVE.TIMEOUT" value="60000"/>
   <properties name="SERVER.SESSION.POOL.REAP.TIME" value="250"/>
   <properties name="SERVER.SESSION.POOL.UNUSED.TIMEOUT.Orders" value="30"/>
   <listenerPorts name="Orders" maxSessions="5" maxRetries="x" maxMessages="2" destinationJNDIName="jms/orders"/>
  </services>
 </components>
</process:Server>
"""


def test_server_xml_becomes_a_server_and_its_ports() -> None:
    reading = WEBSPHERE.read({"server.xml": SERVER_XML})
    spec = parse(reading.scenario)
    settings = spec.queues[0].settings.model_dump()
    server = ServerSettings(listener_pool_maximum=30, total_transaction_timeout=90.0)
    assert spec.servers[0].settings == server
    assert (settings["mode"], settings["receive_timeout"], settings["maximum_sessions"]) == ("non_asf", 60.0, 5)
    lines = {(item.status, item.line) for item in reading.account if item.file}
    assert ("understood", 5) in lines
    assert ("contradictory", 11) in lines, "a number that is none is named"
    assert (settings["session_reap_time"], settings["session_unused_timeout"]) == (250.0, 30.0)
    assert not {("ignored", 9), ("ignored", 10)} & lines, "what is kept is not called ignored"
    verdicts = {item.rule: item.status for item in spec.family.derive(spec.system).findings}
    assert verdicts["websphere.session-pool-properties-ignored"] == "ignored", "a rule says that it does nothing"


SERVICE_XML = b"""<?xml version="1.0" encoding="UTF-8"?>
<process:Server xmlns:process="http://www.ibm.com/websphere/appserver/schemas/5.0/process.xmi"
 xmlns:xmi="http://www.omg.org/XMI" xmlns:l="http://www.ibm.com/listener.xmi" name="server1">
 <components xmi:type="applicationserver:ApplicationServer">
  <services xmi:type="applicationserver:TransactionService" propogatedOrBMTTranLifetimeTimeout="200"/>
  <services xmi:type="l:MessageListenerService">
   <threadPool minimumSize="4" inactivityTimeout="7000" isGrowable="true" name="Message.Listener.Pool"/>
   <properties name="MAX.RECOVERY.RETRIES" value="8"/>
   <properties name="RECOVERY.RETRY.INTERVAL" value="30"/>
   <properties name="MQJMS.POOLING.TIMEOUT" value="60000"/>
   <properties name="MQJMS.POOLING.THRESHOLD" value="3"/>
   <properties name="DYNAMIC.CONFIGURATION.ENABLED" value="true"/>
   <properties name="SERVER.SESSION.POOL.REAP" value="50"/>
   <properties name="SERVER.SESSION.POOL.UNUSED.TIMEOUT" value="100"/>
   <properties name="SERVER.SESSION.POOL.UNUSED.TIMEOUT.Bills" value="0"/>
   <listenerPorts name="Orders" maxSessions="5"><stateManagement initialState="STOP"/></listenerPorts>
   <listenerPorts name="Bills" maxSessions="5"/>
  </services>
 </components>
</process:Server>
"""
READ_SERVER = {
    "maximum_transaction_timeout": 200.0,
    "listener_pool_minimum": 4,
    "listener_pool_inactivity": 7.0,
    "listener_pool_growable": True,
    "recovery_retries": 8,
    "recovery_interval": 30.0,
    "pooling_timeout": 60.0,
    "pooling_threshold": 3,
    "dynamic_configuration": True,
}


def test_properties_of_the_listener_service_are_read() -> None:
    reading = WEBSPHERE.read({"server.xml": SERVICE_XML})
    spec = parse(reading.scenario)
    assert spec.servers[0].settings.model_dump() | READ_SERVER == spec.servers[0].settings.model_dump()
    ports = {queue.name: queue.settings.model_dump() for queue in spec.queues}
    assert [ports[name]["initial_state"] for name in ("Orders", "Bills")] == ["STOP", "START"]
    assert [ports[name]["session_unused_timeout"] for name in ("Orders", "Bills")] == [100.0, 0.0]
    assert {port["session_reap_time"] for port in ports.values()} == {50.0}, "both spellings of the reaper are read"
    ignored = {line.message for line in reading.account if line.status in ("ignored", "contradictory")}
    assert ignored == {"not used: type", "not used: name"}, "everything but names of kinds is understood"


def text_of(patched: Patched) -> bytes:
    """The one file that was patched, with nothing refused."""
    assert not patched.refused
    return patched.scripts[0].apply.encode()


CHANGED: dict[str, Any] = {
    "servers.server1.settings.maximum_transaction_timeout": 250.0,
    "servers.server1.settings.listener_pool_minimum": 5,
    "servers.server1.settings.listener_pool_inactivity": 9.0,
    "servers.server1.settings.listener_pool_growable": False,
    "servers.server1.settings.recovery_retries": 9,
    "servers.server1.settings.recovery_interval": 45.0,
    "servers.server1.settings.pooling_timeout": 90.0,
    "servers.server1.settings.pooling_threshold": 6,
    "servers.server1.settings.dynamic_configuration": False,
    "queues.Orders.settings.initial_state": "START",
    "queues.Orders.settings.session_unused_timeout": 70.0,
    "queues.Bills.settings.session_unused_timeout": 80.0,
    "queues.Orders.settings.session_reap_time": 20.0,
    "queues.Bills.settings.session_reap_time": 20.0,
}


def test_properties_of_the_listener_service_are_patched_and_read_back() -> None:
    assert WEBSPHERE.patch
    system = parse(WEBSPHERE.read({"server.xml": SERVICE_XML}).scenario).system
    patched = WEBSPHERE.patch({"server.xml": SERVICE_XML}, system, CHANGED, "0123abcd")
    after = parse(WEBSPHERE.read({"server.xml": text_of(patched)}).scenario).system
    values = {
        **{f"servers.server1.settings.{key}": value for key, value in after.servers[0].settings.model_dump().items()},
        **{
            f"queues.{queue.name}.settings.{key}": value
            for queue in after.queues
            for key, value in queue.settings.model_dump().items()
        },
    }
    assert {path: values[path] for path in CHANGED} == CHANGED


def test_properties_that_a_file_lacks_are_added() -> None:
    assert WEBSPHERE.patch
    system = parse(WEBSPHERE.read({"server.xml": SERVER_XML}).scenario).system
    wanted = {"servers.server1.settings.recovery_retries": 7, "queues.Orders.settings.initial_state": "STOP"}
    patched = WEBSPHERE.patch({"server.xml": SERVER_XML}, system, wanted, "0123abcd")
    content = text_of(patched)
    assert b'name="MAX.RECOVERY.RETRIES" value="7"' in content
    assert b'<stateManagement initialState="STOP"/>' in content
    after = parse(WEBSPHERE.read({"server.xml": content}).scenario).system
    assert after.servers[0].settings.model_dump()["recovery_retries"] == 7
    assert after.queues[0].settings.model_dump()["initial_state"] == "STOP"


def test_new_settings_are_written_for_wsadmin() -> None:
    system = parse(WEBSPHERE.read({"server.xml": SERVICE_XML}).scenario).system
    script = next(item for item in WEBSPHERE.write(system, CHANGED, "0123abcd") if item.format == "wsadmin")
    assert not script.left_out
    console = Wsadmin()
    console.server("server1", "Orders", "Bills")
    console.run(script.undo, anyway=True)
    console.run(script.apply)
    values = [value for held in console.snapshot().values() for value in held.items()]
    assert ("initialState", "START") in values
    assert ("inactivityTimeout", "9000") in values
    assert {"name": "MQJMS.POOLING.TIMEOUT", "value": "90000"} in console.snapshot().values()
    assert {"name": "DYNAMIC.CONFIGURATION.ENABLED", "value": "false"} in console.snapshot().values()
    unused = {held["name"]: held["value"] for held in console.snapshot().values() if "UNUSED" in str(held)}
    own = "SERVER.SESSION.POOL.UNUSED.TIMEOUT"
    assert unused == {f"{own}.Orders": "70", f"{own}.Bills": "80"}, "each port has its own"


def test_a_mode_that_one_port_alone_would_have_is_not_written() -> None:
    system = parse(WEBSPHERE.read({"server.xml": SERVICE_XML}).scenario).system
    switch = {"mode": "non_asf", "receive_timeout": 60.0}
    one, both = (
        {f"queues.{name}.settings.{key}": value for name in names for key, value in switch.items()}
        for names in (("Orders",), ("Orders", "Bills"))
    )
    more = {"queues.Orders.settings.maximum_sessions": 7}
    scripts = (WEBSPHERE.write(system, {**chosen, **more}, "0123abcd") for chosen in (one, both))
    alone, together = (next(item for item in found if item.format == "wsadmin") for found in scripts)
    assert set(alone.left_out) == set(one)
    assert all(f"they differ: {path}" in alone.apply for path in one)
    assert together.left_out == ()


@pytest.mark.parametrize(
    ("total", "most", "expected"),
    [
        ("0", "200", {"total_transaction_timeout": 200, "maximum_transaction_timeout": 200}),
        ("0", "0", {}),
        ("90", "0", {"total_transaction_timeout": 90}),
        ("90", "200", {"total_transaction_timeout": 90, "maximum_transaction_timeout": 200}),
    ],
)
def test_a_transaction_timeout_of_0_is_the_maximum_or_none(total: str, most: str, expected: dict[str, int]) -> None:
    old = b'propogatedOrBMTTranLifetimeTimeout="200"'
    new = b'totalTranLifetimeTimeout="%s" propogatedOrBMTTranLifetimeTimeout="%s"' % (total.encode(), most.encode())
    files = {"server.xml": SERVICE_XML.replace(old, new)}
    reading = WEBSPHERE.read(files)
    found = reading.scenario["servers"][0]["settings"]
    assert {key: value for key, value in found.items() if "transaction_timeout" in key} == expected
    assert not [line for line in reading.account if line.status == "contradictory"]
    open_ends = {line.path for line in reading.account if line.status == "unresolved"}
    assert len(open_ends) == 2 - len(expected)
    chosen = {
        f"servers.server1.settings.{key}": 400.0 for key in ("total_transaction_timeout", "maximum_transaction_timeout")
    }
    system = parse(reading.scenario).system
    assert WEBSPHERE.patch
    refused = WEBSPHERE.patch(files, system, chosen, "cafe").refused
    assert refused == dict.fromkeys(open_ends, "the file says 0: no limit")
    console = Wsadmin()
    console.server("server1", "Orders", "Bills")
    service = next(key for key, kind in console.kinds.items() if kind == "TransactionService")
    console.attributes[service] = {"totalTranLifetimeTimeout": total, "propogatedOrBMTTranLifetimeTimeout": most}
    script = next(item for item in WEBSPHERE.write(system, chosen, "cafe") if item.format == "wsadmin")
    assert "DIFFERS" not in console.run(script.apply)
    assert set(console.attributes[service].values()) == {"400"}
