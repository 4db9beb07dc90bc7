"""What the database refuses of stored servers."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.utils import timezone

from planner.models import Queue, Server


@pytest.fixture
def server(owner: User) -> Server:
    """A server with servants."""
    return Server.objects.create(owner=owner, name="s", platform="websphere-zos", servants_min=1, servants_max=3)


@pytest.mark.parametrize("change", [{"cpus": 0}, {"instances": 0}, {"servants_min": 4}, {"servants_max": 0}], ids=str)
def test_a_server_has_cpus_instances_and_ordered_servants(server: Server, change: dict[str, Any]) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        Server.objects.update(**change)
    Server.objects.update(servants_min=None)


def test_a_name_is_free_once_its_owner_is_archived(server: Server, owner: User) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        Server.objects.create(owner=owner, name="s", platform="openmq")
    Server.objects.update(archived_at=timezone.now())
    assert str(Server.objects.create(owner=owner, name="s", platform="openmq")) == "s"


def test_a_queue_without_a_size_has_1000_bytes(server: Server, owner: User) -> None:
    queue = Queue.objects.create(owner=owner, server=server, name="q", arrivals={}, service={})
    assert (str(queue), queue.message_size, queue.kind) == ("q", 1000.0, "queue")
    with pytest.raises(IntegrityError), transaction.atomic():
        Queue.objects.update(producers=0)
