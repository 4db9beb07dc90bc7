"""Stored servers and queues."""

from collections.abc import Callable, Mapping
from typing import Any, ClassVar

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request

from planner import selectors, services
from planner.answers.values import platform_wanted
from planner.api.base import READ_WRITE, Store, idempotent
from planner.api.reading import body_of
from planner.api.schemas.scenarios import QueueOut, ServerOut
from planner.api.tagged import Tagged, guarded
from planner.errors import NotFound
from planner.services.inventory import queue_body, queue_read, server_body, server_read
from simulations.declarations.problems import InvalidInput


class StoredViewSet(Tagged):
    """Base of both: change the given keys, or archive."""

    scopes = READ_WRITE
    sorts = ("name", "-updated_at")
    values: ClassVar[Callable[..., Mapping[str, Any]]]
    update: ClassVar[Callable[..., Any]]

    @extend_schema(request=OpenApiTypes.OBJECT)
    @guarded
    def partial_update(self, request: Request, **_: str) -> HttpResponse:
        """Change the given keys; ``settings`` are merged, arrivals and service are replaced."""
        kind, row, changes = type(self), self.get_object(), body_of(request)
        values, settings = kind.values(row), changes.get("settings")
        if isinstance(settings, dict):
            changes = {**changes, "settings": {**values["settings"], **settings}}
        merged = {**values, **changes}
        return self.tagged(kind.update(**{str(self.basename): row, "body": merged, "actor": self.caller}))

    @guarded
    def destroy(self, request: Request, **_: str) -> None:
        """Archive: it leaves the lists, a server with its queues; scenarios keep their copies."""
        services.row_archive(row=self.get_object(), actor=self.caller)


class ServerViewSet(StoredViewSet):
    """The caller's stored servers."""

    lookup_url_kwarg = "server_id"
    selector, lister = selectors.server_get, selectors.servers_list
    line = body = ServerOut
    values, update = server_body, services.server_update

    @extend_schema(request=OpenApiTypes.OBJECT)
    @idempotent
    def create(self, request: Request) -> Store:
        """Store a server: ``platform`` and the keys of a scenario's server."""
        body = dict(body_of(request))
        platform = platform_wanted(str(body.pop("platform", ""))).name
        read = server_read(platform, body)
        return self.creates(services.server_store, ServerOut, owner=self.caller, platform=platform, read=read)


class QueueViewSet(StoredViewSet):
    """The caller's stored queues."""

    lookup_url_kwarg = "queue_id"
    selector, lister = selectors.queue_get, selectors.queues_list
    line = body = QueueOut
    values, update = queue_body, services.queue_update

    @extend_schema(request=OpenApiTypes.OBJECT)
    @idempotent
    def create(self, request: Request) -> Store:
        """Store a queue: ``server_id`` of a stored server and the keys of a scenario's queue."""
        body = dict(body_of(request))
        if "server_id" not in body:
            raise InvalidInput.at(("server_id",), "is missing; give the id of a stored server", code="missing")
        server_id = str(body.pop("server_id"))
        try:
            server = self.allowed(selectors.server_get(user=self.caller, server_id=server_id))
        except NotFound as error:
            raise InvalidInput.at(("server_id",), str(error), value=server_id) from error
        read = queue_read(server, body)
        return self.creates(services.queue_store, QueueOut, owner=self.caller, server=server, read=read)
