"""The record of who changed what."""

from typing import Any

from django.contrib.auth.models import AbstractBaseUser

from planner.models import AuditEvent


def audit(*, actor: Any, action: str, target: str, **details: object) -> None:
    """Write one event; call it inside the change's own transaction. ``actor`` None is the program itself."""
    who = actor if isinstance(actor, AbstractBaseUser) else None
    AuditEvent.objects.create(actor=who, action=action, target=target, details=details)
