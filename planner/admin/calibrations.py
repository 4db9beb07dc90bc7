"""Calibrations."""

from django.contrib import admin

from planner.admin.readonly import ReadOnlyAdmin
from planner.models import Calibration


@admin.register(Calibration)
class CalibrationAdmin(ReadOnlyAdmin):
    """Shown only; cancel and retry are on the page and in the API."""

    list_display = ("id", "name", "status", "validated", "owner", "worker", "attempt", "created_at", "finished_at")
    list_filter = ("status", "validated")
    list_select_related = ("owner",)
    search_fields = ("id", "name", "location", "owner__username")
    date_hierarchy = "created_at"
