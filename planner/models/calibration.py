"""Calibrations: a log of messages, what it says, and whether a scenario made of it predicts what was held out."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from planner.models.identity import id_field
from planner.models.run import Job, RunStatus
from planner.models.scenario import Scenario, ScenarioVersion


class Calibration(Job):
    """One log, uploaded or named by its location. ``result`` is an outcome as plain data (``jobs.calibrate``)."""

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

    def __str__(self) -> str:
        return f"{self.name} ({self.status})"
