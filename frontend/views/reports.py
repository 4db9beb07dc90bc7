"""Saved reports: list, page, sign-off, share links, one HTML file, JSON, CSV."""

import csv
import hashlib

from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from frontend.decision import csv_rows
from frontend.reports import report_file, report_page
from frontend.views.common import page, person
from planner import selectors, services
from planner.models import Report, ReportState
from planner.paper import report_pdf
from planner.signing import SIGN

LATEST = 200


@require_safe
@page
def reports(request: HttpRequest) -> HttpResponse:
    """List the person's reports, and those of others that wait for their signature."""
    user = person(request)
    context = {
        "reports": selectors.reports_list(user=user)[:LATEST],
        "waiting": selectors.reports_in_review(user=user)[:LATEST],
        "section": "reports",
    }
    return render(request, "frontend/reports.html", context)


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
    return _page(request, report_id)


@require_POST
@page
def report_step(request: HttpRequest, report_id: str) -> HttpResponse:
    """Take the sign-off one step further: ``to`` is draft, in_review or signed."""
    found = selectors.report_get(user=person(request), report_id=report_id)
    wanted = request.POST.get("to", "")
    if wanted not in ReportState.values:
        raise Http404("there is no such state")
    comment = request.POST.get("comment", "")
    services.report_step(report=found, actor=person(request), to=ReportState(wanted), comment=comment)
    messages.success(request, f"The report is now: {found.get_state_display().lower()}.")
    return redirect("report", report_id=report_id)


@require_POST
@page
def report_share(request: HttpRequest, report_id: str) -> HttpResponse:
    """Make a share link; its address is shown once, in the answer."""
    found = selectors.report_get(user=person(request), report_id=report_id)
    days = request.POST.get("days", "")
    made = services.share_create(report=found, actor=person(request), days=int(days) if days.isdigit() else 7)
    address = request.build_absolute_uri(reverse("report-shared", args=[made.secret]))
    return _page(request, report_id, shared=address)


@require_POST
@page
def share_revoke(request: HttpRequest, link_id: str) -> HttpResponse:
    """End a share link now."""
    link = selectors.share_get(user=person(request), link_id=link_id)
    services.share_revoke(link=link, actor=person(request))
    messages.success(request, "The link no longer opens the report.")
    return redirect("report", report_id=link.report_id)


@login_not_required
@require_safe
@page
def report_shared(request: HttpRequest, secret: str) -> HttpResponse:
    """Show a report to whoever has its link."""
    found = selectors.report_shared(secret=secret)
    return render(request, "frontend/report_shared.html", {**report_page(found), "secret": secret})


@login_not_required
@require_safe
@page
def report_shared_html(request: HttpRequest, secret: str) -> HttpResponse:
    """Let whoever has the link download the file."""
    return _html_file(selectors.report_shared(secret=secret))


@require_safe
@page
def report_html(request: HttpRequest, report_id: str) -> HttpResponse:
    """Download the report as one file that needs no network."""
    return _html_file(selectors.report_get(user=person(request), report_id=report_id))


@require_safe
@page
def report_paper(request: HttpRequest, report_id: str) -> HttpResponse:
    """Download the report as PDF, printed from the same file; 503 where the machine has no Chromium."""
    found = selectors.report_get(user=person(request), report_id=report_id)
    return _attached(HttpResponse(report_pdf(found), content_type="application/pdf"), f"{found.pk}.pdf")


@require_safe
@page
def report_csv(request: HttpRequest, report_id: str) -> HttpResponse:
    """Download the results as a tidy table."""
    found = selectors.report_get(user=person(request), report_id=report_id)
    response = HttpResponse(content_type="text/csv; charset=utf-8")
    csv.writer(response).writerows(csv_rows(found.payload))
    return _attached(response, f"{found.pk}.csv")


@require_safe
@page
def report_json(request: HttpRequest, report_id: str) -> HttpResponse:
    """Download the payload with its hash."""
    found = selectors.report_get(user=person(request), report_id=report_id)
    body = {"id": found.pk, "payload_hash": found.payload_hash, **found.payload}
    return _attached(JsonResponse(body, json_dumps_params={"indent": 1}), f"{found.pk}.json")


def _page(request: HttpRequest, report_id: str, *, shared: str = "") -> HttpResponse:
    user = person(request)
    found = selectors.report_get(user=user, report_id=report_id)
    context = {
        **report_page(found),
        "links": selectors.share_links(report=found) if found.owner_id == user.pk else [],
        "mine": found.owner_id == user.pk,
        "may_sign": user.has_perm(SIGN),
        "shared": shared,
        "report_states": ReportState.choices,
        "section": "reports",
    }
    return render(request, "frontend/report.html", context)


def _html_file(report: Report) -> HttpResponse:
    content = report_file(report)
    services.report_html_save(report=report, html_hash=hashlib.sha256(content).hexdigest())
    return _attached(HttpResponse(content, content_type="text/html; charset=utf-8"), f"{report.pk}.html")


def _attached(response: HttpResponse, name: str) -> HttpResponse:
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response
