"""Vendor configuration that came in and went out: what was read from which file, and what was written for whom."""

from django.conf import settings
from django.db import models

from planner.models.bases import Dated, ImmutableModel
from planner.models.identity import id_field
from planner.models.run import Run
from planner.models.scenario import Scenario, ScenarioVersion


class Import(Dated, ImmutableModel):
    """One import: the scenario it made and the account of every element of its files."""

    says = "import of {0.scenario_id}"
    held_by = "scenario"
    id = id_field("imp")
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="imports")
    scenario = models.OneToOneField(Scenario, models.CASCADE, related_name="origin")
    account = models.JSONField(help_text="status, path, message, file and line of each element.")


class ImportedFile(ImmutableModel):
    """A file of an import. Its content is kept only where an export can patch it: other files may hold passwords."""

    id = models.BigAutoField(primary_key=True)
    origin = models.ForeignKey(Import, models.CASCADE, related_name="files")
    name = models.CharField(max_length=200)
    size = models.PositiveIntegerField(help_text="Bytes.")
    sha256 = models.CharField(max_length=64)
    content = models.BinaryField(null=True)

    class Meta:
        ordering = ("id",)
        constraints = (models.UniqueConstraint(fields=("origin", "name"), name="imported_file_name_unique"),)

    @property
    def patchable(self) -> bool:
        """Whether an export can write changes into it."""
        return self.content is not None


class Export(Dated, ImmutableModel):
    """Scripts that were handed out: they make the chosen settings of a version or a run, and take them back."""

    says = "{0.format} of {0.version_id}"
    held_by = "version__scenario"
    id = id_field("xpt")
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="exports")
    version = models.ForeignKey(ScenarioVersion, models.PROTECT, related_name="exports")
    run = models.ForeignKey(Run, models.PROTECT, null=True, blank=True, related_name="exports")
    format = models.CharField(max_length=20)
    scenario_hash = models.CharField(max_length=64, help_text="Named in the header of every script.")
    changes = models.JSONField(help_text="path, before and after of each chosen setting.")
    scripts = models.JSONField(help_text="filename, apply, undo, encoding and what the format cannot say.")
