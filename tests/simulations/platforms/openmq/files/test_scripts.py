"""imqcmd and asadmin scripts in a real shell, over commands that keep their values in a file."""

import json
from pathlib import Path
from typing import Any

import pytest

from simulations.declarations.identity import without_identities
from simulations.declarations.system import System
from simulations.declarations.texts import path_of
from simulations.platforms import PLATFORMS
from simulations.platforms.shared.family import Script
from simulations.scenario.spec import parse
from tests.simulations.platforms.hosts import Host
from tests.simulations.platforms.samples import scenario_body

FILLED = {"BROKER": "host:7676", "ADMIN": "admin", "PASSFILE": "pass", "CONFIG": "shop-config", "POOL": "factory"}
POOL = "configs.config.shop-config.mdb-container.max-pool-size"
CHOSEN: dict[str, Any] = {
    "queues.orders.settings.max_num_msgs": 500,
    "queues.orders.settings.limit_behavior": "FLOW_CONTROL",
    "queues.orders.settings.destination_consumer_flow_limit": 64,
    "servers.payments.settings.max_pool_size": 48,
    "servers.payments.settings.steady_pool_size": 4,
}


def machine(folder: Path) -> Host:
    """A machine as the scenario has it."""
    base = POOL.rpartition(".")[0]
    orders = {"maxNumMsgs": "-1", "limitBehavior": "REJECT_NEWEST", "consumerFlowLimit": "1000"}
    state = {"q:orders": {**orders, "maxNumProducers": "100"}, "asadmin": {POOL: "32", f"{base}.steady-pool-size": "1"}}
    return Host(folder, state)


@pytest.fixture
def host(tmp_path: Path) -> Host:
    """The machine of one test."""
    return machine(tmp_path)


def script_of(tool: str) -> Script:
    found = PLATFORMS["openmq"].write(parse(scenario_body("openmq")).system, CHOSEN, "cafe")
    return next(item for item in found if item.format == tool)


@pytest.mark.parametrize("tool", ["imqcmd", "asadmin"])
def test_a_plan_then_all_changes_and_back(host: Host, tool: str) -> None:
    script, before = script_of(tool), host.state
    code, printed = host.run(script.apply, FILLED)
    assert (code, host.state) == (0, before), printed
    assert "wanted" in printed
    code, printed = host.run(script.apply, {**FILLED, "APPLY": "1"})
    assert code == 0, printed
    assert "read back" in printed
    after = {"imqcmd": ("q:orders", "maxNumMsgs", "500"), "asadmin": ("asadmin", POOL, "48")}[tool]
    assert host.state[after[0]][after[1]] == after[2]
    code, printed = host.run(script.undo, {**FILLED, "APPLY": "1"})
    assert (code, host.state) == (0, before), printed


@pytest.mark.parametrize("tool", ["imqcmd", "asadmin"])
def test_what_is_missing_differs_or_is_not_filled_in_ends_the_script(host: Host, tool: str) -> None:
    script, entity, key = script_of(tool), *{"imqcmd": ("q:orders", "maxNumMsgs"), "asadmin": ("asadmin", POOL)}[tool]
    code, printed = host.run(script.apply, {"APPLY": "1"})
    assert code != 0
    assert "fill it in at the head" in printed
    host.state[entity][key] = "77"
    before = json.loads(json.dumps(host.state))
    code, printed = host.run(script.apply, {**FILLED, "APPLY": "1"})
    assert (code, host.state) == (1, before)
    assert "present '77', expected" in printed
    code, printed = host.run(script.apply, {**FILLED, "APPLY": "1", "ANYWAY": "1"})
    assert code == 0, printed
    del host.state[entity][key]
    before = json.loads(json.dumps(host.state))
    code, printed = host.run(script.apply, {**FILLED, "APPLY": "1", "ANYWAY": "1"})
    assert (code, host.state) == (1, before)
    assert "STOP" in printed


def test_a_property_that_is_not_set_has_its_default(host: Host) -> None:
    base = "configs.config.shop-config"
    settings = {"reconnect_enabled": True, "reconnect_delay": 5, "max_pool_size": 48}
    chosen = {f"servers.payments.settings.{name}": value for name, value in settings.items()}
    found = PLATFORMS["openmq"].write(parse(scenario_body("openmq")).system, chosen, "cafe")
    script = next(item for item in found if item.format == "asadmin")
    code, printed = host.run(script.apply, {**FILLED, "APPLY": "1", "ANYWAY": "1"})
    assert (code, "STOP" in printed) == (1, True), "without its object it is missing"
    host.state["asadmin"][f"{base}.name"] = "shop-config"
    before = json.loads(json.dumps(host.state))
    code, printed = host.run(script.apply, {**FILLED, "APPLY": "1"})
    assert (code, "DIFFERS" in printed) == (0, False), printed
    enabled = f"{base}.mdb-container.property.reconnect-enabled"
    assert host.state["asadmin"][enabled] == "true"
    code, printed = host.run(script.undo, {**FILLED, "APPLY": "1"})
    assert (code, host.state["asadmin"][enabled], host.state["asadmin"][POOL]) == (0, "false", "32"), printed
    host.state = before
    host.state["asadmin"][enabled] = "true"
    code, printed = host.run(script.apply, {**FILLED, "APPLY": "1"})
    assert (code, "DIFFERS" in printed) == (1, True), "set to another value it differs"


@pytest.mark.parametrize("options", [{"options": "imqA=1,imqConsumerFlowLimit=0"}, {"imqConsumerFlowLimit": "0"}])
def test_a_limit_of_0_is_none_as_the_import_has_it(host: Host, options: dict[str, str]) -> None:
    limits = ("consumer_flow_limit", "destination_consumer_flow_limit")
    body = scenario_body("openmq")
    body["queues"][0]["settings"] |= dict.fromkeys(limits, 0)
    chosen = dict.fromkeys((f"queues.orders.settings.{name}" for name in limits), 64)
    pool = "resources.connector-connection-pool.factory"
    host.state["q:orders"]["consumerFlowLimit"] = "0"
    host.state["asadmin"] = {f"{pool}.name": "factory", **{f"{pool}.property.{key}": options[key] for key in options}}
    for script in PLATFORMS["openmq"].write(parse(body).system, chosen, "cafe"):
        if script.format in ("imqcmd", "asadmin"):
            code, printed = host.run(script.apply, {**FILLED, "APPLY": "1"})
            assert (code, "DIFFERS" in printed) == (0, False), printed
            code, printed = host.run(script.undo, {**FILLED, "APPLY": "1"})
            assert code == 0, printed
    assert host.state["q:orders"]["consumerFlowLimit"] == "-1"


@pytest.mark.parametrize("tool", ["imqcmd", "asadmin"])
def test_a_change_that_fails_takes_back_those_before_it(host: Host, tool: str) -> None:
    script, before = script_of(tool), json.loads(json.dumps(host.state))
    looked_up = script.apply.count("\n    step ")
    for change in (1, 2):
        code, printed = host.run(script.apply, {**FILLED, "APPLY": "1"}, fail_at=looked_up + change)
        assert (code, host.state) == (1, before)
        assert f"FAILED at change {change}" in printed


DOMAIN = b"""<domain><clusters><cluster name="shop" config-ref="shop-config"/><cluster name="b" config-ref="b-config"/>
</clusters><configs><config name="server-config"><mdb-container max-pool-size="7"/></config>
<config name="shop-config"><mdb-container max-pool-size="32"/></config></configs>
<resources><connector-connection-pool name="jms/Factory" resource-adapter-name="jmsra"/></resources></domain>"""


def test_configuration_and_pool_are_those_that_the_settings_were_read_from() -> None:
    spec = parse(PLATFORMS["openmq"].read({"domain.xml": DOMAIN}).scenario)
    chosen = {"servers.server.settings.max_pool_size": 48, "queues.queue.settings.consumer_flow_limit": 64}
    for system, config, pool in (
        (spec.system, "shop-config", "jms/Factory"),
        (parse(without_identities(spec.body())).system, "", ""),
    ):
        found = PLATFORMS["openmq"].write(system, chosen, "cafe")
        text = next(item.apply for item in found if item.format == "asadmin")
        assert (f"\nCONFIG={config}  #" in text, f"\nPOOL={pool}  #" in text) == (True, True)
        assert "server-config" not in text


def test_a_pool_that_queues_share_gets_one_list_of_options(host: Host) -> None:
    spec = parse(PLATFORMS["openmq"].read({"domain.xml": TWO_QUEUES, "config.txt": TWO_DESTINATIONS}).scenario)
    paths = [path_of("queues", queue.name, "settings", "consumer_flow_limit") for queue in spec.queues]
    assert len(paths) == 2
    found = {item.format: item for item in PLATFORMS["openmq"].write(spec.system, dict.fromkeys(paths, 64), "cafe")}
    steps = [line for line in found["asadmin"].apply.splitlines() if line.startswith("    step ")]
    assert len(steps) == 1
    assert steps[0].endswith(" property.options.imqConsumerFlowLimit 1000 64")
    pool = "resources.connector-connection-pool.jms/My.Factory"
    option = f"{pool}.property.options"
    code, printed = host.run(found["asadmin"].apply, {**FILLED, "APPLY": "1", "ANYWAY": "1"})
    assert (code, "STOP" in printed) == (1, True), "a pool that is not there has no property either"
    host.state["asadmin"][f"{pool}.name"] = "jms/My.Factory"
    code, printed = host.run(found["asadmin"].apply, {**FILLED, "APPLY": "1"})
    assert code == 0, printed
    assert host.state["asadmin"][option] == "imqConsumerFlowLimit=64"
    alone = {item.format: item for item in PLATFORMS["openmq"].write(spec.system, {paths[0]: 64}, "cafe")}
    assert "asadmin" not in alone


def with_options(options: str, **own: str) -> tuple[System, dict[str, str]]:
    """A system with one pool, imported, and what the pool holds there."""
    given = {"options": options, **own}
    properties = "".join(f'<property name="{name}" value="{value}"/>' for name, value in given.items())
    text = DOMAIN.replace(b'"jmsra"/>', f'"jmsra">{properties}</connector-connection-pool>'.encode())
    pool = "resources.connector-connection-pool.jms/Factory"
    held = {f"{pool}.name": "jms/Factory", **{f"{pool}.property.{name}": value for name, value in given.items()}}
    return parse(PLATFORMS["openmq"].read({"domain.xml": text}).scenario).system, held


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("imqReconnectEnabled=true,imqConsumerFlowLimit=200", "imqReconnectEnabled=true,imqConsumerFlowLimit=64"),
        ("imqConsumerFlowThreshold=50, imqConsumerFlowLimit =200,b=c\\,d", None),
        ("imqAddressListBehavior=PRIORITY", "imqAddressListBehavior=PRIORITY,imqConsumerFlowLimit=64"),
        ("", "imqConsumerFlowLimit=64"),
    ],
)
def test_other_options_of_a_pool_stay_and_its_own_properties_too(host: Host, before: str, after: str | None) -> None:
    system, held = with_options(before, imqConnectionFlowCount="70")
    option = "resources.connector-connection-pool.jms/Factory.property.options"
    own = option.replace("options", "imqConnectionFlowCount")
    if not before:
        del held[option]
    host.state["asadmin"] = dict(held)
    chosen = {
        "queues.queue.settings.consumer_flow_limit": 64,
        "servers.server.settings.connection_flow_count": 7,
    }
    script = next(it for it in PLATFORMS["openmq"].write(system, chosen, "cafe") if it.format == "asadmin")
    code, printed = host.run(script.apply, {"APPLY": "1"})
    assert (code, "DIFFERS" in printed) == (0, False), printed
    expected = after or "imqConsumerFlowThreshold=50,imqConsumerFlowLimit=64,b=c\\,d"
    assert (host.state["asadmin"][option], host.state["asadmin"][own]) == (expected, "7")
    host.run(printed.partition("run the undo script or:\n")[2], {})
    assert host.state["asadmin"].get(option, "").replace(" ", "") == before.replace(" ", "")
    assert host.state["asadmin"][own] == "70"


def test_commands_that_take_back_several_options_of_a_pool_take_back_all(host: Host) -> None:
    system, held = with_options("a=b,imqConsumerFlowLimit=200,imqConsumerFlowThreshold=30")
    host.state["asadmin"] = dict(held)
    names = ("consumer_flow_limit", "consumer_flow_threshold")
    chosen = dict.fromkeys((f"queues.queue.settings.{name}" for name in names), 64)
    script = next(it for it in PLATFORMS["openmq"].write(system, chosen, "cafe") if it.format == "asadmin")
    _, printed = host.run(script.apply, {"APPLY": "1"})
    option = "resources.connector-connection-pool.jms/Factory.property.options"
    assert host.state["asadmin"][option] == "a=b,imqConsumerFlowLimit=64,imqConsumerFlowThreshold=64", printed
    host.run(printed.partition("run the undo script or:\n")[2], {})
    assert host.state["asadmin"] == held


TWO_QUEUES = DOMAIN.replace(b"jms/Factory", b"jms/My.Factory")
TWO_DESTINATIONS = b"imqcmd create dst -t q -n PAY.ORDERS\nimqcmd create dst -t q -n Bestell\xc3\xbcbung\n"


def test_an_activation_property_is_no_property_of_the_broker() -> None:
    system = parse(scenario_body("openmq")).system
    paths = [f"queues.orders.settings.{name}" for name in ("redelivery_attempts", "max_consecutive_rollbacks")]
    found = {item.format: item for item in PLATFORMS["openmq"].write(system, dict.fromkeys(paths, 3), "cafe")}
    assert "endpointException" not in found["properties"].apply
    assert found["properties"].left_out == (paths[0],)


def test_queues_that_differ_leave_a_property_of_the_whole_broker_as_it_is() -> None:
    body = scenario_body("openmq")
    system = parse({**body, "queues": [body["queues"][0], {**body["queues"][0], "name": "second"}]}).system
    paths = [f"queues.{name}.settings.max_consecutive_rollbacks" for name in ("orders", "second")]
    for different in ({paths[0]: 7, paths[1]: 9}, {paths[0]: 7}):
        found = {item.format for item in PLATFORMS["openmq"].write(system, different, "cafe")}
        assert "properties" not in found
    alike = {item.format: item for item in PLATFORMS["openmq"].write(system, dict.fromkeys(paths, 7), "cafe")}
    assert alike["properties"].apply.count("maxConsecutiveRollbacks=7") == 1
    assert alike["properties"].undo.count("maxConsecutiveRollbacks=0") == 1


def test_the_limit_of_a_topic_is_the_property_that_counts_for_it() -> None:
    """What an administrator made has another one than what the broker creates; queues have none and do not object."""
    files = {"broker.properties": b"imq.autocreate.topic.sharedConsumerFlowLimit=9\n", "dst.sh": QUEUE_AND_TOPIC}
    limits = [b"imq.admincreate.topic.sharedConsumerFlowLimit=20"]
    for given, key in ((files, "admincreate"), ({"domain.xml": NAMED_TOPIC}, "autocreate")):
        spec = parse(PLATFORMS["openmq"].read(given).scenario)
        chosen = {"queues.news.settings.shared_consumer_flow_limit": 20}
        found = {item.format: item for item in PLATFORMS["openmq"].write(spec.system, chosen, "cafe")}
        assert f"\nimq.{key}.topic.sharedConsumerFlowLimit=20\n" in found["properties"].apply
        assert f"\nimq.{key}.topic.sharedConsumerFlowLimit=5\n" in found["properties"].undo
    assert PLATFORMS["openmq"].patch
    system = parse(PLATFORMS["openmq"].read(files).scenario).system
    patched = PLATFORMS["openmq"].patch(files, system, chosen, "cafe")
    assert (patched.refused, len(patched.scripts)) == ({}, 1)
    assert patched.scripts[0].apply.encode().splitlines()[2:] == limits


def test_a_topic_has_no_active_consumers_that_imqcmd_could_change() -> None:
    system = parse(PLATFORMS["openmq"].read({"dst.sh": QUEUE_AND_TOPIC}).scenario).system
    names = ("max_active_consumers", "max_backup_consumers", "max_num_msgs")
    chosen = {f"queues.{queue}.settings.{name}": 7 for queue in ("orders", "news") for name in names}
    script = next(it for it in PLATFORMS["openmq"].write(system, chosen, "cafe") if it.format == "imqcmd")
    assert script.left_out == tuple(f"queues.news.settings.{name}" for name in names[:2])
    steps = [line.split()[1] for line in script.apply.splitlines() if line.startswith("    step ")]
    assert steps == [path for path in chosen if path not in script.left_out]


QUEUE_AND_TOPIC = b"imqcmd create dst -t q -n orders\nimqcmd create dst -t t -n news\n"
NAMED_TOPIC = b"""<domain><resources>
<admin-object-resource jndi-name="jms/n" res-type="javax.jms.Topic" res-adapter="jmsra">
<property name="Name" value="news"/></admin-object-resource></resources></domain>"""
