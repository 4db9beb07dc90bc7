"""WLST and Deploy Tooling: a domain's work managers are made, changed, removed and taken back."""

import re
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from simulations.platforms import PLATFORMS
from simulations.platforms.shared.family import Script
from simulations.scenario.spec import parse
from tests.examples import examples
from tests.simulations.platforms.choosing import choices, filled_in, written
from tests.simulations.platforms.consoles import Stopped, Wlst, all_or_nothing
from tests.simulations.platforms.samples import scenario_body

MANY = examples(20, nightly=1_000)

managers = st.lists(
    st.fixed_dictionaries(
        {"name": st.sampled_from(["first", "second", "third"])},
        optional={
            "fair_share": st.integers(1, 1000),
            "max_threads": st.integers(1, 99) | st.just("both"),
            "min_threads": st.integers(1, 9),
            "capacity": st.integers(1, 999),
        },
    ),
    max_size=3,
    unique_by=lambda item: item["name"],
)


@MANY
@given(old=managers, new=managers, counts=st.tuples(st.integers(1, 99), st.integers(1, 99)))
def test_work_managers_are_made_changed_and_removed(
    old: list[dict[str, Any]], new: list[dict[str, Any]], counts: tuple[int, int]
) -> None:
    """WLST and Deploy Tooling: the domain holds what the scenario says, before, after, and before again."""
    shared = [[{"name": "both", "kind": "max_threads", "count": count}] for count in counts]
    empty = parse(scenario_body("weblogic"))
    start = parse(scenario_body("weblogic", server={"work_managers": old, "constraints": shared[0]}))
    path = "servers.payments.settings"
    console = Wlst(servers=["payments"], destinations=[])
    first = PLATFORMS["weblogic"].write(
        empty.system, {f"{path}.work_managers": old, f"{path}.constraints": shared[0]}, "cafe"
    )
    console.run(next(item.apply for item in first if item.format == "wlst"))
    assert _managers_of(console) == _expected(old)
    before = console.snapshot()
    scripts = PLATFORMS["weblogic"].write(
        start.system, {f"{path}.work_managers": new, f"{path}.constraints": shared[1]}, "cafe"
    )
    script = {item.format: item for item in scripts}["wlst"] if old != new or counts[0] != counts[1] else None
    if script is None:
        return
    console.run(script.apply)
    assert _managers_of(console) == _expected(new)
    console.run(script.undo)
    assert _managers_of(console) == _expected(old)
    assert _named(console.snapshot()) == _named(before)


def test_comments_name_every_value_that_changes() -> None:
    """In the script and the model, and of what is taken back."""
    managers = [{"name": "http", "fair_share": 80}, {"name": "mdb", "fair_share": 20}]
    start, path = parse(scenario_body("weblogic", server={"work_managers": managers})), "servers.payments.settings"
    wanted = [managers[0], {"name": "mdb", "fair_share": 320}]
    wlst, model, *_ = (
        item
        for item in PLATFORMS["weblogic"].write(start.system, {f"{path}.work_managers": wanted}, "cafe")
        if item.format in ("wlst", "wdt")
    )
    for script in (wlst, model):
        assert f"# {path}.work_managers.mdb.fair_share: 20 -> 320\n" in script.apply
        assert f"# {path}.work_managers.mdb.fair_share: 320 -> 20\n" in script.undo
        assert "work_managers.http" not in script.apply.split("import sys")[0]


ATTRIBUTES = {
    "fair_share": ("FairShareRequestClass", "FairShare"),
    "min_threads": ("MinThreadsConstraint", "Count"),
    "max_threads": ("MaxThreadsConstraint", "Count"),
    "capacity": ("Capacity", "Count"),
}


def _managers_of(console: Wlst) -> dict[str, dict[str, Any]]:
    """What the domain's work managers say, as the scenario writes it."""
    tuning = console.domain.getSelfTuning()
    found: dict[str, dict[str, Any]] = {}
    for (kind, name), bean in tuning.held.items():
        if kind != "WorkManager":
            continue
        found[name] = {}
        for key, (part, attribute) in ATTRIBUTES.items():
            target = bean.values.get(part)
            if target is not None:
                found[name][key] = "both" if target.name == "both" else target.values[attribute]
    return found


def _expected(items: list[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    return {item["name"]: {key: value for key, value in item.items() if key != "name"} for item in items}


def _named(snapshot: dict[str, Any]) -> dict[str, Any]:
    """Without references that were set and unset again: None is what an unset one says."""
    return {
        key: _named(value) if isinstance(value, dict) else value for key, value in snapshot.items() if value is not None
    }


def test_wlst_scripts_change_and_take_back() -> None:
    @examples(20, nightly=1_000)
    @given(case=choices("weblogic"))
    def check(case: tuple[dict[str, Any], dict[str, Any]]) -> None:
        script = written("weblogic", *case).get("wlst")
        if script is None:
            return
        kind = "UniformDistributedTopic" if case[0]["queues"][0].get("kind") == "topic" else "Queue"
        console = Wlst(servers=["payments"], destinations=["orders", "errors", "other"], kind=kind)
        console.run(script.undo, anyway=True)
        before = console.snapshot()
        console.run(script.apply)
        assert console.snapshot() != before
        console.run(script.undo)
        assert console.snapshot() == before

    check()


def test_an_error_destination_is_another_destination_of_the_domain() -> None:
    path = "queues.orders.settings.error_destination"
    scripts = written("weblogic", scenario_body("weblogic"), {path: "errors"})
    console = Wlst(servers=["payments"], destinations=["orders", "errors"])
    console.run(scripts["wlst"].apply)
    assert console.snapshot()["module"]["Queue.orders"]["DeliveryFailureParams."] == {"ErrorDestination": "errors"}
    module = filled_in(scripts["wdt"].apply)["resources"]["JMSSystemResource"]["orders-module"]["JmsResource"]
    assert module["Queue"]["orders"]["DeliveryFailureParams"] == {"ErrorDestination": "errors"}
    with pytest.raises(Exception, match="0 objects in JMS modules are a Queue errors"):
        Wlst(servers=["payments"], destinations=["orders"]).run(scripts["wlst"].apply)


def test_self_tuning_is_the_opposite_of_the_vendor_s_attribute() -> None:
    scripts = written("weblogic", scenario_body("weblogic"), {"servers.payments.settings.self_tuning": False})
    console = Wlst(servers=["payments"], destinations=[])
    console.run(scripts["wlst"].apply, anyway=True)
    assert console.snapshot()["Server.payments"] == {"Use81StyleExecuteQueues": True}
    reading = PLATFORMS["weblogic"].read({"m.yaml": yaml.safe_dump(filled_in(scripts["wdt"].apply)).encode()})
    assert reading.scenario["servers"][0]["settings"]["self_tuning"] is False


QUEUE = "queues.orders.settings"
WHOLE: dict[str, Any] = {
    f"{QUEUE}.error_destination": "errors",
    f"{QUEUE}.messages_quota": 500,
    f"{QUEUE}.messages_maximum": 5,
    f"{QUEUE}.redelivery_limit": 3,
    "servers.payments.settings.work_managers": [{"name": "work", "max_threads": 40, "fair_share": 10}],
    "servers.payments.settings.thread_pool_maximum": 50,
}
"""One setting of each kind that a script changes in another way."""


def started() -> tuple[Wlst, Script]:
    """A domain as the scenario has it, and the script for it."""
    script = written("weblogic", scenario_body("weblogic"), WHOLE)["wlst"]
    console = Wlst(servers=["payments"], destinations=["orders", "errors"])
    console.run(script.apply, anyway=True)
    console.run(script.undo)
    return console, script


def test_a_plan_shows_every_value_and_changes_nothing() -> None:
    console, script = started()
    before = console.snapshot()
    printed = console.run(script.apply, apply=False)
    assert console.snapshot() == before
    assert "present 400, expected 400, wanted 50" in printed
    for path in WHOLE:
        assert re.search(f"^ok +{path} .*: present .*, wanted ", printed, re.MULTILINE), path
    assert "Set APPLY = 1" in printed


def test_another_value_than_the_expected_one_ends_the_script() -> None:
    console, script = started()
    console.domain.lookupServer("payments").setSelfTuningThreadPoolSizeMax(77)
    before = console.snapshot()
    with pytest.raises(Stopped, match=r"DIFFERS servers\.payments\.settings\.thread_pool_maximum.*: present 77"):
        console.run(script.apply)
    assert console.snapshot() == before
    assert "All changes are made" in console.run(script.apply, anyway=True)


def test_a_name_in_two_modules_and_a_factory_without_a_name_end_the_script() -> None:
    console, script = started()
    console.add_module("second", ["orders"])
    with pytest.raises(Stopped, match="2 objects in JMS modules are a Queue orders"):
        console.run(script.apply, anyway=True)
    chosen = script.apply.replace("'module of orders': ''", "'module of orders': 'module'")
    chosen = chosen.replace("'module of factory of orders': ''", "'module of factory of orders': 'module'")
    console.run(chosen)
    with pytest.raises(Stopped, match="fill in NAMES"):
        console.run(script.undo.replace("'factory of orders': ''", "'factory of orders': \"\""))


def test_a_lock_of_somebody_else_is_left_alone() -> None:
    console, script = started()
    console.editor = "somebody"
    with pytest.raises(Exception, match="somebody is editing the domain"):
        console.run(script.apply)
    assert console.editor == "somebody"


def test_a_failure_of_any_statement_leaves_all_or_nothing_and_no_lock() -> None:
    """The console itself refuses a lock that is left, and changes that wait to be activated."""
    console, script = started()
    all_or_nothing(console, script)
