"""Stored rows as bodies."""

from collections.abc import Mapping, Sequence
from typing import Any

from planner import selectors
from planner.api.schemas.access import ReportLine, TokenOut
from planner.api.schemas.configuration import (
    AccountLine,
    ExportOut,
    ImportedFileOut,
    ImportOut,
    ScriptOut,
    SettingChangeOut,
)
from planner.api.schemas.inventory import QueueOut, ServerOut
from planner.api.schemas.runs import RunOut
from planner.api.schemas.scenarios import ScenarioLine, ScenarioOut, VersionOut
from planner.configuration.importing import account_counts
from planner.models import ApiToken, Export, Import, Queue, Report, Run, Scenario, ScenarioVersion, Server
from planner.services.composition import queue_body, server_body


def server_out(server: Server) -> ServerOut:
    """A stored server."""
    body = server_body(server)
    return ServerOut(
        id=server.pk,
        platform=server.platform,
        archived=server.archived_at is not None,
        updated_at=server.updated_at,
        **body,
    )


def queue_out(queue: Queue) -> QueueOut:
    """A stored queue."""
    return QueueOut(
        id=queue.pk,
        server_id=queue.server_id,
        archived=queue.archived_at is not None,
        updated_at=queue.updated_at,
        **queue_body(queue),
    )


def scenario_line(scenario: Scenario) -> ScenarioLine:
    """A scenario in a list."""
    return ScenarioLine(
        id=scenario.pk,
        name=scenario.name,
        platform=scenario.platform,
        tags=scenario.tags,
        preset=scenario.preset,
        revision=scenario.revision,
        version=scenario.version.number,
        archived=scenario.archived_at is not None,
        updated_at=scenario.updated_at,
    )


def scenario_out(scenario: Scenario) -> ScenarioOut:
    """A scenario with its current body."""
    version = scenario.version
    return ScenarioOut(
        **scenario_line(scenario).model_dump(),
        version_id=version.pk,
        content_hash=version.content_hash,
        created_at=scenario.created_at,
        spec=version.spec,
    )


def version_out(version: ScenarioVersion) -> VersionOut:
    """One version."""
    return VersionOut(
        id=version.pk,
        number=version.number,
        parent=version.parent_id,
        author=version.author.get_username(),
        note=version.note,
        content_hash=version.content_hash,
        created_at=version.created_at,
        spec=version.spec,
    )


def run_out(run: Run, *, cached: bool = False) -> RunOut:
    """A run and where it stands."""
    return runs_out([run])[0].model_copy(update={"cached": cached})


def runs_out(runs: Sequence[Run]) -> list[RunOut]:
    """Runs and where they stand, with one query for all of them."""
    counted = selectors.points_counted(run_ids=[run.pk for run in runs])
    return [_run_out(run, counted.get(run.pk, selectors.PointCount())) for run in runs]


def _run_out(run: Run, count: selectors.PointCount) -> RunOut:
    return RunOut(
        id=run.pk,
        scenario=run.version.scenario_id,
        scenario_name=run.spec["name"],
        version=run.version.number,
        status=run.status,
        cached=False,
        progress=run.progress,
        partial_results=count.partial > 0,
        points=run.plan["points"],
        points_answered=count.answered,
        seed=run.seed,
        engine=run.engine_version,
        model_rules={run.spec["platform"]: run.rules_version},
        content_hash=run.content_hash,
        result_hash=run.result_hash,
        reproduced=run.reproduced,
        error=run.error,
        attempt=run.attempt,
        timings=run.timings,
        created_at=run.created_at,
        started_at=run.started_at,
        finished_at=run.finished_at,
    )


def token_out(token: ApiToken) -> TokenOut:
    """A token without its secret."""
    return TokenOut(
        id=token.pk,
        name=token.name,
        prefix=token.prefix,
        scopes=token.scopes,
        expires_at=token.expires_at,
        revoked_at=token.revoked_at,
        last_used_at=token.last_used_at,
        created_at=token.created_at,
    )


def report_line(report: Report) -> ReportLine:
    """A report without its content."""
    return ReportLine(
        id=report.pk,
        run=report.run_id,
        title=report.title,
        state=report.state,
        payload_hash=report.payload_hash,
        created_at=report.created_at,
    )


def import_out(made: Import) -> ImportOut:
    """An import with the scenario it made."""
    files = [
        ImportedFileOut(name=file.name, size=file.size, sha256=file.sha256, patchable=file.content is not None)
        for file in made.files.all()
    ]
    return ImportOut.model_validate(
        {
            "id": made.pk,
            "scenario": scenario_out(made.scenario),
            "counts": account_counts(made.account),
            "account": [AccountLine(**line) for line in made.account],
            "files": files,
            "created_at": made.created_at,
        }
    )


def export_out(made: Export) -> ExportOut:
    """An export with its scripts."""
    return ExportOut.model_validate(
        {
            "id": made.pk,
            "status": "succeeded",
            "format": made.format,
            "scenario": made.version.scenario_id,
            "version": made.version.number,
            "run": made.run_id,
            "scenario_hash": made.scenario_hash,
            "changes": [SettingChangeOut(**change) for change in made.changes],
            "scripts": [_script_out(script) for script in made.scripts],
            "created_at": made.created_at,
        }
    )


def _script_out(script: Mapping[str, Any]) -> ScriptOut:
    return ScriptOut(**{key: value for key, value in script.items() if key != "format"})
