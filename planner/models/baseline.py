"""Baselines: the version of an application that changes are compared with."""

from functools import partial

from django.conf import settings
from django.db import models
from django.db.models import Q

from planner.models.identity import ID_LENGTH, public_id
from planner.models.scenario import ScenarioVersion

APPLICATION_LENGTH = 200


class Baseline(models.Model):
    """A pinned version. ``application`` is the name or a tag that its scenario had then."""

    id = models.CharField(primary_key=True, max_length=ID_LENGTH, default=partial(public_id, "bas"), editable=False)
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="baselines")
    application = models.CharField(max_length=APPLICATION_LENGTH)
    version = models.ForeignKey(ScenarioVersion, models.PROTECT, related_name="baselines")
    created_at = models.DateTimeField(auto_now_add=True)
    unpinned_at = models.DateTimeField(null=True, blank=True, help_text="What was the baseline once stays known.")

    class Meta:
        ordering = ("-created_at", "-id")
        constraints = (
            models.UniqueConstraint(
                fields=("owner", "application"), condition=Q(unpinned_at=None), name="baseline_once_per_application"
            ),
        )

    def __str__(self) -> str:
        return f"{self.application}: {self.version}"
