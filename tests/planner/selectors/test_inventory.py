"""Stored servers and queues of one person."""

from typing import Any

import pytest
from django.contrib.auth.models import User

from planner import selectors, services
from planner.errors import NotFound
from planner.models import Server
from simulations.scenario.spec import parse


@pytest.fixture
def server(owner: User, body: dict[str, Any]) -> Server:
    """A stored server with one queue."""
    return services.inventory_save(owner=owner, spec=parse(body))[0]


def test_servers_and_queues_are_their_owners(server: Server, owner: User, stranger: User) -> None:
    queue = server.queues.get()
    assert list(selectors.servers_list(user=owner)) == [server]
    assert list(selectors.queues_list(user=owner)) == [queue]
    assert not selectors.servers_list(user=stranger).exists()
    assert selectors.server_get(user=owner, server_id=server.pk) == server
    assert selectors.queue_get(user=owner, queue_id=queue.pk) == queue
    with pytest.raises(NotFound):
        selectors.server_get(user=stranger, server_id=server.pk)
    with pytest.raises(NotFound):
        selectors.queue_get(user=stranger, queue_id=queue.pk)


def test_archived_ones_are_listed_apart(server: Server, owner: User) -> None:
    queue = server.queues.get()
    services.row_archive(row=queue)
    assert not selectors.queues_list(user=owner).exists()
    assert list(selectors.queues_list(user=owner, archived=True)) == [queue]
    services.row_archive(row=server)
    assert list(selectors.servers_list(user=owner, archived=True)) == [server]
    assert not selectors.queues_list(user=owner, archived=True).exists(), "its server left the lists, too"
