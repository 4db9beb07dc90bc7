"""The record of who changed what."""

from django.contrib.auth.models import User

from planner.models import AuditEvent, audit


def test_an_event_names_actor_action_target_and_details(owner: User) -> None:
    audit(actor=owner, action="scenario.update", target="scn_1", version=3)
    audit(actor=None, action="run.reap", target="run_1")
    reap, update = AuditEvent.objects.order_by("-pk")
    assert (update.actor, update.action, update.target, update.details) == (
        owner,
        "scenario.update",
        "scn_1",
        {"version": 3},
    )
    assert (reap.actor, reap.details) == (None, {})
