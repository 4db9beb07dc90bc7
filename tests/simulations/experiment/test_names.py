"""Paths of settings, what they are called, and a sweep by such a path."""

from typing import Any

import numpy as np
import pytest

from simulations.engine.network.results import Count
from simulations.engine.replicate import replicate
from simulations.experiment import expansion
from simulations.experiment.names import path_named, setting_at, settings_in
from simulations.experiment.words import setting_title, unit_of
from simulations.scenario.spec import ScenarioSpec, parse
from tests.simulations.platforms.samples import scenario_body

SHARE = "servers.payments.settings.work_managers.orders.fair_share"


def two_managers(**changes: Any) -> ScenarioSpec:
    """Two queues that are never empty, each with its own work manager, on four threads."""
    managers = [{"name": "orders", "fair_share": 50}, {"name": "bills", "fair_share": 50, "max_threads": "few"}]
    constraints = [{"name": "few", "kind": "max_threads", "count": 4}]
    server = {"work_managers": managers, "constraints": constraints, "thread_pool_maximum": 4}
    body = scenario_body("weblogic", server=server, queue={"work_manager": "orders"}, arrivals={"kind": "saturated"})
    body["queues"].append({**body["queues"][0], "name": "bills", "settings": {"work_manager": "bills"}})
    return parse({**body, "run": {"horizon": {"messages": 4000}}, **changes})


def test_what_work_managers_and_constraints_say_can_be_swept() -> None:
    offered = {item.path for item in settings_in(two_managers()) if item.can_be_swept}
    place = "servers.payments.settings"
    assert {SHARE, f"{place}.work_managers.bills.max_threads", f"{place}.constraints.few.count"} <= offered
    assert {"servers.payments.cpus", "queues.orders.producers", "queues.orders.message_size"} <= offered
    assert "queues.orders.arrivals.rate" not in offered, "a queue that is never empty has none"


def test_every_path_has_the_vendors_name_and_a_unit() -> None:
    spec = two_managers()
    assert (setting_title(spec, SHARE), unit_of(spec, SHARE)) == ("Fair share of orders", "weight")
    assert (setting_title(spec, "queues.bills.service.mean"), unit_of(spec, "queues.bills.service.mean"))[0:2] == (
        "Mean service time of bills",
        "s",
    )
    assert path_named(spec, "CPUs") == "servers.payments.cpus"
    assert setting_at(spec, "queues.nobody.service.mean") is None


def test_what_costs_is_declared() -> None:
    costs = {item.declaration.name for item in settings_in(two_managers()) if item.declaration.quantity.costs}
    assert {"cpus", "instances", "max_threads", "thread_pool_maximum"} <= costs
    assert not {"fair_share", "producers", "mean"} & costs


def test_a_sweep_of_a_fair_share_changes_the_simulated_shares() -> None:
    shares = []
    for point in expansion(two_managers(sweep=[{"path": SHARE, "values": [10, 200]}])).points:
        done = replicate(point.spec.network(), seed=1, replication=0).counts[:, :, Count.COMPLETED].sum(axis=0)
        shares.append(done[0] / np.sum(done))
    assert shares == [pytest.approx(10 / 60, abs=0.05), pytest.approx(200 / 250, abs=0.05)]
