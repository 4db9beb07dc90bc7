"""Everything that reads stored data. Each selector takes the user and finds only what they may see."""

from planner.answers.summaries import StoredPoint
from planner.selectors.access import service_get, services_list, token_get, tokens_list, tokens_valid, webhook_get
from planner.selectors.access import webhooks_list, webhooks_told
from planner.selectors.comparison import Change, Comparison, Kpi, Setting, compared, queue_names
from planner.selectors.inventory import calibration_get, calibrations_list
from planner.selectors.inventory import export_get, import_get, patchable_files, target_imported
from planner.selectors.inventory import queue_get, queues_list, server_get, servers_list
from planner.selectors.owned import Person, may, role_check, role_of
from planner.selectors.reports import comment_get, link_get, report_get, report_may, report_shared
from planner.selectors.reports import reports_in_review, reports_list, reviewed_by, share_links, versions_since
from planner.selectors.results import own_point, point_read, run_claims, run_point, run_points, run_points_mark
from planner.selectors.results import run_series
from planner.selectors.runs import Experiment, Subject, experiment_get, experiment_read, experiments_list
from planner.selectors.runs import experiments_newest, job_log, newest_runs, points_counted, run_get, run_place
from planner.selectors.runs import runs_counted, runs_list, runs_of_scenario, runs_under_way, subject_get
from planner.selectors.scenarios import Difference, baseline_get, baseline_of, baselines_list, pinned_versions
from planner.selectors.scenarios import scenario_get, scenarios_grouped, scenarios_list, version_get, versions_diff
from planner.selectors.scenarios import versions_list, view_get, views_list
from planner.selectors.owned import events_list, handed_get, invitations_list, team_get, team_members, teams_list
