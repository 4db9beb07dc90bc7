"""Rows that are shown and never changed by hand; Django's admin classes without their type parameters."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from django.contrib import admin, messages
from django.contrib.auth import get_permission_codename
from django.contrib.auth.models import User
from django.db.models import BooleanField, CharField, ForeignKey, Model
from django.http import HttpRequest

from planner.errors import Conflict, Forbidden

if TYPE_CHECKING:
    ModelAdmin = admin.ModelAdmin[Any]
else:
    ModelAdmin = admin.ModelAdmin


class ReadOnlyAdmin(ModelAdmin):
    """Lists and shows; no adding, changing or deleting. Actions may ask for the permission ``operate``."""

    def get_list_select_related(self, request: HttpRequest) -> list[str]:
        """Return the foreign keys among the columns, so that a list takes one query."""
        keys = {field.name for field in self.opts.fields if isinstance(field, ForeignKey)}
        return [name for name in self.list_display if name in keys]

    def has_operate_permission(self, request: HttpRequest) -> bool:
        """Whoever may change such rows may use the actions that change them through services."""
        codename = get_permission_codename("change", self.opts)
        return request.user.has_perm(f"{self.opts.app_label}.{codename}")

    def never(self, request: HttpRequest, obj: Any = None) -> bool:
        """Services make and change such rows."""
        return False

    has_add_permission = has_change_permission = has_delete_permission = never

    def tried(self, request: HttpRequest, row: Model, act: Callable[..., Any], **which: Any) -> None:
        """Call a service for one row in the name of who asks; say where it refuses."""
        try:
            act(**which, actor=request.user)
        except (Conflict, Forbidden) as error:
            self.message_user(request, f"{row}: {error}", messages.WARNING)


def shown(model: type[Model], *columns: str, actions: Sequence[Callable[..., None]] = ()) -> None:
    """Register rows that are only shown, with ``actions`` that services do; what has choices filters, texts and the
    keys of others are searched.
    """
    fields = [model._meta.get_field(name) for name in columns]
    choices = [field.name for field in fields if getattr(field, "choices", None) or isinstance(field, BooleanField)]
    texts = [field.name for field in fields if isinstance(field, CharField) and field.name not in choices]
    keys = [field for field in fields if isinstance(field, ForeignKey)]
    theirs = [f"{key.name}__{'username' if key.related_model is User else 'id'}" for key in keys]
    date = next((name for name in ("at", "updated_at", "created_at") if name in columns), None)
    admin.site.register(
        model,
        ReadOnlyAdmin,
        list_display=columns,
        list_filter=choices,
        search_fields=list(dict.fromkeys(["id", *texts, *theirs])),
        date_hierarchy=date,
        actions=actions,
    )
