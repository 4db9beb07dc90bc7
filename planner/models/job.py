"""What a run shares with all other work of Celery workers: a status, a claim, and when what happened."""

from typing import ClassVar

from django.db import models


class RunStatus(models.TextChoices):
    """Where a run, or another job of a worker, stands."""

    QUEUED = "queued"
    RUNNING = "running"
    PAUSING = "pausing"
    PAUSED = "paused"
    CANCELLING = "cancelling"
    SUCCEEDED = "succeeded"
    FAILED = "failed"
    CANCELLED = "cancelled"

    @property
    def final(self) -> bool:
        """Whether a worker has nothing left to do."""
        return self in (RunStatus.SUCCEEDED, RunStatus.FAILED, RunStatus.CANCELLED)

    @property
    def at_rest(self) -> bool:
        """Whether nothing happens until somebody asks for it: it is over, or paused."""
        return self.final or self == RunStatus.PAUSED


class Job(models.Model):
    """Work that one worker at a time computes. ``planner.jobs.transitions`` alone changes its status."""

    task: ClassVar[str]
    """Name of the Celery task that computes it; its only argument is the id."""

    status = models.CharField(max_length=12, choices=RunStatus, default=RunStatus.QUEUED)
    progress = models.JSONField(default=dict, blank=True)
    error = models.JSONField(null=True, blank=True, help_text="code, message and, where ours, the id to report.")

    task_id = models.CharField(max_length=64, blank=True, default="")
    claim_token = models.CharField(max_length=32, blank=True, default="", help_text="Held by the one who computes.")
    worker = models.CharField(max_length=200, blank=True, default="")
    heartbeat_at = models.DateTimeField(null=True, blank=True)
    attempt = models.PositiveIntegerField(default=0)
    spark_session = models.CharField(max_length=64, blank=True, default="")

    created_at = models.DateTimeField(auto_now_add=True)
    sent_at = models.DateTimeField(null=True, blank=True, help_text="When the broker took the task.")
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        abstract = True

    @property
    def final(self) -> bool:
        """Whether the job is over; only a retry changes that."""
        return RunStatus(self.status).final

    @property
    def at_rest(self) -> bool:
        """Whether the status will change no more by itself: the job is over, or paused."""
        return RunStatus(self.status).at_rest
