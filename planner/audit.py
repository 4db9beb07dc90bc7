"""The record of who changed what."""

from django.contrib.auth.models import User

from planner.models import AuditEvent


def audit(*, actor: User | None, action: str, target: str, **details: object) -> None:
    """Write one event; call it inside the change's own transaction. ``actor`` None is the program itself."""
    AuditEvent.objects.create(actor=actor, action=action, target=target, details=details)
