"""Vendor configuration that came in and went out."""

from django.contrib import admin

from planner.admin.readonly import ReadOnlyAdmin
from planner.models import Export, Import


@admin.register(Import)
class ImportAdmin(ReadOnlyAdmin):
    """Written once."""

    list_display = ("scenario", "owner", "created_at")
    list_select_related = ("scenario", "owner")
    search_fields = ("id", "scenario__name", "scenario__id")


@admin.register(Export)
class ExportAdmin(ReadOnlyAdmin):
    """Written once."""

    list_display = ("version", "format", "owner", "scenario_hash", "created_at")
    list_filter = ("format",)
    list_select_related = ("version", "owner")
    search_fields = ("id", "version__scenario__name", "scenario_hash")
