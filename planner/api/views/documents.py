"""The OpenAPI document and a page to read it, made on the server without any script."""

import json
from typing import ClassVar

from django.http import HttpResponse
from django.shortcuts import render
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request

from planner.api.base import ApiView
from planner.api.negotiation import ByAddress
from planner.api.openapi import METHODS, openapi_document
from planner.api.views.operations import OpenView


@extend_schema(exclude=True)
class OpenApiView(OpenView):
    """The document."""

    def get(self, request: Request) -> HttpResponse:
        """Return the OpenAPI document."""
        return HttpResponse(json.dumps(openapi_document()), content_type="application/json")


@extend_schema(exclude=True)
class DocumentationView(ApiView):
    """The page."""

    scopes: ClassVar = {"GET": "read"}
    content_negotiation_class = ByAddress

    def get(self, request: Request) -> HttpResponse:
        """Show all endpoints with their parameters and bodies."""
        document = openapi_document()
        endpoints = [
            {"path": path, "method": method.upper(), **operation}
            for path, operations in document["paths"].items()
            for method, operation in operations.items()
            if method in METHODS
        ]
        return render(request._request, "planner/api.html", {"info": document["info"], "endpoints": endpoints})
