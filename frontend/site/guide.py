"""The pages of help: the guide of docs/guide in the product, and the reference of the REST API."""

from typing import Any

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.safestring import mark_safe
from markdown_it import MarkdownIt

from frontend.site.automation import of_operation
from frontend.site.base import get_page
from planner.api.openapi import METHODS, openapi_document

PICTURES = 'src="pictures/'
"""How the guide names its pictures, which are collected as static files."""


@get_page
def guide(request: HttpRequest, page: str = "index") -> HttpResponse:
    """Show a page of the guide; links between its files lead to the pages here."""
    file = settings.GUIDE / f"{page}.md"
    if not file.is_file():
        raise Http404(f"the guide has no page {page}")
    text = file.read_text(encoding="utf-8")
    html = MarkdownIt("js-default").render(text).replace(PICTURES, f'src="{settings.STATIC_URL}guide/')
    context = {"title": text.partition("\n")[0].lstrip("# "), "text": mark_safe(html)}  # noqa: S308 - our own files  # nosec B308
    return render(request, "frontend/site/guide.html", {**context})


@get_page
def api_reference(request: HttpRequest) -> HttpResponse:
    """Show every operation of the API with its parameters, bodies, answers and examples."""
    document = openapi_document()
    operations = [
        {"path": path, "method": method.upper(), **body, "examples": of_operation(request, method, path, body)}
        for path, methods in document["paths"].items()
        for method, body in methods.items()
        if method in METHODS
    ]
    models: dict[str, Any] = document["components"]["schemas"]
    schemas = [(name, schema, schema.get("properties", {}).items()) for name, schema in models.items()]
    context = {"info": document["info"], "operations": operations, "schemas": schemas}
    return render(request, "frontend/site/reference.html", context)
