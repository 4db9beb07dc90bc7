"""Tokens and the audit trail."""

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from planner import services
from planner.admin.readonly import ReadOnlyAdmin
from planner.models import ApiToken, AuditEvent


@admin.register(ApiToken)
class ApiTokenAdmin(ReadOnlyAdmin):
    """Shown without secret, which nobody has; may be revoked."""

    list_display = ("name", "prefix", "owner", "scopes", "expires_at", "revoked_at", "last_used_at")
    list_select_related = ("owner",)
    search_fields = ("name", "prefix", "owner__username")
    actions = ("revoke",)

    @admin.action(description="Revoke the selected tokens", permissions=["operate"])
    def revoke(self, request: HttpRequest, queryset: QuerySet[ApiToken]) -> None:
        """End them now."""
        for token in queryset.select_related("owner"):
            services.token_revoke(token=token)


@admin.register(AuditEvent)
class AuditEventAdmin(ReadOnlyAdmin):
    """Written once."""

    list_display = ("at", "actor", "action", "target")
    list_filter = ("action",)
    list_select_related = ("actor",)
    search_fields = ("target", "actor__username")
    date_hierarchy = "at"
