"""What is shown and not edited, because services check and note every change. Some rows have actions."""

from collections.abc import Callable
from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from planner import models, services
from planner.admin.readonly import ReadOnlyAdmin, shown


def asking(name: str, description: str, service: Callable[..., Any], what: str) -> Callable[..., None]:
    """Return the action that asks ``service`` for each row, which it calls ``what``, and says which it refuses."""

    @admin.action(description=description, permissions=["operate"])
    def act(shown: ReadOnlyAdmin, request: HttpRequest, rows: QuerySet[Any]) -> None:
        for row in rows:
            shown.tried(request, row, service, **{what: row})

    act.__name__ = name
    return act


@admin.register(models.Run)
class RunAdmin(ReadOnlyAdmin):
    """Shown only; cancel, pause, resume and retry go through the state machine."""

    list_display = ("id", "status", "owner", "worker", "attempt", "created_at", "finished_at")
    list_filter = ("status", "engine_version")
    search_fields = ("id", "content_hash", "result_hash", "owner__username")
    date_hierarchy = "created_at"
    actions = (
        asking("cancel", "Cancel the selected runs", services.job_cancel, "job"),
        asking("pause", "Pause the selected runs after their present round", services.job_pause, "job"),
        asking("resume", "Let the selected runs go on", services.job_resume, "job"),
        asking("retry", "Try the selected runs again", services.run_retry, "run"),
    )


@admin.register(models.ShareLink)
class ShareLinkAdmin(ReadOnlyAdmin):
    """Shown without secret, which nobody has; may be ended."""

    list_display = ("report", "created_by", "created_at", "expires_at", "revoked_at")
    search_fields = ("report__id", "report__title", "created_by__username")
    actions = (asking("revoke", "End the selected links", services.share_revoke, "link"),)


REVOKE = asking("revoke", "Revoke the selected tokens", services.token_revoke, "token")
DISABLE = asking("disable", "Disable the selected accounts with all their tokens", services.service_disable, "account")
TOKEN = ("name", "prefix", "owner", "scopes", "expires_at", "revoked_at", "last_used_at")
shown(models.ApiToken, *TOKEN, actions=[REVOKE])
shown(models.ServiceAccount, "name", "user", "purpose", "created_by", "created_at", "disabled_at", actions=[DISABLE])
shown(models.AuditEvent, "at", "actor", "action", "target", "team")
shown(models.Team, "id", "name", "created_at")
shown(models.Membership, "team", "user", "role")
shown(models.Server, "name", "platform", "cpus", "workload_profile", "instances", "owner", "team")
shown(models.Queue, "name", "server", "kind", "producers", "owner")
shown(models.Scenario, "name", "platform", "owner", "team", "revision", "archived_at", "updated_at")
shown(models.ScenarioVersion, "scenario", "number", "author", "note", "content_hash", "created_at")
shown(models.PointResult, "run", "index", "status", "partial", "updated_at")
shown(models.Calibration, "id", "name", "status", "validated", "location", "owner", "worker", "attempt", "created_at")
shown(models.Report, "title", "state", "owner", "run", "created_at")
shown(models.ReportStep, "report", "state", "actor", "comment", "at")
shown(models.Import, "scenario", "owner", "created_at")
shown(models.Export, "version", "format", "owner", "scenario_hash", "created_at")
shown(models.Webhook, "id", "owner", "url", "failures", "disabled_at", "disabled_reason", "deleted_at")
shown(models.Delivery, "id", "webhook", "event", "target", "status", "attempts", "answered", "problem", "created_at")
