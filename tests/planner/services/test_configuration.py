"""What is kept of imports and exports, and what is refused."""

import hashlib

import pytest

from planner import services
from planner.api.examples import DESCRIPTOR
from planner.configuration.importing import configuration_read
from planner.errors import Conflict, NotFound
from planner.models import AuditEvent, Export, Run, Scenario
from simulations.declarations.problems import InvalidInput

NAME = "weblogic-ejb-jar.xml"
SESSIONS = "queues.orders.settings.maximum_sessions"


@pytest.mark.parametrize(
    ("comment", "kept"), [("", 1), ("<!-- the PASSWORD is elsewhere -->", 0), ("<!-- a Credential -->", 0)]
)
def test_a_file_that_may_hold_a_secret_is_not_kept(scenario: Scenario, comment: str, kept: int) -> None:
    files = {NAME: (DESCRIPTOR + comment).encode()}
    made = services.import_store(owner=scenario.owner, files=files, reading=configuration_read(files))
    (file,) = made.files.all()
    assert (file.name, file.size) == (NAME, len(files[NAME]))
    assert file.sha256 == hashlib.sha256(files[NAME]).hexdigest()
    assert (file.content is not None) == bool(kept)
    assert made.scenario.version.note == f"imported from {NAME}"


def test_an_export_keeps_what_was_written(scenario: Scenario) -> None:
    written = services.export_written(version=scenario.version, settings={SESSIONS: 50})
    made = services.export_store(
        owner=scenario.owner, version=scenario.version, wanted_format="wsadmin", run=None, written=written
    )
    assert Export.objects.get().changes == [{"path": SESSIONS, "before": 36, "after": 50}]
    assert made.scenario_hash == scenario.version.content_hash
    assert AuditEvent.objects.filter(action="export.create", target=made.pk).exists()


def test_a_run_that_has_not_succeeded_is_not_exported(run: Run) -> None:
    with pytest.raises(Conflict, match="this one is queued"):
        services.export_written(version=run.version, run=run)


def test_wrong_settings_are_named_where_they_were_sent(scenario: Scenario) -> None:
    with pytest.raises(InvalidInput) as refused:
        services.export_written(version=scenario.version, settings={SESSIONS: -1})
    assert refused.value.problems[0].pointer.startswith("/settings/")


def test_a_version_that_does_not_exist_is_not_installed(scenario: Scenario) -> None:
    with pytest.raises(NotFound, match="version '9'"):
        services.export_written(version=scenario.version, since=9, settings={SESSIONS: 50})


def test_a_new_scenario_is_written_whole_where_nothing_is_installed(scenario: Scenario) -> None:
    nothing, everything = (services.export_written(version=scenario.version, since=since) for since in (None, 0))
    assert nothing.changes == ()
    changed = {change.path: (change.before, change.after) for change in everything.changes}
    (server,), (queue,) = scenario.version.parsed.servers, scenario.version.parsed.queues
    assert changed[SESSIONS][1] == 36
    for item in (server, queue):
        usual, own = type(item.settings)().model_dump(mode="json"), item.settings.model_dump(mode="json")
        differing = {f"{item.path}.settings.{key}": (usual[key], own[key]) for key in own if own[key] != usual[key]}
        assert {path: change for path, change in changed.items() if path.startswith(item.path)} == differing
    assert "'maxSessions'" in everything.scripts["wsadmin"][0].apply
