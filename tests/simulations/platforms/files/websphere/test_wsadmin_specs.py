"""Activation specifications in files and scripts: made of a port, taken away again, read beside ports."""

from typing import Any

import pytest

from simulations.platforms import PLATFORMS
from simulations.platforms.shared.family import Script
from simulations.scenario.spec import parse
from tests.simulations.platforms.consoles import Wsadmin
from tests.simulations.platforms.samples import scenario_body, status_of

ZOS, WAS = PLATFORMS["websphere-zos"], PLATFORMS["websphere"]
SPEC = {"mode": "activation_spec"}


def wsadmin(platform: str, queue: dict[str, Any], chosen: dict[str, Any]) -> Script:
    paths = {f"queues.orders.settings.{name}": value for name, value in chosen.items()}
    found = PLATFORMS[platform].write(parse(scenario_body(platform, queue=queue)).system, paths, "cafe")
    return next(item for item in found if item.format == "wsadmin")


@pytest.mark.parametrize(
    ("platform", "switch", "before"),
    [
        ("websphere", "mode", {}),
        ("websphere", "mode", {"mode": "non_asf", "receive_timeout": 100.0}),
        ("websphere-zos", "endpoint", {}),
    ],
)
def test_a_script_makes_the_spec_of_a_port_and_removes_it_again(
    platform: str, switch: str, before: dict[str, Any]
) -> None:
    chosen = {"maximum_server_sessions": 36, switch: "activation_spec", "server_session_idle_timeout": 60.0}
    script = wsadmin(platform, before, chosen)
    console = Wsadmin()
    console.server("payments", "orders")
    was = console.snapshot()
    console.run(script.apply)
    made = [values for key, values in console.snapshot().items() if "#J2CActivationSpec" in key]
    assert len(made) == 1
    assert (made[0]["-destinationJndiName"], made[0]["-maxPoolSize"]) == ("jms/orders", "36")
    assert (made[0]["-poolTimeout"], made[0]["-stopEndpointIfDeliveryFails"]) == ("60000", "true")
    console.run(script.undo)
    assert console.snapshot() == was
    assert script.left_out == ()


def test_a_spec_is_made_with_its_custom_properties_and_removed_with_them() -> None:
    chosen = {"endpoint": "activation_spec", "in_flight_scale_factor": 3.0, "in_flight_constant": 7}
    script = wsadmin("websphere-zos", {}, chosen)
    console = Wsadmin()
    console.server("payments", "orders")
    was = console.snapshot()
    console.run(script.apply)
    made = next(values for key, values in console.snapshot().items() if "#J2CActivationSpec" in key)
    assert made["MaxInFlightMessagesConstant"] == "7"
    assert float(made["MaxInFlightMessagesScaleFactor"]) == 3.0
    console.run(script.undo)
    assert console.snapshot() == was


def test_a_script_names_what_belongs_to_the_other_endpoint() -> None:
    script = wsadmin("websphere", SPEC, {"maximum_sessions": 5, "maximum_server_sessions": 20, "mdb_pool_maximum": 9})
    left = {path.rsplit(".", 1)[1] for path in script.left_out}
    assert left == {"maximum_sessions", "mdb_pool_maximum"}
    nothing = wsadmin("websphere", SPEC, {"mode": "asf", "maximum_sessions": 20})
    assert (len(nothing.left_out), set(nothing.reasons)) == (2, set(nothing.left_out))


@pytest.mark.parametrize(
    ("queue", "chosen", "expected"),
    [
        ({"session_pool_maximum": 10}, {"session_pool_maximum": 9}, {"session_pool_maximum": "connection factory"}),
        (
            {**SPEC, "provider": "default_messaging"},
            {"maximum_server_sessions": 5, "failure_delivery_count": 2, "maximum_concurrent_endpoints": 7},
            {"maximum_server_sessions": "without effect", "failure_delivery_count": "by hand"},
        ),
        (
            {"provider": "default_messaging"},
            {**SPEC, "maximum_concurrent_endpoints": 7},
            {"mode": "by hand", "maximum_concurrent_endpoints": "by hand"},
        ),
        (SPEC, {"mdb_pool_maximum": 9}, {"mdb_pool_maximum": "without effect"}),
    ],
)
def test_a_script_says_why_it_leaves_something_out(
    queue: dict[str, Any], chosen: dict[str, Any], expected: dict[str, str]
) -> None:
    body = scenario_body("websphere", queue=queue)
    paths = {f"queues.orders.settings.{name}": value for name, value in chosen.items()}
    paths["servers.payments.settings.recovery_retries"] = 9
    script = next(item for item in WAS.write(parse(body).system, paths, "cafe") if item.format == "wsadmin")
    told = [line.partition(": queues.orders.settings.") for line in script.apply.splitlines() if "# Not" in line]
    found = {name: reason for reason, _, name in told}
    assert found.keys() == expected.keys()
    assert all(reason in found[name] for name, reason in expected.items())


RESOURCES = """<xmi:XMI xmlns:xmi="http://www.omg.org/XMI" xmlns:resources.j2c="j2c">
<resources.j2c:J2CResourceAdapter name="IBM MQ Resource Adapter">
<j2cActivationSpec name="orders" jndiName="eis/orders" destinationJndiName="jms/orders">
<resourceProperties name="maxPoolDepth" type="java.lang.Integer" value="25"/>
<resourceProperties name="poolTimeout" value="60000"/>
<resourceProperties name="stopEndpointIfDeliveryFails" value="false"/>
<resourceProperties name="ccsid" value="819"/>
</j2cActivationSpec>
<j2cActivationSpec name="events"><resourceProperties name="maxConcurrency" value="12"/></j2cActivationSpec>
</resources.j2c:J2CResourceAdapter></xmi:XMI>"""
SERVER = """<process:Server xmlns:process="p" xmlns:xmi="x" name="server1">
<services xmi:type="threadpoolmanager:ThreadPoolManager">
<threadPools name="WMQJCAResourceAdapter" minimumSize="10" maximumSize="20"/></services>
<services xmi:type="m:MessageListenerService"><threadPool maximumSize="50"/>
<listenerPorts name="orders" maxSessions="4"/>{}</services></process:Server>"""
OF_ZOS = '<properties name="MDB.THROTTLE.THRESHOLD.LOW.EQUALS.HIGH" value="true"/>'


def test_specs_are_read_beside_the_ports_of_their_server() -> None:
    files = {"resources.xml": RESOURCES.encode(), "server.xml": SERVER.format("").encode()}
    assert WAS.recognises("resources.xml", files["resources.xml"])
    reading = WAS.read(files)
    found = parse(reading.scenario)
    settings = {queue.name: queue.settings.model_dump() for queue in found.queues}
    assert {name: item["mode"] for name, item in settings.items()} == {
        "orders": "asf",
        "orders_2": "activation_spec",
        "events": "activation_spec",
    }
    orders = settings["orders_2"]
    assert (orders["maximum_server_sessions"], orders["server_session_idle_timeout"]) == (25, 60.0)
    assert orders["stop_if_delivery_fails"] is False
    events = settings["events"]
    assert (events["provider"], events["maximum_concurrent_endpoints"]) == ("default_messaging", 12)
    assert found.servers[0].settings.model_dump()["adapter_pool_maximum"] == 20
    assert status_of(found, "adapter-pool-covers-sessions") == "violated"
    ignored = [item for item in reading.account if item.status == "ignored" and item.file == "resources.xml"]
    assert any("resourceProperties" in item.path for item in ignored), "ccsid is no setting"


def test_specs_on_zos_are_read_with_the_server_of_zos() -> None:
    files = {"resources.xml": RESOURCES.encode(), "server.xml": SERVER.format(OF_ZOS).encode()}
    assert all(ZOS.recognises(file, content) for file, content in files.items())
    assert not WAS.recognises("server.xml", files["server.xml"])
    found = parse(ZOS.read(files).scenario)
    settings = {queue.name: queue.settings.model_dump() for queue in found.queues}
    assert settings["orders_2"]["endpoint"] == "activation_spec"
    assert settings["orders_2"]["maximum_server_sessions"] == 25


def test_new_values_stand_in_the_imported_resources() -> None:
    files = {"resources.xml": RESOURCES.encode(), "server.xml": SERVER.format("").encode()}
    system = parse(WAS.read(files).scenario).system
    chosen = {
        "queues.orders_2.settings.maximum_server_sessions": 40,
        "queues.orders_2.settings.mode": "asf",
        "servers.server1.settings.adapter_pool_maximum": 52,
    }
    assert WAS.patch is not None
    patched = WAS.patch(files, system, chosen, "cafe")
    texts = {script.filename: script.apply for script in patched.scripts}
    kept = [line for line in texts["resources.xml"].splitlines() if "Patched by" not in line]
    assert kept == RESOURCES.replace('value="25"', 'value="40"').splitlines()
    assert 'maximumSize="52"' in texts["server.xml"]
    assert set(patched.refused) == {"queues.orders_2.settings.mode"}


ADAPTERS = """<xmi:XMI xmlns:xmi="x">
<J2CResourceAdapter name="WebSphere MQ Resource Adapter" archivePath="${ROOT}/wmq.jmsra.rar">
<j2cActivationSpec name="mq"><resourceProperties name="arbitraryProperties"
 value="was_stopEndpointIfDeliveryFails=&quot;false&quot;,was_failureDeliveryCount=&quot;6&quot;,sslType=&quot;A&quot;"/>
<resourceProperties name="maxPoolDepth" value=""/></j2cActivationSpec></J2CResourceAdapter>
<J2CResourceAdapter name="SIB JMS Resource Adapter">
<j2cActivationSpec name="bus"><resourceProperties name="destinationType" value="javax.jms.Topic"/></j2cActivationSpec>
</J2CResourceAdapter>
<J2CResourceAdapter name="Other"><j2cActivationSpec name="other"/></J2CResourceAdapter></xmi:XMI>"""


def test_specs_of_every_adapter_are_told_apart() -> None:
    reading = WAS.read({"resources.xml": ADAPTERS.encode()})
    spec = parse(reading.scenario)
    settings = {queue.name: queue.settings.model_dump() for queue in spec.queues}
    assert {name: item["provider"] for name, item in settings.items()} == {
        "mq": "ibm_mq",
        "bus": "default_messaging",
        "other": "ibm_mq",
    }
    assert (settings["mq"]["stop_if_delivery_fails"], settings["mq"]["failure_delivery_count"]) == (False, 6)
    assert settings["mq"]["maximum_server_sessions"] == 10
    assert {queue.name: queue.kind for queue in spec.queues}["bus"] == "topic"
    assert [item.path for item in reading.account if item.status == "unresolved"] == ["queues.other"]
    assert not [item for item in reading.account if item.status == "contradictory"]


def test_a_property_inside_a_list_is_left_to_the_script() -> None:
    files = {"resources.xml": ADAPTERS.encode()}
    path = "queues.mq.settings.failure_delivery_count"
    assert WAS.patch
    done = WAS.patch(files, parse(WAS.read(files).scenario).system, {path: 9}, "cafe")
    assert not done.scripts
    assert "inside a list" in done.refused[path]


def test_a_bus_on_zos_is_named_as_not_known() -> None:
    account = ZOS.read({"resources.xml": ADAPTERS.encode()}).account
    assert {item.path for item in account if item.status == "unresolved"} == {"queues.bus", "queues.other"}
