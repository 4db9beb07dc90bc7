"""wsadmin scripts: each object is looked up, several of one name end the plan, a failure leaves nothing half done."""

from typing import Any

import pytest

from simulations.platforms import PLATFORMS
from simulations.platforms.shared.family import Script
from simulations.scenario.spec import parse
from tests.simulations.platforms.choosing import written
from tests.simulations.platforms.consoles import Stopped, Wsadmin, all_or_nothing
from tests.simulations.platforms.samples import scenario_body

WHOLE: dict[str, Any] = {
    "queues.orders.settings.maximum_sessions": 36,
    "queues.orders.settings.initial_state": "STOP",
    "queues.orders.settings.session_reap_time": 20.0,
    "servers.payments.settings.total_transaction_timeout": 90.0,
    "servers.payments.settings.recovery_retries": 9,
}
"""One setting of each kind of object."""


def started() -> tuple[Wsadmin, Script]:
    """A cell as the scenario has it, and the script for it."""
    script = written("websphere", scenario_body("websphere"), WHOLE)["wsadmin"]
    console = Wsadmin()
    console.server("payments", "orders", "other")
    console.run(script.undo, anyway=True)
    return console, script


def test_a_plan_shows_every_value_and_changes_nothing() -> None:
    console, script = started()
    before = console.snapshot()
    printed = console.run(script.apply, apply=False)
    assert console.snapshot() == before
    assert "present '120', expected '120', wanted '90'" in printed
    assert len([line for line in printed.splitlines() if line.startswith("ok ")]) == len(WHOLE)
    assert "synchronize the nodes" in console.run(script.apply)


def test_what_is_not_set_has_the_vendor_s_default() -> None:
    script = written("websphere", scenario_body("websphere"), WHOLE)["wsadmin"]
    console = Wsadmin()
    console.server("payments", "orders")
    assert "DIFFERS" not in console.run(script.apply)


def test_another_value_ends_the_script() -> None:
    console, script = started()
    port = next(key for key, kind in console.kinds.items() if kind == "ListenerPort")
    console.attributes[port]["maxSessions"] = "7"
    before = console.snapshot()
    with pytest.raises(Stopped, match=r"DIFFERS queues\.orders.settings\.maximum_sessions.*present '7'"):
        console.run(script.apply)
    assert console.snapshot() == before


def test_several_servers_of_one_name_end_the_script_until_the_node_is_named() -> None:
    console, script = started()
    console.server("payments", "orders", node="second")
    before = console.snapshot()
    with pytest.raises(Stopped, match="2 objects are a Server payments"):
        console.run(script.apply, anyway=True)
    assert console.snapshot() == before
    console.run(script.apply.replace("NODE = ''", "NODE = 'node'"))
    changed = {key for key, values in console.snapshot().items() if before.get(key) != values}
    assert changed
    assert all("nodes/node/" in key for key in changed)


def test_objects_of_one_name_are_each_found_in_the_folder_that_they_were_imported_from() -> None:
    console, files = Wsadmin(), dict[str, bytes]()
    for node in ("a", "b"):
        console.server("payments", "orders", node=node)
        server = [key for key, kind in console.kinds.items() if kind == "Server"][-1]
        console.add("J2CActivationSpec", server, name="Spec")
        folder = f"cells/cell/nodes/{node}/servers/payments"
        files[f"{folder}/server.xml"] = b"""<Server name="payments"><services type="MessageListenerService">
<listenerPorts name="orders" maxSessions="1"/></services></Server>"""
        files[f"{folder}/resources.xml"] = b'<XMI><J2CResourceAdapter name="IBM MQ"><j2cActivationSpec name="Spec"/>'
        files[f"{folder}/resources.xml"] += b"</J2CResourceAdapter></XMI>"
    system = parse(PLATFORMS["websphere"].read(files).scenario).system
    sessions = {"orders": 2, "orders_2": 3}
    chosen = {f"queues.{name}.settings.maximum_sessions": value for name, value in sessions.items()}
    chosen |= {"queues.Spec.settings.maximum_server_sessions": 4, "queues.Spec_2.settings.maximum_server_sessions": 5}
    (script,) = [item for item in PLATFORMS["websphere"].write(system, chosen, "cafe") if item.format == "wsadmin"]
    console.run(script.apply)
    found = {place: set(values.values()) for place, values in console.snapshot().items()}
    assert {("nodes/a/" in place, number) for place, values in found.items() for number in values & set("2345")} == {
        (True, "2"),
        (False, "3"),
        (True, "4"),
        (False, "5"),
    }
    console.run(script.undo)


@pytest.mark.parametrize(
    ("kind", "named", "message"),
    [
        ("ListenerPort", {"name": "orders"}, "2 objects are a ListenerPort orders"),
        ("Property", {"name": "MAX.RECOVERY.RETRIES"}, "2 objects are a Property"),
    ],
)
def test_several_objects_of_one_name_end_the_script(kind: str, named: dict[str, str], message: str) -> None:
    console, script = started()
    service = next(key for key, item in console.kinds.items() if item == "MessageListenerService")
    console.add(kind, service, **named)
    with pytest.raises(Stopped, match=message):
        console.run(script.apply, anyway=True)


def test_an_object_that_is_not_there_ends_the_script() -> None:
    _, script = started()
    console = Wsadmin()
    console.server("payments", "other")
    with pytest.raises(Stopped, match="0 objects are a ListenerPort orders"):
        console.run(script.apply, anyway=True)
    with pytest.raises(Stopped, match="0 objects are a Server payments"):
        Wsadmin().run(script.apply, anyway=True)


def test_a_failure_of_any_statement_changes_all_or_nothing() -> None:
    """The console itself refuses changes that are left in the session."""
    console, script = started()
    all_or_nothing(console, script)


def changed_values(console: Wsadmin, platform: str, installed: dict[str, Any], chosen: dict[str, Any]) -> set[str]:
    """What the script for these changes makes of a console, as name=value; its undo then takes all of it back."""
    body = scenario_body(platform)
    for path, value in installed.items():
        kind, name, _, setting = path.split(".")
        next(item for item in body[kind] if item["name"] == name).setdefault("settings", {})[setting] = value
    script = written(platform, body, chosen)["wsadmin"]
    assert not set(script.left_out) & set(chosen)
    before = console.snapshot()
    assert "DIFFERS" not in console.run(script.apply)
    held = [item for item in console.attributes.values() if "value" in item]
    found = {f"{item.get('name', item.get('symbolicName'))}={item['value']}" for item in held}
    assert "DIFFERS" not in console.run(script.undo)
    assert console.snapshot() == console.snapshot() | before
    return found


def object_of(console: Wsadmin, kind: str) -> str:
    """The first object of a kind."""
    return next(key for key, held in console.kinds.items() if held == kind)


def test_the_timeout_of_one_port_is_found_under_its_name_and_changed_for_that_port_alone() -> None:
    console, key = Wsadmin(), "SERVER.SESSION.POOL.UNUSED.TIMEOUT"
    console.server("payments", "orders")
    console.add("Property", object_of(console, "MessageListenerService"), name=key, value="90")
    path = "queues.orders.settings.session_unused_timeout"
    assert changed_values(console, "websphere", {path: 90.0}, {path: 60.0}) == {f"{key}=90", f"{key}.orders=60"}
    assert changed_values(console, "websphere", {path: 90.0}, {path: 30.0}) == {f"{key}=90", f"{key}.orders=30"}


def test_the_reaper_s_property_is_found_by_either_spelling() -> None:
    console = Wsadmin()
    console.server("payments", "orders")
    console.add("Property", object_of(console, "MessageListenerService"), name="SERVER.SESSION.POOL.REAP", value="50")
    path = "queues.orders.settings.session_reap_time"
    assert changed_values(console, "websphere", {path: 50.0}, {path: 20.0}) == {"SERVER.SESSION.POOL.REAP=20"}


@pytest.mark.parametrize(
    ("place", "wider"),
    [
        ("cells/cell", "cells/cell/nodes/other"),
        ("cells/cell/nodes/node", "cells/cell"),
        ("cells/cell/clusters/C", "cells/cell/nodes/node"),
    ],
)
def test_a_variable_of_a_wider_place_is_found_and_the_server_gets_its_own(place: str, wider: str) -> None:
    console, key = Wsadmin(), "control_region_mdb_request_timeout"
    for server in ("payments", "second"):
        console.server(server, "orders")
    console.attributes[object_of(console, "Server")]["clusterName"] = "C"
    for folder, value in {place: "200", wider: "7", "cells/cell/clusters/D": "8"}.items():
        console.place = folder
        wide = console.add("VariableMap")
        console.add("VariableSubstitutionEntry", wide, symbolicName=key, value=value)
    path = "servers.payments.settings.mdb_request_timeout"
    own = {f"{key}=100"} | {f"{key}={value}" for value in (200, 7, 8)}
    assert changed_values(console, "websphere-zos", {path: 200.0}, {path: 100.0}) == own
    maps = [console.parents[item] for item, held in console.attributes.items() if held.get("value") == "200"]
    assert [("servers/payments" in item) for item in maps] == [False, True], "the undo leaves the server its own"
