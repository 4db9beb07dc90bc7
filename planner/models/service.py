"""Service accounts: programs that call the API in their own name, with what they own and nothing else."""

from functools import partial

from django.conf import settings
from django.db import models

from planner.models.identity import ID_LENGTH, public_id


class ServiceAccount(models.Model):
    """A program. Its user has no password, so that nobody logs in as it; only its tokens work."""

    id = models.CharField(primary_key=True, max_length=ID_LENGTH, default=partial(public_id, "svc"), editable=False)
    user = models.OneToOneField(settings.AUTH_USER_MODEL, models.PROTECT, related_name="service_account")
    name = models.CharField(max_length=100, unique=True)
    purpose = models.CharField(max_length=500, blank=True, default="")
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    disabled_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("-created_at", "-id")
        permissions = (("manage_service_accounts", "Can manage service accounts and their tokens"),)

    def __str__(self) -> str:
        return self.name
