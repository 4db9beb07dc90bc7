"""Webhooks: where a person wants to hear what happened, and every attempt to tell them."""

from datetime import datetime

from django.conf import settings
from django.db import models
from django.db.models import Q

from planner.models.bases import Dated
from planner.models.identity import ID_LENGTH, id_field
from planner.models.team import Held

ADDRESS_LENGTH = 1000


class WebhookEvent(models.TextChoices):
    """What may be told."""

    RUN_SUCCEEDED = "run.succeeded"
    RUN_FAILED = "run.failed"
    RUN_CANCELLED = "run.cancelled"
    EXPERIMENT_SUCCEEDED = "experiment.succeeded"
    EXPERIMENT_FAILED = "experiment.failed"
    EXPERIMENT_CANCELLED = "experiment.cancelled"
    CALIBRATION_CHANGED = "calibration.changed"
    CALIBRATION_FAILED = "calibration.failed"
    REPORT_SIGNED = "report.signed"


class DeliveryStatus(models.TextChoices):
    """Where a delivery stands."""

    PENDING = "pending"
    DELIVERED = "delivered"
    FAILED = "failed"


class Webhook(Dated, Held):
    """An address. Its secret is stored nowhere: the server derives it from its own key, the id and ``nonce``."""

    says = "{0.pk} {0.url}"
    id = id_field("whk")
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="webhooks")
    url = models.CharField(max_length=ADDRESS_LENGTH)
    events = models.JSONField(default=list)
    nonce = models.CharField(max_length=32, editable=False)
    failures = models.PositiveIntegerField(default=0, help_text="Failed attempts since the last delivery.")
    disabled_at = models.DateTimeField(null=True, blank=True)
    disabled_reason = models.CharField(max_length=500, blank=True, default="")
    deleted_at = models.DateTimeField(null=True, blank=True)

    @property
    def active(self) -> bool:
        """Whether it is told of events."""
        return self.disabled_at is None


class Delivery(Dated):
    """One event on its way to one webhook. ``body`` is sent as it stands, so that its signature can be checked."""

    says = "{0.event} of {0.target} ({0.status})"
    task = "planner.tasks.delivery_attempt"
    id = id_field("dlv")
    webhook = models.ForeignKey(Webhook, models.CASCADE, related_name="deliveries")
    event = models.CharField(max_length=30, choices=WebhookEvent)
    target = models.CharField(max_length=ID_LENGTH)
    body = models.TextField()
    status = models.CharField(max_length=10, choices=DeliveryStatus, default=DeliveryStatus.PENDING)
    attempts = models.PositiveSmallIntegerField(default=0)
    due_at = models.DateTimeField(null=True, blank=True, help_text="When the next attempt may begin.")
    sent_at = models.DateTimeField(null=True, blank=True, help_text="When the broker took the task.")
    answered = models.PositiveSmallIntegerField(null=True, blank=True, help_text="Status of the last answer.")
    problem = models.CharField(max_length=500, blank=True, default="", help_text="What went wrong the last time.")
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta(Dated.Meta):
        indexes = (
            models.Index(fields=("webhook", "-created_at", "-id"), name="delivery_of_webhook"),
            models.Index(fields=("status", "due_at"), name="delivery_due"),
        )
        constraints = (
            models.CheckConstraint(condition=Q(status__in=DeliveryStatus.values), name="delivery_status_known"),
            models.CheckConstraint(
                condition=~Q(status=DeliveryStatus.PENDING) | Q(due_at__isnull=False), name="delivery_pending_is_due"
            ),
        )

    @property
    def next_at(self) -> datetime | None:
        """When the next attempt may begin; None where none follows."""
        return self.due_at if self.status == DeliveryStatus.PENDING else None
