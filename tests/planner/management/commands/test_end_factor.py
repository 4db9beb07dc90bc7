"""Ending a second factor that was lost, from the command line."""

import pytest
from allauth.mfa.models import Authenticator
from django.contrib.auth.models import User
from django.core.management.base import CommandError

from planner.models import AuditEvent
from tests.planner.management.commands.conftest import printed


def test_somebody_signs_in_without_it(owner: User) -> None:
    for kind in ("totp", "recovery_codes"):
        Authenticator.objects.create(user=owner, type=kind, data={})
    assert "ada signs in" in printed("end_factor", "ada")
    assert not Authenticator.objects.exists()
    assert AuditEvent.objects.filter(action="factor.end", actor=None, target=owner.pk).exists()
    with pytest.raises(CommandError, match="'ada' has no second factor"):
        printed("end_factor", "ada")
