"""Saved views of the scenario table."""

from django.db.models import QuerySet

from planner.models import SavedView
from planner.selectors.owned import Person, owned


def views_list(*, user: Person) -> QuerySet[SavedView]:
    """The user's views by name, deleted ones left out."""
    return SavedView.objects.filter(owner_id=user.pk, archived_at=None)


def view_get(*, user: Person, view_id: str) -> SavedView:
    """One view of the user, deleted or not; raises NotFound."""
    return owned(SavedView.objects.select_related("owner"), user=user, key=view_id)
