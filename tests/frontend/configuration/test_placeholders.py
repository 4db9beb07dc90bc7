"""A load that an import made up is called a placeholder everywhere until somebody enters one."""

import copy
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from frontend.answers.assumptions import assumption_register
from planner import services
from planner.api.examples import DESCRIPTOR
from planner.configuration.importing import configuration_read
from planner.models import Scenario
from planner.reports.schema import WorkRow
from planner.reports.system import workload_table
from simulations.scenario.spec import parse

UNKNOWN = "Load unknown: enter it or import a log."


@pytest.fixture
def scenario(owner: User) -> Scenario:
    files = {"weblogic-ejb-jar.xml": DESCRIPTOR.encode()}
    return services.import_store(owner=owner, files=files, reading=configuration_read(files)).scenario


def entered(scenario: Scenario, *parts: str) -> Any:
    """The version after somebody changed these parts of the load of the first queue."""
    body = copy.deepcopy(scenario.version.spec)
    for part in parts:
        key = {"arrivals": "rate", "service": "mean"}[part]
        body["queues"][0][part][key] *= 2
    return services.scenario_replace(scenario=scenario, author=scenario.owner, spec=parse(body)).version


def test_the_import_page_and_the_workbench_say_that_the_load_is_unknown(person: Client, scenario: Scenario) -> None:
    account = person.get(f"/imports/{scenario.origin.pk}/").content.decode()
    assert UNKNOWN in account
    assert account.count("load unknown: enter it or import a log; until then") == 2
    assert 'id="placeholders"' in person.get(f"/scenarios/{scenario.pk}/").content.decode()


def test_an_entered_load_is_no_placeholder(person: Client, scenario: Scenario) -> None:
    assert scenario.version.parsed.placeholders == ("Orders",)
    assert entered(scenario, "arrivals").parsed.placeholders == ("Orders",)
    scenario.refresh_from_db()
    assert entered(scenario, "service").parsed.placeholders == ()
    assert 'id="placeholders"' not in person.get(f"/scenarios/{scenario.pk}/").content.decode()


def test_the_register_of_assumptions_names_the_placeholder(scenario: Scenario) -> None:
    work = workload_table(scenario.version.parsed, {})
    assert [WorkRow.model_validate(row).placeholder for row in work] == [True]
    told = {"settings": [], "workload": work, "calibration": None}
    (row,) = assumption_register(told, {})
    assert (row.origin, row.source) == ("assumed", "a placeholder of the import: no file says it")
    assert row.statement.endswith(UNKNOWN)
    changed = entered(scenario, "arrivals", "service")
    (measured,) = assumption_register({**told, "workload": workload_table(changed.parsed, {})}, {})
    assert (measured.origin, UNKNOWN in measured.statement) == ("given, not measured", False)
