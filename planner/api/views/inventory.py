"""Stored servers and queues."""

from functools import partial
from typing import Any

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request

from planner import selectors, services
from planner.api.base import READ_WRITE, ApiViewSet, Store, answer, created, idempotent
from planner.api.reading import body_of
from planner.api.schemas.inventory import QueueOut, QueuesPage, ServerOut, ServersPage
from planner.errors import NotFound
from planner.models import Queue, Server
from planner.services.inventory import queue_body, queue_read, server_body, server_read
from simulations.declarations.problems import InvalidInput, nearest, problem
from simulations.platforms import PLATFORMS

SORTS = ("name", "-updated_at")


class ServerViewSet(ApiViewSet):
    """Stored servers."""

    lookup_url_kwarg = "server_id"
    selector = selectors.server_get
    scopes = READ_WRITE
    sorts = SORTS

    @extend_schema(operation_id="servers", responses=ServersPage)
    def list(self, request: Request) -> HttpResponse:
        """List the caller's servers."""
        return self.listed(selectors.servers_list(user=self.caller), ServersPage, _server)

    @extend_schema(operation_id="server_create", request=OpenApiTypes.OBJECT, responses={201: ServerOut})
    @idempotent
    def create(self, request: Request) -> Store:
        """Store a server: ``platform`` and the keys of a scenario's server."""
        body = dict(body_of(request))
        platform = str(body.pop("platform", ""))
        if platform not in PLATFORMS:
            message = f"unknown platform; {nearest(platform, list(PLATFORMS))}"
            raise InvalidInput([problem(("platform",), message, value=platform)])
        read = server_read(platform, body)
        store = partial(services.server_store, owner=self.caller, platform=platform, read=read)
        return lambda: created(_server(store()), "servers")

    @extend_schema(operation_id="server", responses=ServerOut)
    def retrieve(self, request: Request, server_id: str) -> HttpResponse:
        """Show a server."""
        return answer(_server(self.get_object()))

    @extend_schema(operation_id="server_update", request=OpenApiTypes.OBJECT, responses=ServerOut)
    def partial_update(self, request: Request, server_id: str) -> HttpResponse:
        """Change the given keys of a server; ``settings`` are merged."""
        server = self.get_object()
        body = _merged(server_body(server), body_of(request))
        return answer(_server(services.server_update(server=server, body=body)))

    @extend_schema(operation_id="server_archive", responses={204: None})
    def destroy(self, request: Request, server_id: str) -> HttpResponse:
        """Archive a stored server: it and its queues leave the lists, scenarios keep their copies."""
        services.server_archive(server=self.get_object())
        return HttpResponse(status=204)


class QueueViewSet(ApiViewSet):
    """Stored queues."""

    lookup_url_kwarg = "queue_id"
    selector = selectors.queue_get
    scopes = READ_WRITE
    sorts = SORTS

    @extend_schema(operation_id="queues", responses=QueuesPage)
    def list(self, request: Request) -> HttpResponse:
        """List the caller's queues."""
        return self.listed(selectors.queues_list(user=self.caller), QueuesPage, _queue)

    @extend_schema(operation_id="queue_create", request=OpenApiTypes.OBJECT, responses={201: QueueOut})
    @idempotent
    def create(self, request: Request) -> Store:
        """Store a queue: ``server_id`` of a stored server and the keys of a scenario's queue."""
        body = dict(body_of(request))
        server_id = str(body.pop("server_id", ""))
        try:
            server = selectors.server_get(user=self.caller, server_id=server_id)
        except NotFound as error:
            raise InvalidInput([problem(("server_id",), str(error), value=server_id)]) from error
        read = queue_read(server, body)
        store = partial(services.queue_store, owner=self.caller, server=server, read=read)
        return lambda: created(_queue(store()), "queues")

    @extend_schema(operation_id="queue", responses=QueueOut)
    def retrieve(self, request: Request, queue_id: str) -> HttpResponse:
        """Show a queue."""
        return answer(_queue(self.get_object()))

    @extend_schema(operation_id="queue_update", request=OpenApiTypes.OBJECT, responses=QueueOut)
    def partial_update(self, request: Request, queue_id: str) -> HttpResponse:
        """Change the given keys of a queue; ``settings`` are merged, arrivals and service are replaced."""
        queue = self.get_object()
        body = _merged(queue_body(queue), body_of(request))
        return answer(_queue(services.queue_update(queue=queue, body=body)))

    @extend_schema(operation_id="queue_archive", responses={204: None})
    def destroy(self, request: Request, queue_id: str) -> HttpResponse:
        """Archive a stored queue: it leaves the lists, scenarios keep their copies."""
        services.queue_archive(queue=self.get_object())
        return HttpResponse(status=204)


def _server(row: Server) -> ServerOut:
    return ServerOut.of(row, **server_body(row), archived=row.archived_at is not None)


def _queue(row: Queue) -> QueueOut:
    return QueueOut.of(row, **queue_body(row), server=row.server.name, archived=row.archived_at is not None)


def _merged(values: dict[str, Any], changes: dict[str, Any]) -> dict[str, Any]:
    """Settings are changed one by one; a distribution of another kind cannot be merged and is replaced."""
    settings = changes.get("settings")
    if isinstance(settings, dict):
        changes = {**changes, "settings": {**values["settings"], **settings}}
    return {**values, **changes}
