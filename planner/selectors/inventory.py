"""Stored servers and queues."""

from django.db.models import QuerySet

from planner.models import Queue, Server
from planner.selectors.owned import Person, owned


def servers_list(*, user: Person) -> QuerySet[Server]:
    """The user's servers by name."""
    return Server.objects.filter(owner_id=user.pk)


def server_get(*, user: Person, server_id: str) -> Server:
    """One server; raises NotFound."""
    return owned(Server.objects.all(), user=user, key=server_id)


def queues_list(*, user: Person) -> QuerySet[Queue]:
    """The user's queues by name, each with its server."""
    return Queue.objects.filter(owner_id=user.pk).select_related("server")


def queue_get(*, user: Person, queue_id: str) -> Queue:
    """One queue with its server; raises NotFound."""
    return owned(Queue.objects.select_related("server"), user=user, key=queue_id)
