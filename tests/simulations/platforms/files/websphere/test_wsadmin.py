"""wsadmin scripts: each object is looked up, several of one name end the plan, a failure leaves nothing half done."""

from typing import Any

import pytest

from simulations.platforms.shared.family import Script
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
