"""Runs and their answers."""

from collections.abc import Callable

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest

from planner import services
from planner.admin.readonly import ReadOnlyAdmin, acting
from planner.errors import Conflict
from planner.models import PointResult, Run


@admin.register(Run)
class RunAdmin(ReadOnlyAdmin):
    """Shown only; cancel, pause, resume and retry go through the state machine."""

    list_display = ("id", "status", "owner", "worker", "attempt", "created_at", "finished_at")
    list_filter = ("status", "engine_version")
    list_select_related = ("owner",)
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
        self._each(request, queryset, services.run_resume)

    @admin.action(description="Try the selected runs again", permissions=["operate"])
    def retry(self, request: HttpRequest, queryset: QuerySet[Run]) -> None:
        """Send failed and cancelled runs again; say which could not be."""
        self._each(request, queryset, services.run_retry)

    def _each(self, request: HttpRequest, queryset: QuerySet[Run], action: Callable[..., Run]) -> None:
        for run in queryset:
            try:
                action(run=run, actor=acting(request))
            except Conflict as error:
                self.message_user(request, f"{run.pk}: {error}", messages.WARNING)


@admin.register(PointResult)
class PointResultAdmin(ReadOnlyAdmin):
    """Written by workers."""

    list_display = ("run", "index", "status", "partial", "updated_at")
    list_filter = ("status", "partial")
    search_fields = ("run__id",)
