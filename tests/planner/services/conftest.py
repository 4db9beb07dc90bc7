"""A webhook for the tests of services, and somebody who listens to it."""

from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.test import override_settings

from planner import services
from planner.services.webhooks import IssuedWebhook
from planner.settings.environment import Environment
from tests.planner.web.test_outbound import served


class Listener:
    """A server that keeps what it got and answers with ``status``."""

    def __init__(self) -> None:
        self.status = 200
        self.got: list[tuple[dict[str, str], bytes]] = []
        self.address = ""

    def __call__(self, request: BaseHTTPRequestHandler) -> None:
        content = request.rfile.read(int(request.headers["Content-Length"]))
        self.got.append((dict(request.headers), content))
        request.send_response(self.status)
        request.end_headers()


@pytest.fixture
def listener() -> Iterator[Listener]:
    """Something that listens on this machine, which the installation allows."""
    found = Listener()
    values = {**settings.ENVIRONMENT.model_dump(), "webhook_loopback": True}
    with (
        served(found) as (address, _),
        override_settings(ENVIRONMENT=Environment.model_validate(values)),
    ):
        found.address = f"{address}/hook"
        yield found


@pytest.fixture
def issued(owner: User, listener: Listener) -> IssuedWebhook:
    """A webhook for everything."""
    return services.webhook_create(owner=owner, url=listener.address)
