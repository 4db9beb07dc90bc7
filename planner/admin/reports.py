"""Reports, the steps of their sign-off, and the addresses at which others read them."""

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from planner import services
from planner.admin.readonly import ReadOnlyAdmin, acting
from planner.models import Report, ReportStep, ShareLink


@admin.register(Report)
class ReportAdmin(ReadOnlyAdmin):
    """Frozen."""

    list_display = ("title", "state", "owner", "run", "created_at")
    list_filter = ("state",)
    list_select_related = ("owner", "run")
    search_fields = ("title", "id", "run__id")


@admin.register(ReportStep)
class ReportStepAdmin(ReadOnlyAdmin):
    """Chained by their digests."""

    list_display = ("report", "state", "actor", "comment", "at")
    list_filter = ("state",)
    list_select_related = ("report", "actor")
    search_fields = ("report__id", "report__title", "actor__username")
    date_hierarchy = "at"


@admin.register(ShareLink)
class ShareLinkAdmin(ReadOnlyAdmin):
    """Shown without secret, which nobody has; may be ended."""

    list_display = ("report", "created_by", "created_at", "expires_at", "revoked_at")
    list_select_related = ("report", "created_by")
    search_fields = ("report__id", "report__title", "created_by__username")
    actions = ("revoke",)

    @admin.action(description="End the selected links", permissions=["operate"])
    def revoke(self, request: HttpRequest, queryset: QuerySet[ShareLink]) -> None:
        """End them now."""
        for link in queryset:
            services.share_revoke(link=link, actor=acting(request))
