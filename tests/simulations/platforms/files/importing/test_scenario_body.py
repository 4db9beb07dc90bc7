"""Scenario bodies from what files said: limits, defaults, and what the family forbids."""

import pytest

from simulations.declarations.problems import InvalidInput
from simulations.declarations.system import MAX_ENTRIES
from simulations.platforms.files.importing.drafts import Draft
from simulations.platforms.files.importing.scenario_body import assemble, check_number
from simulations.platforms.openmq.parameters import InstanceSettings, MdbSettings
from simulations.scenario.spec import parse


def test_more_queues_than_a_scenario_holds_are_refused() -> None:
    check_number({str(number): Draft("queues", str(number)) for number in range(MAX_ENTRIES)})
    with pytest.raises(InvalidInput, match=f"{MAX_ENTRIES + 1} queues"):
        check_number({str(number): Draft("queues", str(number)) for number in range(MAX_ENTRIES + 1)})


def test_what_no_file_says_is_defaulted_and_told() -> None:
    servers, queues = {"broker": Draft("servers", "broker")}, {"orders": Draft("queues", "orders")}
    reading = assemble("openmq", InstanceSettings, MdbSettings, servers, queues)
    spec = parse(reading.scenario)
    assert (spec.servers[0].cpus, spec.queues[0].server) == (1, "broker")
    told = {item.path: item.message for item in reading.account}
    assert "load unknown" in told["queues.orders.arrivals"]
    assert "no file says it" in told["servers.broker.cpus"]
