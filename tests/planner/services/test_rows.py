"""Names that are unique among those of their owner."""

import pytest
from django.contrib.auth.models import User

from planner.errors import Conflict
from planner.models import AuditEvent, SavedView
from planner.services.rows import row_save


def test_a_row_is_stored_with_new_values_and_a_note(owner: User) -> None:
    view = row_save(SavedView(owner=owner), {"name": "Mine", "query": "x=1"}, "view.create")
    assert SavedView.objects.get() == view
    event = AuditEvent.objects.get()
    assert (event.actor, event.action, event.target) == (owner, "view.create", view.pk)


def test_a_taken_name_changes_nothing(owner: User, stranger: User) -> None:
    row_save(SavedView(owner=owner), {"name": "Mine"}, "view.create")
    row_save(SavedView(owner=stranger), {"name": "Mine"}, "view.create")
    with pytest.raises(Conflict, match="the name 'Mine' is taken already"):
        row_save(SavedView(owner=owner), {"name": "Mine"}, "view.create")
    assert (SavedView.objects.count(), AuditEvent.objects.count()) == (2, 2)
