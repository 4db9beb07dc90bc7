"""A scenario is a name for a line of versions; a version is a whole ScenarioSpec and never changes."""

from functools import cached_property, partial

from django.conf import settings
from django.db import models

from planner.models.identity import ID_LENGTH, public_id
from planner.models.immutable import ImmutableModel
from simulations.scenario.spec import ScenarioSpec, parse


class Scenario(models.Model):
    """A scenario. ``revision`` grows with every change and is what If-Match compares."""

    id = models.CharField(primary_key=True, max_length=ID_LENGTH, default=partial(public_id, "scn"), editable=False)
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
    archived_at = models.DateTimeField(null=True, blank=True, help_text="Deleting is archiving.")
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ("-updated_at", "-id")
        indexes = (models.Index(fields=("owner", "-updated_at", "-id"), name="scenario_of_owner"),)
        constraints = (
            models.UniqueConstraint(
                fields=("owner", "preset"),
                condition=~models.Q(preset=""),
                name="scenario_preset_once_per_owner",
            ),
        )

    def __str__(self) -> str:
        return self.name

    @property
    def applications(self) -> tuple[str, ...]:
        """What the scenario is about: its own line of versions, by its name, and what its tags group it with."""
        return self.name, *self.tags

    @property
    def version(self) -> "ScenarioVersion":
        """The current version; every scenario that services made has one."""
        if self.current is None:
            raise ScenarioVersion.DoesNotExist(f"{self.pk} has no version")
        return self.current


class ScenarioVersion(ImmutableModel):
    """One saved state: the scenario's body with normalised numbers, as ``ScenarioSpec.body`` writes it."""

    id = models.CharField(primary_key=True, max_length=ID_LENGTH, default=partial(public_id, "ver"), editable=False)
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
        constraints = (
            models.UniqueConstraint(fields=("scenario", "number"), name="version_number_unique"),
            models.CheckConstraint(condition=models.Q(number__gte=1), name="version_number_from_one"),
        )

    def __str__(self) -> str:
        return f"{self.scenario_id} v{self.number}"

    @cached_property
    def parsed(self) -> ScenarioSpec:
        """The scenario. Raises InvalidInput where this version of Sluice refuses it."""
        return parse(self.spec)
