"""Actions of the admin site on rows that it only shows."""

import pytest
from allauth.usersessions.models import UserSession
from django.contrib import admin
from django.contrib.auth.models import User
from django.test import Client

from planner import services
from planner.errors import Forbidden
from planner.models import ApiToken, AuditEvent, Run, RunStatus, ServiceAccount


@pytest.fixture
def operator(db: None) -> User:
    """An administrator."""
    return User.objects.create_superuser("root")


@pytest.fixture
def site(operator: User) -> Client:
    """The administrator's browser."""
    client = Client()
    client.force_login(operator)
    return client


def act(site: Client, rows: str, action: str, *keys: str) -> str:
    """Choose rows and an action; return the page that follows."""
    chosen = {"action": action, "_selected_action": list(keys)}
    return site.post(f"/admin/planner/{rows}/", chosen, follow=True).content.decode()


def test_runs_follow_the_state_machine(site: Client, operator: User, run: Run) -> None:
    act(site, "run", "pause", run.pk)
    assert Run.objects.get().status == RunStatus.PAUSED
    act(site, "run", "resume", run.pk)
    assert Run.objects.get().status == RunStatus.QUEUED
    act(site, "run", "cancel", run.pk)
    assert Run.objects.get().status == RunStatus.CANCELLED
    assert "try it again instead" in act(site, "run", "resume", run.pk)
    act(site, "run", "retry", run.pk)
    assert Run.objects.get().status == RunStatus.QUEUED
    assert "run_" in act(site, "run", "retry", run.pk)
    assert AuditEvent.objects.filter(action="run.cancel", actor=operator).exists()


def test_administrators_sign_somebody_out(site: Client, operator: User, owner: User, stranger: User) -> None:
    browser = Client()
    browser.force_login(owner, backend="django.contrib.auth.backends.ModelBackend")
    assert browser.get("/teams/").status_code == 200
    session = UserSession.objects.get(user=owner)
    with pytest.raises(Forbidden):
        services.session_end(session=session, actor=stranger)
    shown = site.get(f"/admin/usersessions/usersession/{session.pk}/change/").content.decode()
    assert session.session_key not in shown
    site.post("/admin/usersessions/usersession/", {"action": "sign_out", "_selected_action": [session.pk]})
    assert browser.get("/teams/").status_code == 302
    event = AuditEvent.objects.get(action="sign-in.end")
    assert (event.actor, event.target) == (operator, str(owner.pk))


def test_no_table_of_allauth_is_changed_by_hand(site: Client) -> None:
    shown = [model for model in admin.site._registry if model.__module__.startswith("allauth.")]
    assert {model._meta.model_name for model in shown} == {"usersession", "socialaccount", "authenticator"}
    for model in shown:
        address = f"/admin/{model._meta.app_label}/{model._meta.model_name}/"
        assert [site.get(part).status_code for part in (address, f"{address}add/")] == [200, 403]


def test_tokens_and_accounts_are_ended(site: Client, operator: User, owner: User) -> None:
    token = services.token_create(owner=owner, name="ci", scopes=["read"]).row
    act(site, "apitoken", "revoke", token.pk)
    assert ApiToken.objects.get().revoked_at is not None
    account = services.service_create(actor=operator, name="ci")
    act(site, "serviceaccount", "disable", account.pk)
    assert ServiceAccount.objects.get().disabled_at is not None
