"""Stored servers and queues."""

from django.db.models import QuerySet

from planner.models import Queue, Server
from planner.selectors.owned import Person, owned


def servers_list(*, user: Person, archived: bool = False) -> QuerySet[Server]:
    """The user's servers by name."""
    return Server.objects.filter(owner_id=user.pk, archived_at__isnull=not archived)


def server_get(*, user: Person, server_id: str) -> Server:
    """One server, archived or not; raises NotFound."""
    return owned(Server.objects.all(), user=user, key=server_id)


def queues_list(*, user: Person, archived: bool = False) -> QuerySet[Queue]:
    """The user's queues of servers in use by name, each with its server."""
    rows = Queue.objects.filter(owner_id=user.pk, server__archived_at=None, archived_at__isnull=not archived)
    return rows.select_related("server")


def queue_get(*, user: Person, queue_id: str) -> Queue:
    """One queue with its server, archived or not; raises NotFound."""
    return owned(Queue.objects.select_related("server"), user=user, key=queue_id)
