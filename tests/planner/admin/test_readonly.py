"""Rows that the admin site only shows."""

import pytest
from django.contrib import admin
from django.contrib.auth.models import Permission, User
from django.contrib.messages.storage.fallback import FallbackStorage
from django.http import HttpRequest

from planner.admin.records import ReadOnlyAdmin
from planner.errors import Conflict
from planner.models import AuditEvent, Run, ScenarioVersion


@pytest.fixture
def request_of(owner: User) -> HttpRequest:
    """The owner's request, with a place for messages."""
    request = HttpRequest()
    request.user = owner
    request.session = {}  # type: ignore[assignment]
    request._messages = FallbackStorage(request)  # type: ignore[attr-defined]
    return request


def admin_of(model: type[Run | AuditEvent | ScenarioVersion]) -> ReadOnlyAdmin:
    found = admin.site.get_model_admin(model)
    assert isinstance(found, ReadOnlyAdmin)
    return found


def test_nothing_is_added_changed_or_deleted(request_of: HttpRequest) -> None:
    request_of.user = User.objects.create_superuser("root")
    shown = admin_of(Run)
    assert not shown.has_add_permission(request_of)
    assert not shown.has_change_permission(request_of)
    assert not shown.has_delete_permission(request_of)
    assert shown.has_operate_permission(request_of)


def test_actions_need_the_permission_to_change(request_of: HttpRequest, owner: User) -> None:
    assert not admin_of(Run).has_operate_permission(request_of)
    owner.user_permissions.add(Permission.objects.get(codename="change_run"))
    request_of.user = User.objects.get(pk=owner.pk)
    assert admin_of(Run).has_operate_permission(request_of)


def test_a_list_reads_the_rows_that_its_columns_name(request_of: HttpRequest) -> None:
    assert admin_of(Run).get_list_select_related(request_of) == ["owner"]
    assert admin_of(AuditEvent).get_list_select_related(request_of) == ["actor", "team"]
    assert admin_of(ScenarioVersion).get_list_select_related(request_of) == ["scenario", "author"]


def test_what_is_refused_is_said_and_stops_nothing(request_of: HttpRequest, run: Run) -> None:
    calls: list[object] = []

    def refuse(**given: object) -> None:
        calls.append(given)
        raise Conflict("only failed runs")

    admin_of(Run).tried(request_of, run, refuse, run=run)
    assert calls == [{"run": run, "actor": run.owner}]
    messages = [str(message) for message in request_of._messages]  # type: ignore[attr-defined]
    assert messages == [f"{run.pk} (queued): only failed runs"]
