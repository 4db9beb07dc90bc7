"""Webhooks: their secrets, and the addresses that they may have."""

import pytest
from django.contrib.auth.models import User
from django.test import override_settings

from planner import services
from planner.jobs.deliveries import webhook_secret
from planner.models import Webhook
from planner.services.rows import Issued
from simulations.declarations.problems import InvalidInput
from tests.planner.conftest import Listener


def test_secrets_differ_and_are_not_in_the_database(issued: Issued[Webhook], owner: User, listener: Listener) -> None:
    other = services.webhook_create(owner=owner, url=listener.address)
    assert issued.secret != other.secret
    stored = [str(value) for row in Webhook.objects.values() for value in row.values()]
    assert not any(issued.secret in text for text in stored)
    with override_settings(SECRET_KEY="another key of the server, fifty characters long or so"):
        assert webhook_secret(issued.row) != issued.secret


@pytest.mark.parametrize("url", ["http://example.org/", "https://10.0.0.1/", "https://[::1]/", "https://127.0.0.1/"])
def test_an_address_that_may_not_be_called_is_refused_at_once(owner: User, url: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        services.webhook_create(owner=owner, url=url, events=["run.exploded"])
    assert [item.pointer for item in refused.value.problems] == ["/events/0", "/url"]
    assert not Webhook.objects.exists()
