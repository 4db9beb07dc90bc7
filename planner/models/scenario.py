"""Scenarios, their versions, the versions that are baselines, and the saved views of the scenario table."""

from functools import cached_property

from django.conf import settings
from django.db import models
from django.db.models import Q

from planner.models.bases import Archivable, Dated, ImmutableModel
from planner.models.identity import id_field
from planner.models.team import Held
from simulations.scenario.spec import ScenarioSpec, parse

APPLICATION_LENGTH = 200


class Scenario(Archivable, Held):
    """A scenario. ``revision`` grows with every change and is what If-Match compares."""

    id = id_field("scn")
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="scenarios")
    name = models.CharField(max_length=200, help_text="The current version's name, repeated here for lists.")
    platform = models.CharField(max_length=40, help_text="The current version's platform, repeated here for lists.")
    tags = models.JSONField(default=list, blank=True)
    preset = models.CharField(max_length=60, blank=True, default="", help_text="Preset it was made from.")
    current = models.ForeignKey(
        "planner.ScenarioVersion", models.PROTECT, null=True, blank=True, related_name="+", editable=False
    )
    verdict = models.CharField(
        max_length=10,
        blank=True,
        default="",
        editable=False,
        help_text="What the newest answer says of the current objectives: met, missed, unresolved or nothing.",
    )
    revision = models.PositiveIntegerField(default=1, editable=False)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ("-updated_at", "-id")
        indexes = (
            models.Index(fields=("owner", "-updated_at", "-id"), name="scenario_of_owner"),
            models.Index(fields=("-updated_at", "-id"), name="scenario_in_order"),
            models.Index(fields=("id", "team", "owner"), name="scenario_holder"),
        )
        constraints = (
            models.UniqueConstraint(
                fields=("owner", "preset"), condition=~models.Q(preset=""), name="scenario_preset_once_per_owner"
            ),
        )

    @property
    def applications(self) -> tuple[str, ...]:
        """What the scenario is about: its own line of versions, by its name, and what its tags group it with."""
        return self.name, *self.tags

    @property
    def version(self) -> "ScenarioVersion":
        """The current version; every scenario that services made has one."""
        if self.current is None:
            raise ScenarioVersion.DoesNotExist(f"{self.pk} has no version")
        self.current.scenario = self
        return self.current


class ScenarioVersion(ImmutableModel):
    """One saved state: the scenario's body with normalised numbers, as ``ScenarioSpec.body`` writes it."""

    says = "{0.scenario_id} v{0.number}"
    held_by = "scenario"
    id = id_field("ver")
    scenario = models.ForeignKey(Scenario, models.CASCADE, related_name="versions")
    number = models.PositiveIntegerField()
    parent = models.ForeignKey("self", models.PROTECT, null=True, blank=True, related_name="children")
    spec = models.JSONField()
    content_hash = models.CharField(max_length=64, db_index=True)
    author = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    note = models.CharField(max_length=500, blank=True, default="")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("scenario", "-number")
        indexes = (models.Index(fields=("id", "scenario"), name="version_scenario"),)
        constraints = (
            models.UniqueConstraint(fields=("scenario", "number"), name="version_number_unique"),
            models.CheckConstraint(condition=models.Q(number__gte=1), name="version_number_from_one"),
        )

    @cached_property
    def parsed(self) -> ScenarioSpec:
        """The scenario. Raises InvalidInput where this version of Sluice refuses it."""
        return parse(self.spec)


class Baseline(Dated, Held):
    """A pinned version. ``application`` is the name or a tag that its scenario had then, ``team`` the scenario's."""

    says = "{0.application}: {0.version}"
    id = id_field("bas")
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="baselines")
    application = models.CharField(max_length=APPLICATION_LENGTH)
    version = models.ForeignKey(ScenarioVersion, models.PROTECT, related_name="baselines")
    held_by = "version__scenario"
    unpinned_at = models.DateTimeField(null=True, blank=True, help_text="What was the baseline once stays known.")

    class Meta(Dated.Meta):
        constraints = (
            models.UniqueConstraint(
                fields=("owner", "application"),
                condition=Q(unpinned_at=None, team=None),
                name="baseline_once_per_application",
            ),
            models.UniqueConstraint(
                fields=("team", "application"), condition=Q(unpinned_at=None), name="baseline_once_per_team"
            ),
        )


class SavedView(Archivable):
    """A named view. ``query`` is the query string that the page understands, cleaned by the page."""

    id = id_field("vew")
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="saved_views")
    name = models.CharField(max_length=60)
    query = models.CharField(max_length=1000, blank=True, default="")

    class Meta:
        ordering = ("name", "id")
        constraints = (
            models.UniqueConstraint(
                fields=("owner", "name"), condition=Q(archived_at=None), name="view_name_unique_per_owner"
            ),
        )
