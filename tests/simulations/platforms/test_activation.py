"""Activation specifications: limits, threads, timeouts and stops, in formulas, in the simulation and in files."""

from dataclasses import replace
from typing import Any

import pytest

from simulations.engine.network import Exhausted, Gate, Horizon, Redelivery
from simulations.engine.replicate import replicate
from simulations.engine.results import Count
from simulations.platforms import PLATFORMS
from simulations.platforms.base import Script
from simulations.platforms.websphere_zos.formulas import in_flight_limit
from simulations.platforms.websphere_zos.parameters import ListenerPort
from simulations.problems import InvalidInput
from simulations.scenario import ScenarioSpec, parse
from tests.simulations.engine.networks import total
from tests.simulations.platforms.consoles import Wsadmin
from tests.simulations.platforms.samples import scenario_body

ZOS, WAS = PLATFORMS["websphere-zos"], PLATFORMS["websphere"]
SECOND = {"kind": "constant", "mean": 1.0}


def spec(**settings: Any) -> dict[str, Any]:
    return {"mode": "activation_spec", **settings}


def adjunct(**settings: Any) -> dict[str, Any]:
    return {"endpoint": "activation_spec", **settings}


@pytest.mark.parametrize(
    ("active", "depth", "factor", "constant", "limit"),
    [(0, 10, 1.0, 5, 0), (1, 10, 1.0, 0, 10), (3, 10, 1.0, 0, 30), (2, 10, 1.5, 5, 35), (1, 10, 0.05, 0, 0)],
)
def test_the_in_flight_limit_counts_servants(active: int, depth: int, factor: float, constant: int, limit: int) -> None:
    port = ListenerPort(
        endpoint="activation_spec",
        maximum_server_sessions=depth,
        in_flight_scale_factor=factor,
        in_flight_constant=constant,
    )
    assert in_flight_limit(active, port) == limit


def test_an_activation_spec_on_zos_has_one_limit_and_the_dispatch_timeout() -> None:
    body = scenario_body("websphere-zos", server={"min_servants": 3, "max_servants": 3}, queue=adjunct())
    found = parse(body)
    stream = found.network().streams[0]
    assert stream.gate == Gate(30, 30, 0.002)
    assert stream.timeouts is not None
    assert stream.timeouts.queue == pytest.approx(297.0)
    assert stream.timeouts.dispatch == 300.0
    derivation = ZOS.derive(found.system)
    assert derivation.value("in_flight_limit") == 30
    # 16 CPUs give 30 threads to each of 3 servants: twice 90 needs 60 sessions of each servant.
    assert derivation.value("recommended_server_sessions") == 60
    assert derivation.value("spec_queue_timeout") == pytest.approx(297.0)
    body["queues"][0]["settings"] |= {"maximum_server_sessions": 60}
    rules = {item.rule: item.status for item in ZOS.derive(parse(body).system).findings}
    assert rules["websphere-zos.in-flight-2xwt"] == "ok"
    assert "websphere-zos.2xwt" not in rules


def test_the_short_question_answers_for_an_activation_spec() -> None:
    assert ZOS.quick is not None
    asked = {"platform": "websphere-zos", "cpus": 2, "servants_max": 3, "endpoint": "activation_spec"}
    answer = ZOS.quick(asked)
    # The worked example: 18 threads; 36 in flight are 12 server sessions for each of 3 servants.
    assert (answer["worker_threads"], answer["max_server_sessions"], answer["in_flight_limit"]) == (18, 12, 36)
    assert {item.status for item in answer["rules"]} == {"ok"}
    low = ZOS.quick({**asked, "max_server_sessions": 10})
    assert (low["in_flight_limit"], low["recommended_server_sessions"]) == (30, 12)
    with pytest.raises(InvalidInput, match="backlog"):
        ZOS.quick({**asked, "backlog": 3})
    with pytest.raises(InvalidInput, match="in_flight_constant"):
        ZOS.quick({"platform": "websphere-zos", "cpus": 2, "in_flight_constant": 3})


def test_conversations_are_the_sessions_and_one() -> None:
    for sessions, conversations, connections in ((9, 10, 1), (10, 11, 2), (25, 26, 3), (50, 51, 6)):
        queue = spec(maximum_server_sessions=sessions)
        derivation = WAS.derive(parse(scenario_body("websphere", queue=queue)).system)
        assert derivation.value("conversations") == conversations
        assert derivation.value("connections") == connections
    bus = spec(provider="default_messaging")
    assert WAS.derive(parse(scenario_body("websphere", queue=bus)).system).value("conversations") == 0


def five_specs(pool: int) -> ScenarioSpec:
    """Five activation specifications of five sessions each."""
    body = scenario_body("websphere", server={"adapter_pool_maximum": pool}, queue=spec(maximum_server_sessions=5))
    body["queues"] = [{**body["queues"][0], "name": f"q{number}"} for number in range(5)]
    return parse(body)


def test_the_adapter_pool_is_the_sum_of_the_specs() -> None:
    short = WAS.derive(five_specs(20).system)
    assert (short.value("adapter_sessions"), short.value("adapter_shortage")) == (25, 5)
    status = {pool: _status(five_specs(pool), "adapter-pool-covers-sessions") for pool in (24, 25)}
    assert status == {24: "violated", 25: "ok"}


def _status(found: ScenarioSpec, rule: str) -> str:
    return next(item.status for item in found.family.derive(found.system).findings if item.rule.endswith(rule))


def run(found: ScenarioSpec, **horizon: Any) -> Any:
    return replicate(replace(found.network(), horizon=Horizon(**horizon)), seed=1, replication=0)


def test_ports_and_specs_of_a_server_have_threads_of_their_own() -> None:
    body = scenario_body(
        "websphere",
        server={"listener_pool_maximum": 2, "adapter_pool_maximum": 3},
        queue=spec(maximum_server_sessions=8, start_timeout=0),
        arrivals={"kind": "saturated"},
        service=SECOND,
    )
    body["queues"].append({**body["queues"][0], "name": "port", "settings": {"maximum_sessions": 8}})
    result = run(parse(body), time=1000.0)
    completed = result.counts[:, :, Count.COMPLETED].sum(axis=0)
    assert completed.tolist() == pytest.approx([3000, 2000], abs=8)


def test_a_message_that_gets_no_thread_in_time_returns_to_its_queue() -> None:
    settings = spec(maximum_server_sessions=4, start_timeout="2500ms")
    body = scenario_body(
        "websphere",
        server={"adapter_pool_maximum": 1},
        queue=settings,
        arrivals={"kind": "saturated"},
        service=SECOND,
    )
    late = run(parse(body), time=200.0)
    assert total(late, Count.QUEUE_TIMEOUTS) > 20
    body["queues"][0]["settings"]["start_timeout"] = "5s"
    assert total(run(parse(body), time=200.0), Count.QUEUE_TIMEOUTS) == 0
    assert total(late, Count.COMPLETED) == pytest.approx(200, abs=2), "the one thread is never idle"


@pytest.mark.parametrize("platform", ["websphere", "websphere-zos"])
@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({}, Redelivery(limit=1, exhausted=Exhausted.STOP_STREAM)),
        ({"failure_delivery_count": 4}, Redelivery(limit=5, exhausted=Exhausted.STOP_STREAM)),
        ({"failure_delivery_count": 4, "backout_threshold": 5}, Redelivery(limit=5, exhausted=Exhausted.DEAD_LETTER)),
        ({"failure_delivery_count": 3, "backout_threshold": 5}, Redelivery(limit=4, exhausted=Exhausted.STOP_STREAM)),
        ({"stop_if_delivery_fails": False, "maximum_retries": 7}, Redelivery()),
        ({"stop_if_delivery_fails": False, "backout_threshold": 3}, Redelivery(limit=3)),
    ],
)
def test_failures_stop_the_endpoint_or_are_backed_out(
    platform: str, settings: dict[str, Any], expected: Redelivery
) -> None:
    both = spec(**settings) if platform == "websphere" else adjunct(**settings)
    if expected == Redelivery(limit=3):
        expected = replace(expected, exhausted=Exhausted.DEAD_LETTER)
    assert parse(scenario_body(platform, queue=both)).network().streams[0].redelivery == expected


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
    made = [values for key, values in console.snapshot().items() if key.startswith("J2CActivationSpec")]
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
    made = next(values for key, values in console.snapshot().items() if key.startswith("J2CActivationSpec"))
    assert made["MaxInFlightMessagesConstant"] == "7"
    assert float(made["MaxInFlightMessagesScaleFactor"]) == 3.0
    console.run(script.undo)
    assert console.snapshot() == was


def test_a_script_names_what_belongs_to_the_other_endpoint() -> None:
    script = wsadmin("websphere", spec(), {"maximum_sessions": 5, "maximum_server_sessions": 20, "mdb_pool_maximum": 9})
    left = {path.rsplit(".", 1)[1] for path in script.left_out}
    assert left == {"maximum_sessions", "mdb_pool_maximum"}
    with pytest.raises(StopIteration):
        wsadmin("websphere", spec(), {"mode": "asf", "maximum_sessions": 20})


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
        "orders": "asf", "orders_2": "activation_spec", "events": "activation_spec",
    }  # fmt: skip
    orders = settings["orders_2"]
    assert (orders["maximum_server_sessions"], orders["server_session_idle_timeout"]) == (25, 60.0)
    assert orders["stop_if_delivery_fails"] is False
    events = settings["events"]
    assert (events["provider"], events["maximum_concurrent_endpoints"]) == ("default_messaging", 12)
    assert found.servers[0].settings.model_dump()["adapter_pool_maximum"] == 20
    assert _status(found, "adapter-pool-covers-sessions") == "violated"
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
