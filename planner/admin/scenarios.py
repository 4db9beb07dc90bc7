"""Scenarios and their versions."""

from django.contrib import admin

from planner.admin.readonly import ReadOnlyAdmin
from planner.models import Scenario, ScenarioVersion


@admin.register(Scenario)
class ScenarioAdmin(ReadOnlyAdmin):
    """Shown only: a change makes a version, which is the work of pages and API."""

    list_display = ("name", "platform", "owner", "revision", "archived_at", "updated_at")
    list_filter = ("platform", "archived_at")
    list_select_related = ("owner",)
    search_fields = ("name", "id", "owner__username")
    date_hierarchy = "updated_at"


@admin.register(ScenarioVersion)
class ScenarioVersionAdmin(ReadOnlyAdmin):
    """Written once."""

    list_display = ("scenario", "number", "author", "note", "created_at")
    list_select_related = ("scenario", "author")
    search_fields = ("id", "scenario__name", "scenario__id", "content_hash")
