"""The admin site lists everything, and only what may be changed can be."""

import pytest
from django.contrib.admin import site
from django.contrib.auth.models import User
from django.test import Client

from planner import services
from planner.models import Run, ShareLink

CHANGED = {"server", "queue", "scenario"}
"""Models whose rows an administrator may change."""


@pytest.fixture
def operator(client: Client, db: None) -> Client:
    """An administrator's browser."""
    client.force_login(User.objects.create_superuser("root"))
    return client


def test_every_model_is_listed_and_what_proves_a_result_is_only_shown(operator: Client) -> None:
    ours = [model for model in site._registry if model._meta.app_label == "planner"]
    assert len(ours) >= 14
    for model in ours:
        name = model._meta.model_name
        assert operator.get(f"/admin/planner/{name}/").status_code == 200, name
        added = operator.get(f"/admin/planner/{name}/add/").status_code
        assert (added == 200) <= (name in CHANGED), name


def test_a_share_link_is_ended(operator: Client, finished: Run, owner: User) -> None:
    report = services.report_create(run=finished, owner=owner)
    link = services.share_create(report=report, actor=owner, days=3).row
    operator.post("/admin/planner/sharelink/", {"action": "revoke", "_selected_action": [link.pk]})
    assert ShareLink.objects.get().revoked_at is not None
