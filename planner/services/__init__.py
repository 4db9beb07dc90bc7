"""Everything that changes stored data: ``<entity>_<action>``, keyword-only arguments, one transaction each."""

from planner.services.claims import (
    run_cancelled,
    run_claim,
    run_fail,
    run_finish,
    run_heartbeat,
    run_point_save,
    run_points_save,
    run_progress,
    run_session_save,
    runs_reap,
)
from planner.services.exports import export_create, export_written
from planner.services.imports import import_create
from planner.services.experiments import experiment_start
from planner.services.inventory import (
    inventory_save,
    queue_archive,
    queue_create,
    queue_restore,
    queue_update,
    server_archive,
    server_create,
    server_restore,
    server_update,
)
from planner.services.leases import LEASE
from planner.services.presets import presets_load
from planner.services.reports import report_create, report_html_save
from planner.services.runs import Started, run_cancel, run_retry, run_start
from planner.services.scenarios import (
    scenario_archive,
    scenario_compose,
    scenario_copy,
    scenario_create,
    scenario_restore,
    scenario_tag,
    scenario_update,
)
from planner.services.tokens import IssuedToken, token_create, token_revoke, token_use

__all__ = [
    "LEASE",
    "IssuedToken",
    "Started",
    "export_create",
    "export_written",
    "import_create",
    "experiment_start",
    "inventory_save",
    "presets_load",
    "queue_archive",
    "queue_create",
    "queue_restore",
    "queue_update",
    "report_create",
    "report_html_save",
    "run_cancel",
    "run_cancelled",
    "run_claim",
    "run_fail",
    "run_finish",
    "run_heartbeat",
    "run_point_save",
    "run_points_save",
    "run_progress",
    "run_retry",
    "run_session_save",
    "run_start",
    "runs_reap",
    "scenario_archive",
    "scenario_compose",
    "scenario_copy",
    "scenario_create",
    "scenario_restore",
    "scenario_tag",
    "scenario_update",
    "server_archive",
    "server_create",
    "server_restore",
    "server_update",
    "token_create",
    "token_revoke",
    "token_use",
]
