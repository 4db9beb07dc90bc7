"""Tokens and the audit trail."""

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest

from planner import services
from planner.admin.readonly import ReadOnlyAdmin, acting
from planner.errors import Forbidden
from planner.models import ApiToken, AuditEvent, ServiceAccount


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


@admin.register(ServiceAccount)
class ServiceAccountAdmin(ReadOnlyAdmin):
    """Made by the API or ``manage.py service_token``; may be disabled."""

    list_display = ("name", "user", "purpose", "created_by", "created_at", "disabled_at")
    list_select_related = ("user", "created_by")
    search_fields = ("name", "purpose")
    actions = ("disable",)

    @admin.action(description="Disable the selected accounts with all their tokens", permissions=["operate"])
    def disable(self, request: HttpRequest, queryset: QuerySet[ServiceAccount]) -> None:
        """End them now; say which could not."""
        for account in queryset:
            try:
                services.service_disable(account=account, actor=acting(request))
            except Forbidden as error:
                self.message_user(request, f"{account.name}: {error}", messages.WARNING)


@admin.register(AuditEvent)
class AuditEventAdmin(ReadOnlyAdmin):
    """Written once."""

    list_display = ("at", "actor", "action", "target")
    list_filter = ("action",)
    list_select_related = ("actor",)
    search_fields = ("target", "actor__username")
    date_hierarchy = "at"
