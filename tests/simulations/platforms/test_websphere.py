"""The WebSphere family: the transaction-timeout rule of job J4, connections, the listener pool and server.xml."""

from typing import Any

import pytest

from simulations.engine.network import PollerKind
from simulations.platforms.base import Patched
from simulations.platforms.websphere import WEBSPHERE
from simulations.platforms.websphere.parameters import ServerSettings
from simulations.problems import InvalidInput
from simulations.scenario import ScenarioSpec, parse
from tests.simulations.platforms.consoles import Wsadmin
from tests.simulations.platforms.samples import scenario_body


def quick(**question: Any) -> dict[str, Any]:
    assert WEBSPHERE.quick
    return dict(WEBSPHERE.quick({"platform": "was", "receive_timeout": "110s", "on_message": "15s", **question}))


def port(*, kind: str = "queue", server: dict[str, Any] | None = None, **settings: Any) -> ScenarioSpec:
    return parse(scenario_body("websphere", server=server, queue=settings, kind=kind))


def test_the_worst_case_of_the_worked_example() -> None:
    """Job J4 and fact list, example 11."""
    answer = quick(transaction_timeout="120s")
    assert answer["violations"][0]["worst_case_s"] == 125
    assert answer["max_receive_timeout_s"] == 105
    assert "125 s > 120 s" in answer["violations"][0]["message"]


@pytest.mark.parametrize(
    ("receive", "service", "status"),
    [(100.0, 15.0, "ok"), (105.0, 15.0, "violated"), (110.0, 10.0, "violated"), (110.0, 15.0, "violated")],
)
def test_the_difference_must_be_greater_than_on_message(receive: float, service: float, status: str) -> None:
    """Fact list, examples 12-14: the documented condition is strict."""
    body = scenario_body("websphere", queue={"mode": "non_asf", "receive_timeout": receive})
    body["queues"][0]["service"] = {"kind": "constant", "mean": service}
    findings = {item.rule: item for item in WEBSPHERE.derive(parse(body).system).findings}
    assert findings["websphere.transaction-timeout"].status == status


def test_a_receive_timeout_as_long_as_the_transaction_is_refused_by_its_own_rule() -> None:
    """Fact list, example 14."""
    findings = WEBSPHERE.derive(port(mode="non_asf", receive_timeout=120.0).system).findings
    assert {item.rule: item.status for item in findings}["websphere.receive-timeout-below-lifetime"] == "violated"


@pytest.mark.parametrize(("rate", "percent"), [("6/h", 4.16), ("1/min", 1.65), ("6/min", 0.001)])
def test_the_exact_rollback_probability(rate: str, percent: float) -> None:
    assert 100 * quick(rate_per_session=rate)["rollback_probability"] == pytest.approx(percent, rel=0.1, abs=0.005)


def test_no_rollback_below_the_bound() -> None:
    assert quick(receive_timeout="104s", rate_per_session="1/min")["rollback_probability"] == 0


def test_a_slow_tail_lowers_the_bound() -> None:
    mean = 25 / 6.907755278982137
    answer = quick(on_message={"kind": "exponential", "mean": mean}, rate_per_session="1/min")
    assert answer["max_receive_timeout_s"] == pytest.approx(95)
    assert 0 < answer["rollback_probability"] < 0.01


@pytest.mark.parametrize(("sharing", "connections"), [(10, 1), (1, 10)])
def test_ten_threads_share_a_connection_since_version_7(sharing: int, connections: int) -> None:
    answer = quick(sessions=10, sharing_conversations=sharing)
    assert (answer["threads_held"], answer["connections"]) == (10, connections)


@pytest.mark.parametrize(("sessions", "talks", "links"), [(9, 10, 1), (10, 11, 2), (25, 26, 3), (50, 51, 6)])
def test_conversations_and_connections_in_asf_mode(sessions: int, talks: int, links: int) -> None:
    """Fact list, example 16."""
    derivation = WEBSPHERE.derive(port(maximum_sessions=sessions).system)
    assert derivation.value("conversations") == talks
    assert derivation.value("connections") == links
    assert derivation.value("threads_held") == 0


def test_a_non_asf_port_holds_its_threads_from_the_start() -> None:
    """Fact list, example 15."""
    spec = port(mode="non_asf", receive_timeout=100.0, maximum_sessions=2)
    assert WEBSPHERE.derive(spec.system).value("threads_held") == 2
    poller = spec.network().streams[0].poller
    assert poller is not None
    assert (poller.kind, poller.sessions, poller.receive_timeout) == (PollerKind.EAGER, 2, 100.0)


def test_sessions_beyond_the_listener_pool_have_no_thread() -> None:
    """Fact list, example 17."""
    body = scenario_body("websphere", server={"listener_pool_maximum": 15})
    first = body["queues"][0]
    body["queues"] = [
        {**first, "name": f"q{index}", "settings": {"maximum_sessions": sessions}}
        for index, sessions in enumerate((5, 5, 10))
    ]
    derivation = WEBSPHERE.derive(parse(body).system)
    assert derivation.value("sessions_total") == 20
    assert derivation.value("pool_shortage") == 5
    finding = next(item for item in derivation.findings if item.rule == "websphere.pool-covers-sessions")
    assert finding.fix == {"servers.payments.settings.listener_pool_maximum": 20}


@pytest.mark.parametrize(
    ("settings", "kind", "rule"),
    [
        ({"receive_timeout": 5.0}, "queue", "receive-timeout-ignored"),
        ({"mode": "non_asf", "receive_timeout": 5.0, "maximum_messages": 3}, "queue", "maximum-messages-ignored"),
        ({"mode": "non_asf", "receive_timeout": 5.0, "maximum_sessions": 3}, "topic", "topic-sessions-ignored"),
    ],
)
def test_settings_without_effect_say_so(settings: dict[str, Any], kind: str, rule: str) -> None:
    findings = WEBSPHERE.derive(port(kind=kind, **settings).system).findings
    assert {item.rule: item.status for item in findings}[f"websphere.{rule}"] == "ignored"


def test_non_asf_mode_needs_a_receive_timeout() -> None:
    with pytest.raises(InvalidInput, match="receive_timeout above 0"):
        port(mode="non_asf")


SERVER_XML = b"""<?xml version="1.0" encoding="UTF-8"?>
<process:Server xmlns:process="http://www.ibm.com/websphere/appserver/schemas/5.0/process.xmi"
 xmlns:xmi="http://www.omg.org/XMI" xmlns:l="http://www.ibm.com/listener.xmi" name="server1">
 <components xmi:type="applicationserver:ApplicationServer">
  <services xmi:type="applicationserver:TransactionService" totalTranLifetimeTimeout="90"/>
  <services xmi:type="l:MessageListenerService">
   <threadPool maximumSize="30" name="Message.Listener.Pool"/>
   <properties name="NON.ASF.RECEIVE.TIMEOUT" value="60000"/>
   <properties name="SERVER.SESSION.POOL.REAP.TIME" value="240"/>
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
    assert ("ignored", 9) in lines, "a property that does nothing in this mode says so"
    assert ("contradictory", 10) in lines, "a number that is none is named"


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
    "maximum_transaction_timeout": 200.0, "listener_pool_minimum": 4, "listener_pool_inactivity": 7.0,
    "listener_pool_growable": True, "recovery_retries": 8, "recovery_interval": 30.0, "pooling_timeout": 60.0,
    "pooling_threshold": 3, "dynamic_configuration": True,
}  # fmt: skip


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
    chosen = {path: value for path, value in CHANGED.items() if not path.endswith("unused_timeout")}
    script = next(item for item in WEBSPHERE.write(system, chosen, "0123abcd") if item.format == "wsadmin")
    assert not script.left_out
    console = Wsadmin()
    console.server("server1", "Orders", "Bills")
    console.run(script.apply)
    values = [value for held in console.snapshot().values() for value in held.items()]
    assert ("initialState", "START") in values
    assert ("inactivityTimeout", "9000") in values
    assert {"name": "MQJMS.POOLING.TIMEOUT", "value": "90000"} in console.snapshot().values()
    assert {"name": "DYNAMIC.CONFIGURATION.ENABLED", "value": "false"} in console.snapshot().values()


def test_a_small_session_pool_bounds_the_sessions() -> None:
    spec = port(maximum_sessions=25, session_pool_maximum=10)
    assert spec.network().streams[0].concurrency == 10
    assert WEBSPHERE.derive(spec.system).value("conversations") == 11


def test_a_growable_pool_has_a_thread_for_every_session() -> None:
    assert port(maximum_sessions=80).network().pools[0].threads_per_servant == 50
    spec = port(maximum_sessions=80, server={"listener_pool_growable": True})
    assert spec.network().pools[0].threads_per_servant == 80
    assert WEBSPHERE.derive(spec.system).value("pool_shortage") == 0


def test_recovery_gives_the_outage_that_a_port_survives() -> None:
    assert WEBSPHERE.derive(port().system).value("recovery_time") == 300
