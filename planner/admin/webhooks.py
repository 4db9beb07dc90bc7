"""Webhooks and their deliveries, shown without secrets, which are stored nowhere."""

from django.contrib import admin

from planner.admin.readonly import ReadOnlyAdmin
from planner.models import Delivery, Webhook


@admin.register(Webhook)
class WebhookAdmin(ReadOnlyAdmin):
    """Made and ended by their owners."""

    list_display = ("id", "owner", "url", "failures", "disabled_at", "disabled_reason", "deleted_at")
    list_select_related = ("owner",)
    search_fields = ("id", "url", "owner__username")


@admin.register(Delivery)
class DeliveryAdmin(ReadOnlyAdmin):
    """Written by workers."""

    list_display = ("id", "webhook", "event", "target", "status", "attempts", "answered", "problem", "created_at")
    list_filter = ("status", "event")
    list_select_related = ("webhook",)
    search_fields = ("id", "target", "webhook__id")
