"""Who may do what by API, who is told of what, what was done, and answers kept for repeated requests."""

from datetime import datetime

from django.conf import settings
from django.contrib.auth.models import User
from django.db import models
from django.db.models import Q

from planner.models.bases import Dated, ImmutableModel, Row
from planner.models.identity import ID_LENGTH, id_field
from planner.models.team import Held, team_of

JOB_ERROR = "job.error"
"""The action of the event that keeps what the log says of a job's failure."""


class Scope(models.TextChoices):
    """What a token may do."""

    READ = "read"
    WRITE = "write"
    RUN = "run"
    EXPORT = "export"
    ADMIN = "admin"


class ApiToken(Dated):
    """A token. Only its SHA-256 is stored; 160 random bits need no slow hash. The token itself is shown once."""

    says = "{0.name} ({0.prefix}…)"
    id = id_field("tok")
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="api_tokens")
    name = models.CharField(max_length=100)
    prefix = models.CharField(max_length=12, help_text="First characters, so that people recognise it.")
    digest = models.CharField(max_length=64, unique=True, editable=False)
    scopes = models.JSONField(default=list)
    expires_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)
    last_used_at = models.DateTimeField(null=True, blank=True)


class AuditEvent(ImmutableModel):
    """Somebody did something: who, what, when."""

    says = "{0.action} {0.target}"
    id = models.BigAutoField(primary_key=True)
    actor = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    action = models.CharField(max_length=60, help_text="For example scenario.update.")
    target = models.CharField(max_length=ID_LENGTH, db_index=True)
    team = models.ForeignKey("planner.Team", models.SET_NULL, null=True, related_name="+")
    details = models.JSONField(default=dict)
    at = models.DateTimeField(auto_now_add=True, db_index=True)

    class Meta:
        ordering = ("-at", "-id")
        indexes = (
            models.Index(fields=("team", "-at", "-id"), name="audit_of_team"),
            models.Index(fields=("actor", "-at", "-id"), name="audit_of_actor"),
        )


def audit(*, actor: User | None, action: str, row: models.Model, **details: object) -> None:
    """Record who did what to a row, for its owner and its team; ``actor`` None is the program itself. A change calls it
    inside its own transaction."""
    AuditEvent.objects.create(actor=actor, action=action, target=row.pk, team_id=team_of(row), details=details)


class IdempotentAnswer(Row):
    """The answer to a creating request that carried an Idempotency-Key; kept for a day."""

    says = "{0.key}"
    id = models.BigAutoField(primary_key=True)
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    key = models.CharField(max_length=255)
    request_hash = models.CharField(max_length=64, help_text="SHA-256 of method, path and body.")
    status = models.PositiveSmallIntegerField(default=0)
    body = models.JSONField(default=dict)
    headers = models.JSONField(default=dict)
    created_at = models.DateTimeField(auto_now_add=True, db_index=True)

    class Meta:
        constraints = (models.UniqueConstraint(fields=("owner", "key"), name="idempotency_key_once_per_owner"),)


class ServiceAccount(Dated):
    """A program. Its user has no password, so that nobody logs in as it; only its tokens work."""

    id = id_field("svc")
    user = models.OneToOneField(settings.AUTH_USER_MODEL, models.PROTECT, related_name="service_account")
    name = models.CharField(max_length=100, unique=True)
    purpose = models.CharField(max_length=500, blank=True, default="")
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    disabled_at = models.DateTimeField(null=True, blank=True)

    class Meta(Dated.Meta):
        permissions = (("manage_service_accounts", "Can manage service accounts and their tokens"),)


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
