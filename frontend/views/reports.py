"""Saved reports: list, page, one HTML file, JSON."""

import hashlib

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from frontend.charts.theme import themes
from frontend.reports import report_context, report_file
from frontend.views.common import page, person
from planner import selectors, services


@require_safe
@page
def reports(request: HttpRequest) -> HttpResponse:
    """List the person's reports."""
    found = selectors.reports_list(user=person(request))[:200]
    return render(request, "frontend/reports.html", {"reports": found, "section": "reports"})


@require_POST
@page
def report_new(request: HttpRequest, run_id: str) -> HttpResponse:
    """Freeze a run's answer."""
    run = selectors.run_get(user=person(request), run_id=run_id)
    report = services.report_create(run=run, owner=person(request), title=request.POST.get("title", ""))
    messages.success(request, "The report is saved. Its numbers will not change any more.")
    return redirect("report", report_id=report.pk)


@require_safe
@page
def report(request: HttpRequest, report_id: str) -> HttpResponse:
    """Show a report."""
    found = selectors.report_get(user=person(request), report_id=report_id)
    context = {**report_context(found.payload), "report": found, "themes": themes(), "section": "reports"}
    return render(request, "frontend/report.html", context)


@require_safe
@page
def report_html(request: HttpRequest, report_id: str) -> HttpResponse:
    """Download the report as one file that needs no network."""
    found = selectors.report_get(user=person(request), report_id=report_id)
    content = report_file(found)
    services.report_html_save(report=found, html_hash=hashlib.sha256(content).hexdigest())
    return _attached(HttpResponse(content, content_type="text/html; charset=utf-8"), f"{found.pk}.html")


@require_safe
@page
def report_json(request: HttpRequest, report_id: str) -> HttpResponse:
    """Download the payload with its hash."""
    found = selectors.report_get(user=person(request), report_id=report_id)
    body = {"id": found.pk, "payload_hash": found.payload_hash, **found.payload}
    return _attached(JsonResponse(body, json_dumps_params={"indent": 1}), f"{found.pk}.json")


def _attached(response: HttpResponse, name: str) -> HttpResponse:
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response
