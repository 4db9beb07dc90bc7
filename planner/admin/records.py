"""What is shown and not edited: tokens, the audit trail, scenarios, runs, reports, vendor configuration, webhooks."""

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from planner import services
from planner.admin.readonly import ReadOnlyAdmin, acting
from planner.models import (
    ApiToken,
    AuditEvent,
    Calibration,
    Delivery,
    Export,
    Import,
    PointResult,
    Report,
    ReportStep,
    Run,
    Scenario,
    ScenarioVersion,
    ServiceAccount,
    ShareLink,
    Webhook,
)


@admin.register(ApiToken)
class ApiTokenAdmin(ReadOnlyAdmin):
    """Shown without secret, which nobody has; may be revoked."""

    list_display = ("name", "prefix", "owner", "scopes", "expires_at", "revoked_at", "last_used_at")
    search_fields = ("name", "prefix", "owner__username")
    actions = ("revoke",)

    @admin.action(description="Revoke the selected tokens", permissions=["operate"])
    def revoke(self, request: HttpRequest, queryset: QuerySet[ApiToken]) -> None:
        """End them now."""
        for token in queryset.select_related("owner"):
            services.token_revoke(token=token)


@admin.register(ServiceAccount)
class ServiceAccountAdmin(ReadOnlyAdmin):
    """Made by the API; may be disabled."""

    list_display = ("name", "user", "purpose", "created_by", "created_at", "disabled_at")
    search_fields = ("name", "purpose")
    actions = ("disable",)

    @admin.action(description="Disable the selected accounts with all their tokens", permissions=["operate"])
    def disable(self, request: HttpRequest, queryset: QuerySet[ServiceAccount]) -> None:
        """End them now; say which could not."""
        for account in queryset:
            self.tried(request, account, services.service_disable, account=account)


@admin.register(Run)
class RunAdmin(ReadOnlyAdmin):
    """Shown only; cancel, pause, resume and retry go through the state machine."""

    list_display = ("id", "status", "owner", "worker", "attempt", "created_at", "finished_at")
    list_filter = ("status", "engine_version")
    search_fields = ("id", "content_hash", "result_hash", "owner__username")
    date_hierarchy = "created_at"
    actions = ("cancel", "pause", "resume", "retry")

    @admin.action(description="Cancel the selected runs", permissions=["operate"])
    def cancel(self, request: HttpRequest, queryset: QuerySet[Run]) -> None:
        """Ask for the end of each run."""
        for run in queryset:
            services.run_cancel(run=run, actor=acting(request))

    @admin.action(description="Pause the selected runs after their present round", permissions=["operate"])
    def pause(self, request: HttpRequest, queryset: QuerySet[Run]) -> None:
        """Ask each run to pause."""
        for run in queryset:
            services.run_pause(run=run, actor=acting(request))

    @admin.action(description="Let the selected runs go on", permissions=["operate"])
    def resume(self, request: HttpRequest, queryset: QuerySet[Run]) -> None:
        """Let paused runs go on; say which could not."""
        for run in queryset:
            self.tried(request, run, services.run_resume, run=run)

    @admin.action(description="Try the selected runs again", permissions=["operate"])
    def retry(self, request: HttpRequest, queryset: QuerySet[Run]) -> None:
        """Send failed and cancelled runs again; say which could not be."""
        for run in queryset:
            self.tried(request, run, services.run_retry, run=run)


@admin.register(ShareLink)
class ShareLinkAdmin(ReadOnlyAdmin):
    """Shown without secret, which nobody has; may be ended."""

    list_display = ("report", "created_by", "created_at", "expires_at", "revoked_at")
    search_fields = ("report__id", "report__title", "created_by__username")
    actions = ("revoke",)

    @admin.action(description="End the selected links", permissions=["operate"])
    def revoke(self, request: HttpRequest, queryset: QuerySet[ShareLink]) -> None:
        """End them now."""
        for link in queryset:
            services.share_revoke(link=link, actor=acting(request))


admin.site.register(
    AuditEvent,
    ReadOnlyAdmin,
    list_display=("at", "actor", "action", "target"),
    list_filter=("action",),
    search_fields=("target", "actor__username"),
    date_hierarchy="at",
)
admin.site.register(
    Scenario,
    ReadOnlyAdmin,
    list_display=("name", "platform", "owner", "revision", "archived_at", "updated_at"),
    list_filter=("platform", "archived_at"),
    search_fields=("name", "id", "owner__username"),
    date_hierarchy="updated_at",
)
admin.site.register(
    ScenarioVersion,
    ReadOnlyAdmin,
    list_display=("scenario", "number", "author", "note", "created_at"),
    search_fields=("id", "scenario__name", "scenario__id", "content_hash"),
)
admin.site.register(
    PointResult,
    ReadOnlyAdmin,
    list_display=("run", "index", "status", "partial", "updated_at"),
    list_filter=("status", "partial"),
    search_fields=("run__id",),
)
admin.site.register(
    Calibration,
    ReadOnlyAdmin,
    list_display=("id", "name", "status", "validated", "owner", "worker", "attempt", "created_at", "finished_at"),
    list_filter=("status", "validated"),
    search_fields=("id", "name", "location", "owner__username"),
    date_hierarchy="created_at",
)
admin.site.register(
    Report,
    ReadOnlyAdmin,
    list_display=("title", "state", "owner", "run", "created_at"),
    list_filter=("state",),
    search_fields=("title", "id", "run__id"),
)
admin.site.register(
    ReportStep,
    ReadOnlyAdmin,
    list_display=("report", "state", "actor", "comment", "at"),
    list_filter=("state",),
    search_fields=("report__id", "report__title", "actor__username"),
    date_hierarchy="at",
)
admin.site.register(
    Import,
    ReadOnlyAdmin,
    list_display=("scenario", "owner", "created_at"),
    search_fields=("id", "scenario__name", "scenario__id"),
)
admin.site.register(
    Export,
    ReadOnlyAdmin,
    list_display=("version", "format", "owner", "scenario_hash", "created_at"),
    list_filter=("format",),
    search_fields=("id", "version__scenario__name", "scenario_hash"),
)
admin.site.register(
    Webhook,
    ReadOnlyAdmin,
    list_display=("id", "owner", "url", "failures", "disabled_at", "disabled_reason", "deleted_at"),
    search_fields=("id", "url", "owner__username"),
)
admin.site.register(
    Delivery,
    ReadOnlyAdmin,
    list_display=("id", "webhook", "event", "target", "status", "attempts", "answered", "problem", "created_at"),
    list_filter=("status", "event"),
    search_fields=("id", "target", "webhook__id"),
)
