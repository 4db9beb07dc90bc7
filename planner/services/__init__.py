"""Everything that changes stored data: ``<entity>_<action>``, keyword-only arguments, one transaction each."""

from planner.jobs.calibrate import calibration_repeat, calibration_stop
from planner.jobs.transitions import job_cancel, job_pause, job_resume, job_retry
from planner.services.access import factor_end, service_create, service_disable, service_manage_check
from planner.services.access import service_token_create, session_end, session_note, token_create, token_revoke
from planner.services.access import token_use, webhook_activate, webhook_create, webhook_delete, webhook_send
from planner.services.calibrations import calibration_discard, calibration_draft, calibration_scenario
from planner.services.calibrations import calibration_store
from planner.services.configuration import export_store, export_written, import_store
from planner.services.inventory import inventory_save, queue_store, queue_update, scenario_composed, server_store
from planner.services.inventory import server_update
from planner.services.reports import comment_create, comment_delete, report_create, report_html, report_pdf, report_step
from planner.services.reports import share_create, share_read, share_revoke
from planner.services.rows import row_archive
from planner.services.runs import Started, experiment_prepare, run_prepare, run_retry, run_start
from planner.services.scenarios import baseline_pin, baseline_unpin, presets_load, scenario_archive, scenario_copied
from planner.services.scenarios import scenario_locked, scenario_replace, scenario_store, scenario_tag, view_create
from planner.services.scenarios import view_update
from planner.services.teams import hand_over, invitation_accept, invitation_read, invitation_withdraw, member_invite
from planner.services.teams import member_remove, member_set, person_close, team_create
