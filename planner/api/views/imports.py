"""Vendor configuration in: files become a scenario with an account of every element."""

from typing import ClassVar

from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request

from planner import selectors, services
from planner.api.base import ApiView, Store, answer, idempotent, read_values
from planner.api.examples import IMPORT_EXAMPLES, IMPORT_REQUEST
from planner.api.schemas.configuration import ImportIn, ImportOut
from planner.api.schemas.written import import_out
from planner.api.uploads import UploadParser, fields_of, files_of
from planner.configuration.importing import configuration_read, files_named


class ImportsView(ApiView):
    """Imports."""

    scopes: ClassVar = {"POST": "write"}
    parser_classes = (UploadParser,)

    @extend_schema(
        operation_id="import_create", request=IMPORT_REQUEST, responses={201: ImportOut}, examples=IMPORT_EXAMPLES
    )
    @idempotent
    def post(self, request: Request) -> Store:
        """Read descriptors, domain files, models, broker files or a scenario, and store what they describe."""
        asked = read_values(fields_of(request), ImportIn)
        files = files_named(files_of(request))
        reading = configuration_read(files, platform=asked.platform, name=asked.name)

        def store() -> HttpResponse:
            made = services.import_store(owner=self.caller, files=files, reading=reading)
            return answer(import_out(made), 201, {"Location": f"/api/v1/imports/{made.pk}"})

        return store


class ImportView(ApiView):
    """One import."""

    scopes: ClassVar = {"GET": "read"}

    @extend_schema(operation_id="import", responses=ImportOut)
    def get(self, request: Request, import_id: str) -> HttpResponse:
        """Show the scenario as it is now, and the account of the import."""
        return answer(import_out(selectors.import_get(user=request.user, import_id=import_id)))
