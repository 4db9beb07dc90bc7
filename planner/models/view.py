"""Views of the scenario table that a person has named: what is filtered, how it is grouped, which columns it has."""

from functools import partial

from django.conf import settings
from django.db import models
from django.db.models import Q

from planner.models.identity import ID_LENGTH, public_id


class SavedView(models.Model):
    """A named view. ``query`` is the query string that the page understands, cleaned by the page."""

    id = models.CharField(primary_key=True, max_length=ID_LENGTH, default=partial(public_id, "vew"), editable=False)
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="saved_views")
    name = models.CharField(max_length=60)
    query = models.CharField(max_length=1000, blank=True, default="")
    archived_at = models.DateTimeField(null=True, blank=True, help_text="Deleting is archiving.")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("name", "id")
        constraints = (
            models.UniqueConstraint(
                fields=("owner", "name"), condition=Q(archived_at=None), name="view_name_unique_per_owner"
            ),
        )

    def __str__(self) -> str:
        return self.name
