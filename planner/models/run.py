"""Runs and their results, and what a run shares with all other work of Celery workers."""

from functools import cached_property
from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q

from planner.models.bases import Dated, Row
from planner.models.identity import id_field
from planner.models.scenario import ScenarioVersion
from simulations.experiment import Expansion, expansion
from simulations.experiment.questions import asked_spec, stored_question
from simulations.scenario.spec import ScenarioSpec, parse


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


class Job(Dated):
    """Work that one worker at a time computes. ``planner.jobs.transitions`` alone changes its status."""

    owner_id: int

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

    sent_at = models.DateTimeField(null=True, blank=True, help_text="When the broker took the task.")
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta(Dated.Meta):
        abstract = True
        indexes: ClassVar[tuple[models.Index, ...]] = (
            models.Index(fields=("owner", "-created_at", "-id"), name="%(class)s_of_owner"),
            models.Index(fields=("status", "heartbeat_at"), name="%(class)s_by_heartbeat"),
        )
        constraints: ClassVar[tuple[models.BaseConstraint, ...]] = (
            models.CheckConstraint(condition=Q(status__in=RunStatus.values), name="%(class)s_status_known"),
            models.CheckConstraint(
                condition=~Q(status=RunStatus.RUNNING) | ~Q(claim_token=""), name="%(class)s_running_is_claimed"
            ),
        )

    @property
    def final(self) -> bool:
        """Whether the job is over; only a retry changes that."""
        return RunStatus(self.status).final

    @property
    def status_word(self) -> str:
        """The status as pages and messages spell it; the API's own word stays as it is."""
        return self.status.replace("cancell", "cancel")

    @property
    def at_rest(self) -> bool:
        """Whether the status will change no more by itself: the job is over, or paused."""
        return RunStatus(self.status).at_rest


ACTIVE = (RunStatus.QUEUED, RunStatus.RUNNING, RunStatus.PAUSING, RunStatus.PAUSED)
"""Under way: a run of the same content is this one."""


class RunKind(models.TextChoices):
    """What a run answers: the scenario as it is written, or an experiment's question about it."""

    RUN = "run"
    SWEEP = "sweep"
    OPTIMIZE = "optimize", "Search for the best setting"
    HEADROOM = "headroom"
    SENSITIVITY = "sensitivity", "Sensitivity to the inputs"


class Run(Job):
    """One computation of one scenario version, with a copy of all that decides its numbers. An experiment is a run with
    a question: its id begins with ``exp_``, and its points follow from the answers."""

    says = "{0.pk} ({0.status})"
    task = "planner.tasks.run_execute"
    held_by = "version__scenario"
    id = id_field("run")
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="runs")
    version = models.ForeignKey(ScenarioVersion, models.PROTECT, related_name="runs")
    kind = models.CharField(max_length=12, choices=RunKind, default=RunKind.RUN)
    question = models.JSONField(default=dict, blank=True, help_text="What an experiment asks, complete.")
    spec = models.JSONField(help_text="The scenario's body at the start.")
    plan = models.JSONField(help_text="points: how many; axes: path and number of values of each.")
    seed = models.PositiveBigIntegerField()
    engine_version = models.CharField(max_length=20)
    rules_version = models.CharField(max_length=20)
    content_hash = models.CharField(max_length=64, help_text="Equal hashes mean equal numbers.")
    forced = models.BooleanField(default=False, help_text="Started although an equal run exists.")
    repeats = models.ForeignKey(
        "self", models.SET_NULL, null=True, blank=True, related_name="repetitions", help_text="Run to be reproduced."
    )

    result_hash = models.CharField(max_length=64, blank=True, default="")
    store_path = models.CharField(max_length=500, blank=True, default="")
    timings = models.JSONField(default=dict, blank=True, help_text="Seconds by part of the work.")
    headline = models.JSONField(
        default=dict, blank=True, help_text="The answer that lists show (planner.answers.choice)."
    )

    class Meta(Job.Meta):
        indexes = (
            *Job.Meta.indexes,
            models.Index(fields=("-created_at", "-id", "version", "kind"), name="run_in_order"),
            models.Index(fields=("status", "version"), name="run_by_status"),
            models.Index(fields=("content_hash", "status"), name="run_by_content"),
            models.Index(fields=("owner", "-started_at"), name="run_last_begun"),
            models.Index(fields=("version", "kind", "-created_at"), name="run_of_version_by_kind"),
        )
        constraints = (
            *Job.Meta.constraints,
            models.CheckConstraint(condition=Q(kind__in=RunKind.values), name="run_kind_known"),
            models.CheckConstraint(
                condition=~Q(status=RunStatus.SUCCEEDED) | ~Q(result_hash=""), name="run_success_has_hash"
            ),
            models.UniqueConstraint(
                fields=("version", "content_hash"), condition=Q(forced=False, status__in=ACTIVE), name="run_active_once"
            ),
        )

    @cached_property
    def parsed(self) -> ScenarioSpec:
        """The scenario as it was at the start. Raises InvalidInput where this version of Sluice refuses it."""
        return parse(self.spec)

    @cached_property
    def expansion(self) -> Expansion:
        """The points of the scenario's own sweep; those of an experiment follow from its answers."""
        return expansion(self.parsed) if self.kind == RunKind.RUN else Expansion((), ())

    @cached_property
    def asked(self) -> ScenarioSpec:
        """The scenario that every point starts from: without its sweep, or as the question simulates it."""
        if self.kind == RunKind.RUN:
            return self.parsed.unswept
        return asked_spec(stored_question(self.question), self.parsed)

    @property
    def time_is_up(self) -> bool:
        """Whether the run ended because of its ``max_time``, with the precision that it had."""
        return bool(self.progress.get("time_is_up"))

    @property
    def reproduced(self) -> bool | None:
        """Whether the numbers equal those of the run it repeats; None without one, before the end, or where the time
        was up for one of them: how many replications it has is then a matter of the machine."""
        if self.repeats is None or not self.result_hash or self.time_is_up or self.repeats.time_is_up:
            return None
        return self.result_hash == self.repeats.result_hash


class PointResult(Row):
    """The answer for one point of a run; ``summary`` is a PointSummary as plain data."""

    says = "{0.run_id} point {0.index}"
    id = models.BigAutoField(primary_key=True)
    run = models.ForeignKey(Run, models.CASCADE, related_name="points")
    index = models.PositiveIntegerField()
    overrides = models.JSONField()
    status = models.CharField(max_length=20)
    summary = models.JSONField()
    partial = models.BooleanField(default=False, help_text="More replications are still to come.")
    content_key = models.CharField(
        max_length=64, blank=True, default="", db_index=True, help_text="Equal keys mean equal replications."
    )
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ("run", "index")
        constraints = (models.UniqueConstraint(fields=("run", "index"), name="point_index_unique"),)
