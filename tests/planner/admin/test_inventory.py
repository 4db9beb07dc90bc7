"""Servers and queues that are typed into the admin site are checked as the API does."""

from typing import Any

import pytest
from django.contrib import admin
from django.contrib.auth.models import User
from django.http import HttpRequest

from planner import services
from planner.models import Queue, Server
from simulations.scenario.spec import parse


@pytest.fixture
def server(owner: User, body: dict[str, Any]) -> Server:
    """A stored server with one queue."""
    return services.inventory_save(owner=owner, spec=parse(body))[0]


def form_of(row: Server | Queue, **changes: Any) -> Any:
    """The row's form with other values."""
    request = HttpRequest()
    request.user = User(is_superuser=True)
    form_class = admin.site.get_model_admin(type(row)).get_form(request, row, change=True)
    plain = form_class(instance=row)
    typed = {name: plain[name].value() for name in plain.fields}
    return form_class({**typed, **changes}, instance=row)


def test_what_is_stored_is_accepted(server: Server) -> None:
    for row in (server, server.queues.get()):
        form = form_of(row)
        assert form.is_valid(), form.errors


def test_a_wrong_value_is_named(server: Server) -> None:
    form = form_of(server, workload_profile="NONSENSE")
    assert not form.is_valid()
    assert "workload_profile" in str(form.errors)
    queue = form_of(server.queues.get(), settings='{"maximum_sesions": 1}')
    assert not queue.is_valid()
    assert "maximum_sessions" in str(queue.errors)


def test_an_unknown_platform_is_refused(server: Server) -> None:
    assert "platform" in form_of(server, platform="nothing").errors
