"""Help and status: the guide of docs/guide in the product, the reference of the REST API, and whether all is up."""

from typing import Any

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.safestring import mark_safe
from markdown_it import MarkdownIt

from frontend.site.automation import of_operation
from frontend.site.base import get_page
from frontend.wording.numbers import TEXTS
from planner import selectors
from planner.api.openapi import METHODS, openapi_document
from planner.jobs.metrics import OK, parts_states
from simulations.pipeline.spark.warm import variants_awaited

PICTURES = 'src="pictures/'
"""How the guide names its pictures, which are collected as static files."""


@get_page
def guide(request: HttpRequest, page: str = "index") -> HttpResponse:
    """Show a page of the guide; links between its files lead to the pages here."""
    if not (file := settings.GUIDE / f"{page}.md").is_file():
        raise Http404(f"the guide has no page {page}")
    text = file.read_text(encoding="utf-8")
    html = MarkdownIt("js-default").render(text).replace(PICTURES, f'src="{settings.STATIC_URL}guide/')
    context = {"title": text.partition("\n")[0].lstrip("# "), "text": mark_safe(html)}  # noqa: S308 - our own files  # nosec B308
    return render(request, "frontend/site/guide.html", {**context})


@get_page
def api_reference(request: HttpRequest, resource: str = "") -> HttpResponse:
    """Show what the API is about; of one resource every operation with its examples; the keys of all bodies."""
    context: dict[str, Any] = {"resources": TEXTS["api_resources"], "resource": resource}
    if not resource:
        return render(request, "frontend/site/reference.html", context)
    if resource not in TEXTS["api_resources"]:
        raise Http404(f"the API has no resource {resource}")
    document = openapi_document()
    context["operations"] = [
        {"path": path, "method": method.upper(), **body, "examples": of_operation(request, method, path, body)}
        for path, methods in document["paths"].items()
        for method, body in methods.items()
        if method in METHODS and resource in body["tags"]
    ]
    models = document["components"]["schemas"].items() if resource == "bodies" else ()
    context["schemas"] = [(name, schema, schema.get("properties", {}).items()) for name, schema in models]
    return render(request, "frontend/site/resource.html", context)


@get_page
def status(request: HttpRequest) -> HttpResponse:
    """Show each part with what waits without it, and how many runs wait or compute, for everybody."""
    context = {
        "parts": [(TEXTS["parts"][part], state, state == OK) for part, state in parts_states().items()],
        "awaited": variants_awaited(),
        "work": [
            (TEXTS["attention"][state].capitalize(), number, oldest)
            for state, number, oldest in selectors.runs_under_way()
        ],
    }
    return render(request, "frontend/site/status.html", context)
