"""Rows that are shown and never changed by hand."""

from typing import Any

from django.contrib.auth import get_permission_codename
from django.contrib.auth.models import User
from django.http import HttpRequest

from planner.admin.generic import ModelAdmin


class ReadOnlyAdmin(ModelAdmin):
    """Lists and shows; no adding, changing or deleting. Actions may ask for the permission ``operate``."""

    def has_operate_permission(self, request: HttpRequest) -> bool:
        """Whoever may change such rows may use the actions that change them through services."""
        codename = get_permission_codename("change", self.opts)
        return request.user.has_perm(f"{self.opts.app_label}.{codename}")

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Services make such rows."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Never."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Never."""
        return False


def acting(request: HttpRequest) -> User | None:
    """Return who acts, for the audit trail."""
    return request.user if isinstance(request.user, User) else None
