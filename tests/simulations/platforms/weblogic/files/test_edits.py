"""Quotas in WLST and Deploy Tooling: made where there is none, changed, and taken away again."""

from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from simulations.declarations.problems import InvalidInput
from simulations.platforms import PLATFORMS
from simulations.platforms.shared.family import Script
from simulations.scenario.spec import parse
from tests.examples import examples
from tests.simulations.platforms.choosing import filled_in
from tests.simulations.platforms.consoles import Bean, Wlst
from tests.simulations.platforms.samples import scenario_body

LARGEST = 2**63 - 1
bounds = st.just(-1) | st.integers(1, 10**12)
quotas = st.fixed_dictionaries(
    {"messages_quota": bounds, "bytes_quota": bounds, "blocking_send_policy": st.sampled_from(["FIFO", "Preemptive"])}
)


def written(old: dict[str, Any], new: dict[str, Any]) -> dict[str, Script]:
    """The scripts that lead from one quota to another."""
    system = parse(scenario_body("weblogic", queue=old)).system
    chosen = {f"queues.orders.settings.{key}": value for key, value in new.items() if old.get(key) != value}
    return {script.format: script for script in PLATFORMS["weblogic"].write(system, chosen, "cafe")}


def installed(quota: dict[str, Any]) -> Wlst:
    """A domain with what the scenario says."""
    console = Wlst(servers=["payments"], destinations=["orders", "other"])
    if script := written({}, quota).get("wlst"):
        console.run(script.apply)
    return console


def quota_of(console: Wlst) -> dict[str, Any] | None:
    """The quota of the destination as the scenario writes it; None where there is none."""
    found = console.module.lookupQueue("orders").getQuota()
    if found is None:
        return None
    numbers = {
        key: found.values[name]
        for key, name in (("messages_quota", "MessagesMaximum"), ("bytes_quota", "BytesMaximum"))
    }
    policy = {"blocking_send_policy": found.values["Policy"]}
    return {**{key: -1 if value == LARGEST else value for key, value in numbers.items()}, **policy}


def expected(quota: dict[str, Any]) -> dict[str, Any] | None:
    return None if quota["messages_quota"] == quota["bytes_quota"] == -1 else quota


@examples(60, nightly=1_000)
@given(old=quotas, new=quotas)
def test_a_quota_is_made_changed_and_taken_away(old: dict[str, Any], new: dict[str, Any]) -> None:
    console = installed(old)
    assert quota_of(console) == expected(old)
    before = console.snapshot()
    script = written(old, new).get("wlst")
    if script is None:
        assert expected(old) == expected(new)
        return
    console.run(script.apply)
    assert quota_of(console) == expected(new)
    console.run(script.undo)
    assert console.snapshot() == before


@examples(60, nightly=1_000)
@given(old=quotas, new=quotas)
def test_a_model_names_the_quota_beside_its_destination(old: dict[str, Any], new: dict[str, Any]) -> None:
    script = written(old, new).get("wdt")
    if script is None:
        return
    for text, wanted in ((script.apply, new), (script.undo, old)):
        module = filled_in(text)["resources"]["JMSSystemResource"]["orders-module"]["JmsResource"]
        if expected(wanted) is None:
            assert module == {"Quota": {"!orders-quota": None}, "Queue": {"orders": {"Quota": ""}}}
            continue
        assert module["Queue"]["orders"]["Quota"] == "orders-quota"
        body = {"resources": {"JMSSystemResource": {"m": {"JmsResource": module}}}}
        reading = PLATFORMS["weblogic"].read({"m.yaml": yaml.safe_dump(body).encode()})
        read_back = parse(reading.scenario).queues[0].settings.model_dump()
        changed = {key for key in wanted if old[key] != new[key]}
        assert {key: read_back[key] for key in changed} == {key: wanted[key] for key in changed}


def test_a_quota_of_several_destinations_ends_the_script() -> None:
    console = installed({})
    shared = console.module.createQuota("all")
    for name in ("orders", "other"):
        console.module.lookupQueue(name).setQuota(shared)
    script = written({}, {"messages_quota": 100})["wlst"]
    with pytest.raises(Exception, match="quota all is also that of other"):
        console.run(script.apply)


def test_a_quota_that_somebody_else_made_is_changed_and_stays() -> None:
    console = installed({})
    own: Bean = console.module.createQuota("all")
    own.setBytesMaximum(LARGEST)
    own.setMessagesMaximum(500)
    own.setPolicy("FIFO")
    console.module.lookupQueue("orders").setQuota(own)
    before = console.snapshot()
    script = written({"messages_quota": 500}, {"messages_quota": -1})["wlst"]
    console.run(script.apply)
    assert quota_of(console) == {"messages_quota": -1, "bytes_quota": -1, "blocking_send_policy": "FIFO"}
    console.run(script.undo)
    assert console.snapshot() == before


def test_a_policy_without_a_quota_is_named_as_not_written() -> None:
    path = "queues.orders.settings.blocking_send_policy"
    assert "wlst" not in written({}, {"blocking_send_policy": "Preemptive"})
    scripts = written({}, {"blocking_send_policy": "Preemptive", "redelivery_limit": 3})
    assert scripts["wlst"].left_out == scripts["wdt"].left_out == (path,)
    with pytest.raises(InvalidInput):
        written({}, {"messages_quota": -2})
