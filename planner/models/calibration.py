"""Calibrations: a log of messages, what it says, and whether a scenario made of it predicts what was held out."""

from datetime import datetime, timedelta

from django.conf import settings
from django.db import models
from django.db.models import Q

from planner.errors import Conflict
from planner.models.identity import id_field
from planner.models.run import Job, RunStatus
from planner.models.scenario import Scenario, ScenarioVersion
from simulations.pipeline.telemetry.changes import Change, changes_of


class Calibration(Job):
    """One log, uploaded or named by its location. ``result`` is an outcome as plain data (``jobs.calibrate``)."""

    says = "{0.name} ({0.status})"
    task = "planner.tasks.calibration_execute"
    id = id_field("cal")
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="calibrations")
    name = models.CharField(max_length=200, help_text="Name of the scenario that is made of it.")
    location = models.CharField(max_length=1000, help_text="Path or URL of the log; of an upload its file name.")
    uploaded = models.BooleanField(default=False, help_text="The log lies in the calibration's own folder.")
    base = models.ForeignKey(
        ScenarioVersion,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="calibrations",
        help_text="Its settings are kept and its queues get the fitted work.",
    )
    result = models.JSONField(null=True, blank=True, editable=False)
    validated = models.BooleanField(null=True, help_text="Whether the predictions were near enough.")
    every_hours = models.PositiveSmallIntegerField(default=0, help_text="Hours after which it is repeated; 0: never.")
    since = models.DateTimeField(null=True, blank=True, help_text="Files that have not changed since are left out.")
    scenario = models.ForeignKey(
        Scenario, models.SET_NULL, null=True, blank=True, related_name="calibrations", help_text="Made of the result."
    )

    class Meta(Job.Meta):
        constraints = (
            *Job.Meta.constraints,
            models.CheckConstraint(
                condition=~Q(status=RunStatus.SUCCEEDED) | Q(validated__isnull=False),
                name="calibration_success_has_verdict",
            ),
        )

    @property
    def due_at(self) -> datetime | None:
        """When it is repeated; None for what is not, and for all but the newest of a series."""
        return self.created_at + timedelta(hours=self.every_hours) if self.every_hours else None

    @property
    def same_log(self) -> "models.QuerySet[Calibration]":
        """The calibrations of logs of the same name that have a result, newest first."""
        return Calibration.objects.filter(owner_id=self.owner_id, location=self.location, result__isnull=False)

    @property
    def before(self) -> "Calibration | None":
        """What it is compared with: of earlier ones of the log the newest that a scenario rests on, else the newest."""
        earlier = self.same_log.filter(created_at__lt=self.created_at)
        return earlier.filter(scenario__isnull=False).first() or earlier.first()

    def changes_since(self, earlier: "Calibration") -> tuple[Change, ...]:
        """Return what differs for sure from an earlier calibration; raises Conflict before both have a result."""
        if not self.result or not earlier.result:
            raise Conflict("one of the two calibrations has no result yet; wait for it")
        return changes_of(earlier.result, self.result)
