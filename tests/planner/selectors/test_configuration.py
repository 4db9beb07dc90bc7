"""Imports, their files and exports."""

import pytest
from django.contrib.auth.models import User

from planner import selectors, services
from planner.api.examples import DESCRIPTOR
from planner.configuration.importing import configuration_read
from planner.errors import NotFound
from planner.models import Import
from simulations.scenario.spec import parse

FILES = {"weblogic-ejb-jar.xml": DESCRIPTOR.encode()}


@pytest.fixture
def imported(owner: User) -> Import:
    """A descriptor that says nothing of the load."""
    return services.import_store(owner=owner, files=FILES, reading=configuration_read(FILES))


def test_imports_are_their_owners(imported: Import, stranger: User) -> None:
    assert selectors.import_get(user=imported.owner, import_id=imported.pk) == imported
    with pytest.raises(NotFound):
        selectors.import_get(user=stranger, import_id=imported.pk)


def test_files_that_can_be_patched_are_kept_as_they_came(imported: Import) -> None:
    assert selectors.patchable_files(scenario=imported.scenario) == FILES


def test_a_scenario_that_was_not_imported_has_no_files(owner: User, body: dict[str, object]) -> None:
    scenario = services.scenario_store(owner=owner, spec=parse(body))
    assert selectors.patchable_files(scenario=scenario) == {}
