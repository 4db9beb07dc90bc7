"""Servers and queues."""

from typing import Any, ClassVar

from django import forms
from django.contrib import admin

from planner.admin.generic import ModelAdmin, ModelForm
from planner.composition import queue_body, server_body
from planner.models import Queue, Server
from planner.services.inventory import queue_read, server_read
from simulations.platforms import PLATFORMS
from simulations.problems import InvalidInput


class ServerForm(ModelForm):
    """Checks a server as the API does: by the platform's own declarations."""

    platform = forms.ChoiceField(choices=[(family.name, family.title) for family in PLATFORMS.values()])

    class Meta:
        model = Server
        fields: ClassVar = (
            "owner", "name", "platform", "cpus", "instances", "servants_min", "servants_max", "workload_profile",
            "settings", "background",
        )  # fmt: skip

    def clean(self) -> dict[str, Any]:
        """Name every wrong setting."""
        cleaned = super().clean() or {}
        if not self.errors:
            draft = Server(**{**cleaned, "owner": None})
            try:
                server_read(cleaned["platform"], server_body(draft))
            except InvalidInput as error:
                raise forms.ValidationError(str(error).splitlines()) from error
        return cleaned


class QueueForm(ModelForm):
    """Checks a queue together with its server."""

    class Meta:
        model = Queue
        fields: ClassVar = (
            "owner", "server", "name", "kind", "producers", "message_size", "arrivals", "service", "settings",
        )  # fmt: skip

    def clean(self) -> dict[str, Any]:
        """Name every wrong value."""
        cleaned = super().clean() or {}
        if not self.errors:
            draft = Queue(**{**cleaned, "owner": None})
            try:
                queue_read(cleaned["server"], queue_body(draft))
            except InvalidInput as error:
                raise forms.ValidationError(str(error).splitlines()) from error
        return cleaned


@admin.register(Server)
class ServerAdmin(ModelAdmin):
    """CPUs, servants, instances, workload profile and the platform's settings."""

    form = ServerForm
    list_display = (
        "name",
        "platform",
        "cpus",
        "servants_min",
        "servants_max",
        "instances",
        "workload_profile",
        "owner",
    )
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
