"""Addresses of the pages."""

from django.urls import path

from frontend.views import account, reports, results, scenarios, workbench

urlpatterns = [
    path("", scenarios.scenarios, name="scenarios"),
    path("scenarios/new/", scenarios.scenario_new, name="scenario-new"),
    path("scenarios/<str:scenario_id>/", workbench.workbench, name="workbench"),
    path("scenarios/<str:scenario_id>/answer/", workbench.workbench_answer, name="workbench-answer"),
    path("scenarios/<str:scenario_id>/fields/", workbench.workbench_fields, name="workbench-fields"),
    path("scenarios/<str:scenario_id>/copy/", scenarios.scenario_copy, name="scenario-copy"),
    path("scenarios/<str:scenario_id>/archive/", scenarios.scenario_archive, name="scenario-archive"),
    path("scenarios/<str:scenario_id>/restore/", scenarios.scenario_restore, name="scenario-restore"),
    path("runs/", results.drawer, name="drawer"),
    path("runs/<str:run_id>/", results.run, name="run"),
    path("runs/<str:run_id>/progress/", results.run_progress, name="run-progress"),
    path("runs/<str:run_id>/cancel/", results.run_cancel, name="run-cancel"),
    path("runs/<str:run_id>/retry/", results.run_retry, name="run-retry"),
    path("runs/<str:run_id>/fix/", results.run_fix, name="run-fix"),
    path("runs/<str:run_id>/report/", reports.report_new, name="report-new"),
    path("reports/", reports.reports, name="reports"),
    path("reports/<str:report_id>/", reports.report, name="report"),
    path("reports/<str:report_id>/file.html", reports.report_html, name="report-html"),
    path("reports/<str:report_id>/data.json", reports.report_json, name="report-json"),
    path("account/tokens/", account.tokens, name="tokens"),
    path("account/tokens/<str:token_id>/revoke/", account.token_revoke, name="token-revoke"),
]
