"""Chosen settings become validated changes, or problems that name every wrong path and value."""

import pytest

from simulations.declarations.problems import InvalidInput
from simulations.platforms.shared.family import changed_system, changes_of
from simulations.scenario.spec import parse
from tests.simulations.platforms.samples import bean, scenario_body

LOW, HIGH = "queues.orders.settings.messages_threshold_low", "queues.orders.settings.messages_threshold_high"


def test_changes_of_servers_and_queues_know_both_values() -> None:
    system = bean().system
    beans, pool = changes_of(
        system,
        {"queues.orders.settings.max_beans_in_free_pool": 5, "servers.payments.settings.thread_pool_maximum": "50"},
    )
    assert (beans.path, beans.before, beans.after) == ("queues.orders.settings.max_beans_in_free_pool", 1000, 5)
    assert (pool.path, pool.before, pool.after) == ("servers.payments.settings.thread_pool_maximum", 400, 50)
    assert (pool.reverse.path, pool.reverse.before, pool.reverse.after) == (pool.path, 50, 400)


def test_settings_that_only_fit_together_are_changed_together() -> None:
    system = bean().system
    changes = changes_of(system, {LOW: 50, HIGH: 100})
    after = changed_system(system, changes)
    assert after.queues[0].settings.model_dump()["messages_threshold_low"] == 50
    assert after.servers == system.servers
    assert changed_system(after, tuple(change.reverse for change in changes)) == system
    with pytest.raises(InvalidInput):
        changes_of(system, {LOW: 50})


def test_only_the_named_queue_is_changed() -> None:
    body = scenario_body("weblogic")
    body["queues"].append({**body["queues"][0], "name": "bills"})
    system = parse(body).system
    after = changed_system(system, changes_of(system, {"queues.bills.settings.redelivery_limit": 3}))
    assert [queue.settings.model_dump()["redelivery_limit"] for queue in after.queues] == [-1, 3]


def test_every_wrong_path_and_value_is_named() -> None:
    chosen = {
        "queues.order.settings.redelivery_limit": 3,
        "servers.payments.cpus": 3,
        "queues.orders.settings.redelivery_limit": -5,
    }
    with pytest.raises(InvalidInput) as error:
        changes_of(bean().system, chosen)
    first, second, third = error.value.problems
    assert (first.path, second.path) == ("queues.order.settings.redelivery_limit", "servers.payments.cpus")
    assert "queues.orders.settings.redelivery_limit" in first.message
    assert third.path.endswith("redelivery_limit")
