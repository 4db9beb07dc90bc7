"""Service accounts: made by administrators, with tokens that expire, acting in their own name and for nothing else."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth import authenticate
from django.contrib.auth.models import Permission, User
from django.http import HttpRequest
from django.utils import timezone
from rest_framework.test import APIClient

from planner.models import ApiToken, AuditEvent, ServiceAccount

ADDRESS = "/api/v1/service-accounts"
SOON = (timezone.now() + timedelta(days=30)).isoformat()


@pytest.fixture
def manager(owner: User, client: APIClient) -> APIClient:
    """The owner with the permission."""
    owner.user_permissions.add(Permission.objects.get(codename="manage_service_accounts"))
    return client


@pytest.fixture
def account(manager: APIClient) -> ServiceAccount:
    """An account that the manager made."""
    made = manager.post(ADDRESS, {"name": "ci-payments", "purpose": "checks each build"}, format="json")
    assert made.status_code == 201, made.content
    return ServiceAccount.objects.get(pk=made.json()["id"])


def issued(manager: APIClient, account: ServiceAccount, *scopes: str) -> tuple[APIClient, dict[str, Any]]:
    body = {"name": "pipeline", "scopes": scopes, "expires_at": SOON}
    made = manager.post(f"{ADDRESS}/{account.pk}/tokens", body, format="json")
    assert (made.status_code, made["Cache-Control"]) == (201, "no-store"), made.content
    program = APIClient()
    program.credentials(HTTP_AUTHORIZATION=f"Bearer {made.json()['secret']}")
    return program, made.json()["token"]


def test_a_program_acts_in_its_own_name(manager: APIClient, account: ServiceAccount, body: dict[str, Any]) -> None:
    program, _ = issued(manager, account, "read", "write")
    made = program.post("/api/v1/scenarios", body, format="json")
    assert made.status_code == 201
    event = AuditEvent.objects.get(target=made.json()["id"])
    assert (event.actor and event.actor.get_username()) == "service-ci-payments"
    assert manager.get(f"/api/v1/scenarios/{made.json()['id']}").status_code == 404
    assert program.get("/api/v1/scenarios").json()["items"][0]["id"] == made.json()["id"]


def test_its_token_has_its_scopes_and_no_more(manager: APIClient, account: ServiceAccount) -> None:
    program, token = issued(manager, account, "read")
    assert program.post("/api/v1/scenarios", {}, format="json").status_code == 403
    stored = ApiToken.objects.get(pk=token["id"])
    assert (stored.scopes, stored.owner) == (["read"], account.user)
    listed = manager.get(f"{ADDRESS}/{account.pk}/tokens").json()["items"]
    assert [item["id"] for item in listed] == [token["id"]]


def test_it_watches_over_the_installation_only_with_the_scope(manager: APIClient, account: ServiceAccount) -> None:
    assert issued(manager, account, "admin")[0].get("/api/v1/metrics").status_code == 200
    assert issued(manager, account, "read")[0].get("/api/v1/metrics").status_code == 403


def test_it_makes_neither_tokens_nor_accounts(manager: APIClient, account: ServiceAccount) -> None:
    program, _ = issued(manager, account, "admin")
    account.user.user_permissions.add(Permission.objects.get(codename="manage_service_accounts"))
    asked = {"name": "more", "scopes": ["admin"], "expires_at": SOON}
    for address in ("/api/v1/tokens", f"{ADDRESS}/{account.pk}/tokens"):
        assert program.post(address, asked, format="json").status_code == 403
    assert program.post(ADDRESS, {"name": "child"}, format="json").status_code == 403
    assert ApiToken.objects.filter(owner=account.user).count() == 1


def test_nobody_logs_in_as_it(account: ServiceAccount) -> None:
    assert not account.user.has_usable_password()
    assert authenticate(HttpRequest(), username="service-ci-payments", password="") is None


def test_its_tokens_expire(manager: APIClient, account: ServiceAccount) -> None:
    late = (timezone.now() + timedelta(days=400)).isoformat()
    for expires_at in (None, late):
        asked = {"name": "x", "scopes": ["read"], "expires_at": expires_at}
        refused = manager.post(f"{ADDRESS}/{account.pk}/tokens", asked, format="json")
        assert (refused.status_code, refused.json()["errors"][0]["pointer"]) == (422, "/expires_at")


def test_a_disabled_account_is_out_at_once_and_what_it_owns_stays(
    manager: APIClient, account: ServiceAccount, body: dict[str, Any]
) -> None:
    program, _ = issued(manager, account, "read", "write")
    program.post("/api/v1/scenarios", body, format="json")
    assert [manager.delete(f"{ADDRESS}/{account.pk}").status_code for _ in range(2)] == [204, 204]
    assert program.get("/api/v1/scenarios").status_code == 401
    assert account.user.scenarios.count() == 1
    asked = {"name": "x", "scopes": ["read"], "expires_at": SOON}
    assert manager.post(f"{ADDRESS}/{account.pk}/tokens", asked, format="json").status_code == 409
    assert AuditEvent.objects.filter(action="service.disable").count() == 1


def test_a_token_is_revoked_in_the_managers_name(manager: APIClient, owner: User, account: ServiceAccount) -> None:
    program, token = issued(manager, account, "read")
    assert manager.delete(f"{ADDRESS}/{account.pk}/tokens/{token['id']}").status_code == 204
    assert program.get("/api/v1/scenarios").status_code == 401
    assert AuditEvent.objects.get(action="token.revoke").actor == owner


@pytest.mark.parametrize("name", ["", "Has Spaces", "-x", "x" * 101])
def test_a_name_is_plain(manager: APIClient, name: str) -> None:
    assert manager.post(ADDRESS, {"name": name}, format="json").status_code == 422


def test_a_name_is_taken_once(manager: APIClient, account: ServiceAccount) -> None:
    assert manager.post(ADDRESS, {"name": account.name}, format="json").status_code == 409


def test_only_administrators_manage_them(
    other: APIClient,
    nobody: APIClient,
    stranger: User,
    account: ServiceAccount,
    manager: APIClient,
    token_client: Callable[..., APIClient],
    owner: User,
) -> None:
    address = f"{ADDRESS}/{account.pk}"
    for one, status in ((other, 403), (nobody, 401), (token_client(owner, "read", "write"), 403)):
        assert one.get(ADDRESS).status_code == status
        assert one.post(ADDRESS, {"name": "x"}, format="json").status_code == status
        assert one.delete(address).status_code == status
        assert one.post(f"{address}/tokens", {}, format="json").status_code == status
    assert manager.get(ADDRESS).status_code == 200
    assert manager.put(address).status_code == 405
    assert ServiceAccount.objects.get().disabled_at is None
