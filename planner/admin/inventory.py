"""Servers and queues."""

from typing import Any

from django import forms
from django.contrib import admin

from planner.admin.readonly import ModelAdmin, ModelForm
from planner.models import Queue, Server
from planner.services.inventory import QUEUE_COLUMNS, SHARED_SETTINGS, queue_body, queue_read, server_body, server_read
from simulations.declarations.problems import InvalidInput
from simulations.platforms import PLATFORMS


class InventoryForm(ModelForm):
    """Checks what is typed as the API does; subclasses say how it is read."""

    def read(self, draft: Any) -> None:
        """Read the row that the form describes; raises InvalidInput."""
        raise NotImplementedError

    def clean(self) -> dict[str, Any]:
        """Name every wrong value."""
        cleaned = super().clean() or {}
        if not self.errors:
            try:
                self.read(self._meta.model(**{**cleaned, "owner": None}))
            except InvalidInput as error:
                raise forms.ValidationError(str(error).splitlines()) from error
        return cleaned


class ServerForm(InventoryForm):
    """Checks a server as the API does: by the platform's own declarations."""

    platform = forms.ChoiceField(choices=[(family.name, family.title) for family in PLATFORMS.values()])

    class Meta:
        model = Server
        fields = (
            "owner",
            "name",
            "platform",
            "cpus",
            "instances",
            *SHARED_SETTINGS,
            "settings",
            "background",
            "identity",
        )

    def read(self, draft: Server) -> None:
        """Read a server; raises InvalidInput."""
        server_read(draft.platform, server_body(draft))


class QueueForm(InventoryForm):
    """Checks a queue together with its server."""

    class Meta:
        model = Queue
        fields = ("owner", "server", *QUEUE_COLUMNS)

    def read(self, draft: Queue) -> None:
        """Read a queue; raises InvalidInput."""
        queue_read(draft.server, queue_body(draft))


@admin.register(Server)
class ServerAdmin(ModelAdmin):
    """CPUs, servants, instances, workload profile and the platform's settings."""

    form = ServerForm
    list_display = ("name", "platform", "cpus", *SHARED_SETTINGS, "instances", "owner")
    list_filter = ("platform", "workload_profile")
    search_fields = ("name", "id", "owner__username")
    autocomplete_fields = ("owner",)


@admin.register(Queue)
class QueueAdmin(ModelAdmin):
    """Arrivals, service and the platform's settings."""

    form = QueueForm
    list_display = ("name", "server", "kind", "producers", "owner")
    list_filter = ("kind", "server__platform")
    list_select_related = ("server", "owner")
    search_fields = ("name", "id", "server__name")
    autocomplete_fields = ("owner", "server")
