"""Stored servers and queues."""

from typing import Any, ClassVar

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request

from planner import selectors, services
from planner.api.base import ApiView, Store, answer, body_of, idempotent
from planner.api.paging import listed
from planner.api.schemas.inventory import QueueOut, QueuesPage, ServerOut, ServersPage
from planner.api.schemas.written import queue_out, server_out
from planner.errors import NotFound
from planner.services.inventory import queue_read, queue_values, server_read, server_values
from simulations.platforms import PLATFORMS
from simulations.problems import InvalidInput, nearest, problem

SORTS = ("name", "-updated_at")


class ServersView(ApiView):
    """Servers."""

    scopes: ClassVar = {"GET": "read", "POST": "write"}

    @extend_schema(operation_id="servers", responses=ServersPage)
    def get(self, request: Request) -> HttpResponse:
        """List the caller's servers."""
        return listed(request, selectors.servers_list(user=request.user), ServersPage, server_out, sorts=SORTS)

    @extend_schema(operation_id="server_create", request=OpenApiTypes.OBJECT, responses={201: ServerOut})
    @idempotent
    def post(self, request: Request) -> Store:
        """Store a server: ``platform`` and the keys of a scenario's server."""
        body = dict(body_of(request))
        platform = str(body.pop("platform", ""))
        if platform not in PLATFORMS:
            message = f"unknown platform; {nearest(platform, list(PLATFORMS))}"
            raise InvalidInput([problem(("platform",), message, value=platform)])
        read = server_read(platform, body)

        def store() -> HttpResponse:
            server = services.server_store(owner=self.caller, platform=platform, read=read)
            return answer(server_out(server), 201, {"Location": f"/api/v1/servers/{server.pk}"})

        return store


class ServerView(ApiView):
    """One server."""

    scopes: ClassVar = {"GET": "read", "PATCH": "write", "DELETE": "write"}

    @extend_schema(operation_id="server", responses=ServerOut)
    def get(self, request: Request, server_id: str) -> HttpResponse:
        """Show a server."""
        return answer(server_out(selectors.server_get(user=request.user, server_id=server_id)))

    @extend_schema(operation_id="server_update", request=OpenApiTypes.OBJECT, responses=ServerOut)
    def patch(self, request: Request, server_id: str) -> HttpResponse:
        """Change the given keys of a server; ``settings`` are merged."""
        server = selectors.server_get(user=request.user, server_id=server_id)
        body = _merged(server_values(server), body_of(request))
        return answer(server_out(services.server_update(server=server, body=body)))

    @extend_schema(operation_id="server_archive", responses={204: None})
    def delete(self, request: Request, server_id: str) -> HttpResponse:
        """Archive a stored server: it and its queues leave the lists, scenarios keep their copies."""
        services.server_archive(server=selectors.server_get(user=request.user, server_id=server_id))
        return HttpResponse(status=204)


class QueuesView(ApiView):
    """Queues."""

    scopes: ClassVar = {"GET": "read", "POST": "write"}

    @extend_schema(operation_id="queues", responses=QueuesPage)
    def get(self, request: Request) -> HttpResponse:
        """List the caller's queues."""
        return listed(request, selectors.queues_list(user=request.user), QueuesPage, queue_out, sorts=SORTS)

    @extend_schema(operation_id="queue_create", request=OpenApiTypes.OBJECT, responses={201: QueueOut})
    @idempotent
    def post(self, request: Request) -> Store:
        """Store a queue: ``server_id`` of a stored server and the keys of a scenario's queue."""
        body = dict(body_of(request))
        server_id = str(body.pop("server_id", ""))
        try:
            server = selectors.server_get(user=request.user, server_id=server_id)
        except NotFound as error:
            raise InvalidInput([problem(("server_id",), str(error), value=server_id)]) from error
        read = queue_read(server, body)

        def store() -> HttpResponse:
            queue = services.queue_store(owner=self.caller, server=server, read=read)
            return answer(queue_out(queue), 201, {"Location": f"/api/v1/queues/{queue.pk}"})

        return store


class QueueView(ApiView):
    """One queue."""

    scopes: ClassVar = {"GET": "read", "PATCH": "write", "DELETE": "write"}

    @extend_schema(operation_id="queue", responses=QueueOut)
    def get(self, request: Request, queue_id: str) -> HttpResponse:
        """Show a queue."""
        return answer(queue_out(selectors.queue_get(user=request.user, queue_id=queue_id)))

    @extend_schema(operation_id="queue_update", request=OpenApiTypes.OBJECT, responses=QueueOut)
    def patch(self, request: Request, queue_id: str) -> HttpResponse:
        """Change the given keys of a queue; ``settings`` are merged, arrivals and service are replaced."""
        queue = selectors.queue_get(user=request.user, queue_id=queue_id)
        body = _merged(queue_values(queue), body_of(request))
        return answer(queue_out(services.queue_update(queue=queue, body=body)))

    @extend_schema(operation_id="queue_archive", responses={204: None})
    def delete(self, request: Request, queue_id: str) -> HttpResponse:
        """Archive a stored queue: it leaves the lists, scenarios keep their copies."""
        services.queue_archive(queue=selectors.queue_get(user=request.user, queue_id=queue_id))
        return HttpResponse(status=204)


def _merged(values: dict[str, Any], changes: dict[str, Any]) -> dict[str, Any]:
    """Settings are changed one by one; a distribution of another kind cannot be merged and is replaced."""
    settings = changes.get("settings")
    if isinstance(settings, dict):
        changes = {**changes, "settings": {**values["settings"], **settings}}
    return {**values, **changes}
