"""Stored servers and queues."""

from django.db.models import QuerySet

from planner.models import Queue, Server
from planner.selectors.owned import Person, owned_by, visible

server_get = owned_by(Server.objects.all(), "server_id")
queue_get = owned_by(Queue.objects.select_related("server"), "queue_id")


def servers_list(*, user: Person, archived: bool = False) -> QuerySet[Server]:
    """The servers that the user sees by name."""
    return visible(Server.objects.filter(archived_at__isnull=not archived), user=user)


def queues_list(*, user: Person, archived: bool = False) -> QuerySet[Queue]:
    """Queues of servers in use that the user sees by name, each with its server."""
    rows = Queue.objects.filter(server__archived_at=None, archived_at__isnull=not archived)
    return visible(rows, user=user).select_related("server")
