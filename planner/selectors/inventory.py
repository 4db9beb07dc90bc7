"""Stored servers and queues."""

from django.db.models import QuerySet

from planner.models import Queue, Server
from planner.selectors.owned import Person, owned, visible


def servers_list(*, user: Person, archived: bool = False) -> QuerySet[Server]:
    """The servers that the user sees by name."""
    return visible(Server.objects.filter(archived_at__isnull=not archived), user=user)


def server_get(*, user: Person, server_id: str) -> Server:
    """One server, archived or not; raises NotFound."""
    return owned(Server.objects.all(), user=user, key=server_id)


def queues_list(*, user: Person, archived: bool = False) -> QuerySet[Queue]:
    """Queues of servers in use that the user sees by name, each with its server."""
    rows = Queue.objects.filter(server__archived_at=None, archived_at__isnull=not archived)
    return visible(rows, user=user).select_related("server")


def queue_get(*, user: Person, queue_id: str) -> Queue:
    """One queue with its server, archived or not; raises NotFound."""
    return owned(Queue.objects.select_related("server"), user=user, key=queue_id)
