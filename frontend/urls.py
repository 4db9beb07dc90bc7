"""Addresses of the pages."""

from collections.abc import Iterable

from django.urls import URLPattern, path

from frontend.compare import views as compare
from frontend.configuration import exports, imports
from frontend.explore import views as explore
from frontend.reports import views as reports
from frontend.results import views as results
from frontend.scenarios import versions
from frontend.scenarios import views as scenarios
from frontend.site import account, guide, teams
from frontend.site.base import View
from frontend.telemetry import views as telemetry
from frontend.workbench import curves
from frontend.workbench import inventory_views as inventory
from frontend.workbench import views as workbench

ARCHIVING = ("archive", "restore")


def stepped(thing: str, address: str, view: View, steps: Iterable[str]) -> list[URLPattern]:
    """Return an address below that of a thing for each of the steps that the view takes with it."""
    return [path(f"{address}{step}/", view, {"step": step}, name=f"{thing}-{step}") for step in steps]


urlpatterns = [
    path("", scenarios.scenarios, name="scenarios"),
    path("questions/", scenarios.questions_asked, name="questions"),
    path("questions/<str:preset>/", scenarios.question_answer, name="question-answer"),
    path("scenarios/start/", workbench.scenario_start, name="scenario-start"),
    path("scenarios/new/", scenarios.scenario_new, name="scenario-new"),
    path("scenarios/chosen/", scenarios.scenarios_chosen, name="scenarios-chosen"),
    path("scenarios/chosen/undo/", scenarios.scenarios_undo, name="scenarios-undo"),
    path("scenarios/chosen.csv", scenarios.scenarios_csv, name="scenarios-csv"),
    path("views/new/", scenarios.view_new, name="view-new"),
    path("views/<str:view_id>/", scenarios.view_change, name="view"),
    path("views/<str:view_id>/delete/", scenarios.view_step, {"step": "archive"}, name="view-archive"),
    path("views/<str:view_id>/restore/", scenarios.view_step, {"step": "restore"}, name="view-restore"),
    path("imports/new/", imports.import_new, name="import-new"),
    path("imports/<str:import_id>/", imports.import_shown, name="import"),
    path("scenarios/<str:scenario_id>/export/", exports.scenario_export, name="scenario-export"),
    path("scenarios/<str:scenario_id>/drift/", imports.scenario_drift, name="scenario-drift"),
    path("runs/<str:run_id>/export/", exports.run_export, name="run-export"),
    path("scenarios/<str:scenario_id>/", workbench.workbench, name="workbench"),
    path("scenarios/<str:scenario_id>/answer/", workbench.workbench_answer, name="workbench-answer"),
    path("scenarios/<str:scenario_id>/curve/", curves.workbench_curve, name="workbench-curve"),
    path("scenarios/<str:scenario_id>/fields/", workbench.workbench_fields, name="workbench-fields"),
    path("scenarios/<str:scenario_id>/baseline/", compare.baseline_pin, name="baseline-pin"),
    path("baselines/<str:baseline_id>/unpin/", compare.baseline_unpin, name="baseline-unpin"),
    path("scenarios/<str:scenario_id>/explore/", explore.explore, name="explore"),
    path("experiments/", explore.experiments, name="experiments"),
    path("experiments/<str:experiment_id>/", explore.experiment, name="experiment"),
    path("experiments/<str:experiment_id>/live/", explore.experiment_live, name="experiment-live"),
    path("experiments/<str:experiment_id>/adopt/", explore.experiment_adopt, name="experiment-adopt"),
    path("scenarios/<str:scenario_id>/copy/", scenarios.scenario_copy, name="scenario-copy"),
    *stepped("scenario", "scenarios/<str:scenario_id>/", scenarios.scenario_step, ARCHIVING),
    path("scenarios/<str:scenario_id>/versions/", versions.history, name="versions"),
    path("scenarios/<str:scenario_id>/versions/<int:number>/restore/", versions.restore, name="version-restore"),
    path("scenarios/<str:scenario_id>/tags/", versions.tags, name="scenario-tags"),
    path("scenarios/<str:scenario_id>/store/", versions.store, name="scenario-store"),
    path("runs/<str:run_id>/longer/", versions.longer, name="run-longer"),
    path("inventory/", inventory.inventory, name="inventory"),
    path("inventory/compose/", inventory.compose, name="inventory-compose"),
    path("inventory/servers/new/", inventory.server_new, name="server-new"),
    path("inventory/servers/<str:server_id>/", inventory.server, name="server"),
    *stepped("server", "inventory/servers/<str:server_id>/", inventory.stored_step, ARCHIVING),
    *stepped("queue", "inventory/queues/<str:queue_id>/", inventory.stored_step, ARCHIVING),
    path("inventory/servers/<str:server_id>/queues/new/", inventory.queue_new, name="queue-new"),
    path("inventory/queues/<str:queue_id>/", inventory.queue, name="queue"),
    path("status/", guide.status, name="status"),
    path("runs/", results.runs, name="drawer"),
    path("compare/", compare.compare, name="compare"),
    path("compare/progress/", compare.compare_progress, name="compare-progress"),
    path("compare/run/", compare.compare_run, name="compare-run"),
    path("compare/basket/", compare.basket, name="basket"),
    path("compare/chosen/", compare.compare_chosen, name="compare-chosen"),
    path("runs/<str:run_id>/", results.run, name="run"),
    path("runs/<str:run_id>/live/", results.run_live, name="run-live"),
    *stepped("run", "runs/<str:run_id>/", results.run_step, results.STEPS),
    path("runs/<str:run_id>/fix/", results.run_fix, name="run-fix"),
    path("runs/<str:run_id>/proof/", results.run_proof, name="run-proof"),
    path("runs/<str:run_id>/report/", reports.report_new, name="report-new"),
    path("telemetry/", telemetry.calibrations, name="calibrations"),
    path("telemetry/<str:calibration_id>/", telemetry.calibration, name="calibration"),
    path("telemetry/<str:calibration_id>/progress/", telemetry.calibration_progress, name="calibration-progress"),
    *stepped("calibration", "telemetry/<str:calibration_id>/", telemetry.steer, telemetry.STEPS),
    path("telemetry/<str:calibration_id>/scenario/", telemetry.calibration_scenario, name="calibration-scenario"),
    path("reports/", reports.reports, name="reports"),
    path("reports/schema.json", reports.report_schema_json, name="report-schema"),
    path("reports/<str:report_id>.pdf", reports.report_file, {"form": "pdf"}, name="report-pdf"),
    path("reports/<str:report_id>/capsule.zip", reports.report_file, {"form": "capsule"}, name="report-capsule"),
    path("reports/<str:report_id>/tables.zip", reports.report_file, {"form": "parquet"}, name="report-parquet"),
    path("reports/<str:report_id>/", reports.report, name="report"),
    path("reports/<str:report_id>/step/", reports.report_step, name="report-step"),
    path("reports/<str:report_id>/share/", reports.report_share, name="report-share"),
    path("reports/<str:report_id>/data.csv", reports.report_file, {"form": "csv"}, name="report-csv"),
    path("reports/<str:report_id>/comments/", reports.comment_new, name="report-comment"),
    path("comments/<str:comment_id>/delete/", reports.comment_delete, name="comment-delete"),
    path("shares/<str:link_id>/revoke/", reports.share_revoke, name="share-revoke"),
    path("shared/<str:secret>/", reports.report_shared, name="report-shared"),
    path("shared/<str:secret>/file.html", reports.report_shared_html, name="report-shared-html"),
    path("reports/<str:report_id>/file.html", reports.report_file, {"form": "html"}, name="report-html"),
    path("reports/<str:report_id>/data.json", reports.report_file, {"form": "json"}, name="report-json"),
    path("help/", guide.guide, name="help"),
    path("help/<slug:page>.md", guide.guide, name="help-page"),
    path("help/api/", guide.api_reference, name="api-reference"),
    path("help/api/<slug:resource>/", guide.api_reference, name="api-resource"),
    path("teams/", teams.teams, name="teams"),
    path("teams/<str:team_id>/", teams.team, name="team"),
    path("teams/<str:team_id>/members/", teams.member_set, name="team-members"),
    path("teams/<str:team_id>/invitations/", teams.invitations, name="team-invitations"),
    path("invitations/<str:invitation_secret>/", teams.invitation, name="invitation"),
    path("teams/<str:team_id>/activity/", teams.activity, name="team-activity"),
    path("account/activity/", teams.activity, name="activity"),
    path("hand-over/", teams.hand_over, name="hand-over"),
    path("account/sessions/", account.sessions, name="usersessions_list"),
    path("account/tokens/", account.tokens, name="tokens"),
    path("account/webhooks/", account.webhooks, name="webhooks"),
    *stepped("webhook", "account/webhooks/<str:webhook_id>/", account.webhook_step, ("delete", "activate", "test")),
    *stepped("delivery", "account/webhooks/<str:webhook_id>/<str:delivery_id>/", account.webhook_step, ["redeliver"]),
    path("account/tokens/<str:token_id>/revoke/", account.token_revoke, name="token-revoke"),
]
