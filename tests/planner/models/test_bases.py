"""Rows that are written once."""

import pytest
from django.contrib.auth.models import User

from planner.models import ApiToken, AuditEvent, audit
from planner.models.bases import ImmutableError


@pytest.fixture
def event(owner: User) -> AuditEvent:
    """A stored event."""
    audit(actor=owner, action="test.made", row=ApiToken(pk="tok_1"), why="test")
    return AuditEvent.objects.get(action="test.made")


def test_a_row_is_inserted_and_never_changed(event: AuditEvent) -> None:
    event.action = "test.changed"
    with pytest.raises(ImmutableError, match=f"planner.AuditEvent {event.pk} is written once"):
        event.save()
    assert AuditEvent.objects.get(pk=event.pk).action == "test.made"


def test_a_row_is_kept(event: AuditEvent) -> None:
    with pytest.raises(ImmutableError, match="is kept"):
        event.delete()
    assert AuditEvent.objects.filter(pk=event.pk).exists()
