"""Addresses of steps: one for each step of a thing, which the view is told."""

from django.urls import resolve, reverse

from frontend.urls import stepped
from frontend.workbench.inventory_views import stored_step


def test_a_thing_has_one_address_for_each_step() -> None:
    made = stepped("queue", "queues/<str:queue_id>/", stored_step, ("archive", "restore"))
    assert [item.name for item in made] == ["queue-archive", "queue-restore"]
    assert [item.default_args for item in made] == [{"step": "archive"}, {"step": "restore"}]


def test_the_view_is_told_the_step_of_its_address() -> None:
    found = resolve(reverse("queue-restore", args=["q_1"]))
    assert (found.func, found.kwargs) == (stored_step, {"queue_id": "q_1", "step": "restore"})
