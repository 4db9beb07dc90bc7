"""Scenarios as bodies."""

from planner import services
from planner.api.schemas.scenarios import ScenarioLine, ScenarioOut
from planner.models import Scenario


def test_a_line_has_the_number_of_the_version_and_no_body(scenario: Scenario) -> None:
    line = ScenarioLine.of(scenario)
    assert (line.id, line.name, line.version, line.archived) == (scenario.pk, "Surge backlog", 1, False)
    assert "spec" not in line.model_dump()


def test_a_scenario_has_its_current_body(scenario: Scenario) -> None:
    archived = services.scenario_archive(scenario=scenario, actor=scenario.owner)
    body = ScenarioOut.of(archived)
    assert (body.archived, body.revision) == (True, 2)
    assert (body.spec, body.version_id) == (archived.version.spec, archived.version.pk)
    assert body.content_hash == archived.version.content_hash
