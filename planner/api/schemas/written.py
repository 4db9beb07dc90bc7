"""Stored rows as bodies, where more than one view writes them."""

from collections.abc import Mapping, Sequence
from typing import Any

from planner import selectors
from planner.api.schemas.configuration import (
    AccountLine,
    ExportOut,
    ImportedFileOut,
    ImportOut,
    ScriptOut,
    SettingChangeOut,
)
from planner.api.schemas.reports import ReportLine
from planner.api.schemas.runs import RunOut
from planner.api.schemas.scenarios import ScenarioLine, ScenarioOut
from planner.configuration.importing import account_counts
from planner.models import Export, Import, Report, Run, Scenario


def scenario_line(scenario: Scenario) -> ScenarioLine:
    """A scenario in a list."""
    return ScenarioLine.of(scenario, version=scenario.version.number, archived=scenario.archived_at is not None)


def scenario_out(scenario: Scenario) -> ScenarioOut:
    """A scenario with its current body."""
    version, line = scenario.version, scenario_line(scenario).model_dump()
    return ScenarioOut.of(scenario, **line, version_id=version.pk, content_hash=version.content_hash, spec=version.spec)


def run_out(run: Run, *, cached: bool = False) -> RunOut:
    """A run and where it stands."""
    return runs_out([run])[0].model_copy(update={"cached": cached})


def runs_out(runs: Sequence[Run]) -> list[RunOut]:
    """Runs and where they stand, with one query for all of them."""
    counted = selectors.points_counted(run_ids=[run.pk for run in runs])
    return [_run_out(run, counted.get(run.pk, selectors.PointCount())) for run in runs]


def _run_out(run: Run, count: selectors.PointCount) -> RunOut:
    return RunOut.of(
        run,
        scenario=run.version.scenario_id,
        scenario_name=run.spec["name"],
        version=run.version.number,
        cached=False,
        partial_results=count.partial > 0,
        points=run.plan["points"],
        points_answered=count.answered,
        engine=run.engine_version,
        model_rules={run.spec["platform"]: run.rules_version},
    )


def report_line(report: Report) -> ReportLine:
    """A report without its content."""
    return ReportLine.of(report, run=report.run_id)


def import_out(made: Import) -> ImportOut:
    """An import with the scenario it made."""
    return ImportOut.of(
        made,
        scenario=scenario_out(made.scenario),
        counts=account_counts(made.account),
        account=[AccountLine(**line) for line in made.account],
        files=[ImportedFileOut.of(file, patchable=file.content is not None) for file in made.files.all()],
    )


def export_out(made: Export) -> ExportOut:
    """An export with its scripts."""
    return ExportOut.of(
        made,
        status="succeeded",
        scenario=made.version.scenario_id,
        version=made.version.number,
        run=made.run_id,
        changes=[SettingChangeOut(**change) for change in made.changes],
        scripts=[_script_out(script) for script in made.scripts],
    )


def _script_out(script: Mapping[str, Any]) -> ScriptOut:
    return ScriptOut(**{key: value for key, value in script.items() if key != "format"})
