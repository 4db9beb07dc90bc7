"""Saved reports: list, page, sign-off, share links, one HTML file, JSON, CSV."""

from typing import Any, get_args

from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.safestring import mark_safe

from frontend.configuration.sent_files import uploads_sent
from frontend.reports.page import report_page
from frontend.site.automation import of_list, of_report
from frontend.site.base import done, get_page, person, post_page, reading, role_checks
from planner import selectors, services
from planner.api.reading import read_values
from planner.api.schemas.reports import CommentIn, ReportIn, ShareLinkIn
from planner.api.views.reports import downloaded
from planner.errors import Throttled
from planner.models import Report, ReportComment, ReportState, Role, Run, ShareLink
from planner.models.report import Section, chain_holds
from planner.reports.evidence import drift_evidence
from planner.reports.schema import report_schema
from planner.web.counters import counted
from planner.web.downloads import saved_as

LATEST = 200
SHARES_ASKED, SHARE_WINDOW = 60, 60
"""Requests for shared reports from one address, and the seconds in which it may make them."""


@get_page
def reports(request: HttpRequest) -> HttpResponse:
    """List the person's reports, and those of others that wait for their signature."""
    user = person(request)
    context = {
        "reports": selectors.reports_list(user=user)[:LATEST],
        "waiting": selectors.reports_in_review(user=user)[:LATEST],
        "spellings": of_list(request, "api:reports"),
    }
    return render(request, "frontend/reports/list.html", context)


@post_page
def report_new(request: HttpRequest, run: Run) -> HttpResponse:
    """Freeze a run's answer, with the drift where files are sent along."""
    typed = {name: text for name in ReportIn.model_fields if (text := request.POST.get(name, "").strip())}
    asked = read_values({**typed, "run": run.pk}, ReportIn)
    drift = drift_evidence(run.version, uploads_sent(request), asked.target)
    about = asked.model_dump(include={"title", "decider", "decide_by"})
    report = services.report_create(run=run, owner=person(request), drift=drift, **about)
    return done(request, "The report is saved. Its numbers will not change any more.", "report", report_id=report.pk)


@get_page
def report(request: HttpRequest, report: Report) -> HttpResponse:
    """Show a report."""
    return _page(request, report)


@post_page
@reading
def report_step(request: HttpRequest, report: Report) -> HttpResponse:
    """Take the sign-off one step further: ``to`` is draft, in_review, reviewed or signed."""
    if selectors.role_of(report, user=person(request)):
        role_checks(request, report)
    wanted = request.POST.get("to", "")
    if wanted not in ReportState.values:
        raise Http404("there is no such state")
    comment = request.POST.get("comment", "")
    services.report_step(report=report, actor=person(request), to=ReportState(wanted), comment=comment)
    return done(request, f"The report is now: {report.get_state_display().lower()}.", "report", report_id=report.pk)


@post_page
def report_share(request: HttpRequest, report: Report) -> HttpResponse:
    """Make a share link; its address is shown once, in the answer."""
    days = request.POST.get("days")
    asked = read_values({"days": days} if days else {}, ShareLinkIn)
    made = services.share_create(report=report, actor=person(request), days=asked.days)
    address = request.build_absolute_uri(reverse("report-shared", args=[made.secret]))
    return _page(request, report, shared=address)


@post_page
def share_revoke(request: HttpRequest, link: ShareLink) -> HttpResponse:
    """End a share link now."""
    services.share_revoke(link=link, actor=person(request))
    return done(request, "The link no longer opens the report.", "report", report_id=link.report_id)


@post_page
@reading
def comment_new(request: HttpRequest, report: Report) -> HttpResponse:
    """Note something at a section of a report."""
    said = read_values({name: request.POST.get(name, "") for name in CommentIn.model_fields}, CommentIn)
    made = services.comment_create(report=report, author=person(request), **said.model_dump())
    return done(request, "Whoever may read the report here sees your comment.", _section(made))


@post_page
@reading
def comment_delete(request: HttpRequest, comment: ReportComment) -> HttpResponse:
    """Delete a comment."""
    services.comment_delete(comment=comment, actor=person(request))
    return done(request, "The comment is deleted.", _section(comment))


def _section(comment: ReportComment) -> str:
    return f"{reverse('report', args=[comment.report_id])}#{comment.section}"


@login_not_required
@get_page
def report_shared(request: HttpRequest, secret: str) -> HttpResponse:
    """Show a report to whoever has its link."""
    report = _opened(request, secret)
    return _private(render(request, "frontend/reports/shared.html", {**_body(report), "secret": secret}))


@login_not_required
@get_page
def report_shared_html(request: HttpRequest, secret: str) -> HttpResponse:
    """Let whoever has the link download the file."""
    return _private(downloaded(_opened(request, secret), "html"))


def _opened(request: HttpRequest, secret: str) -> Report:
    """The report of a link; raises Throttled where one address asks so often that it may be guessing."""
    address = str(request.META.get("REMOTE_ADDR", ""))
    if counted(f"shared:{address}", seconds=SHARE_WINDOW) > SHARES_ASKED:
        raise Throttled("too many shared reports were asked for from your address", SHARE_WINDOW)
    return services.share_read(secret=secret, address=address)


def _private(response: HttpResponse) -> HttpResponse:
    """What caches must not keep and search engines must not list."""
    response["Cache-Control"] = "no-store, private"
    response["X-Robots-Tag"] = "noindex, nofollow"
    return response


@get_page
def report_file(request: HttpRequest, report: Report, form: str) -> HttpResponse:
    """Download a report as html, pdf (503 where the machine has no Chromium), json, csv, parquet or capsule."""
    return downloaded(report, form)


@get_page
def report_schema_json(request: HttpRequest) -> HttpResponse:
    """Download the JSON schema of a report's JSON."""
    return JsonResponse(report_schema(), json_dumps_params={"indent": 1}, headers=saved_as("report.schema.json"))


def _page(request: HttpRequest, report: Report, *, shared: str = "") -> HttpResponse:
    user = person(request)
    mine = selectors.may(report, Role.PLANNER, user=user)
    context = {
        **_body(report),
        "sections": get_args(Section),
        "comments": report.comments.select_related("author").order_by("pk"),
        "admin": selectors.may(report, Role.ADMIN, user=user),
        "links": selectors.share_links(report=report) if mine else [],
        "mine": mine,
        "may_sign": selectors.report_may(report, ReportState.SIGNED, user=user),
        "reviewed_by_me": selectors.reviewed_by(report) == user.pk,
        "may_review": selectors.report_may(report, ReportState.REVIEWED, user=user),
        "shared": shared,
        "report_states": ReportState.choices,
        "spellings": of_report(request, report),
    }
    return render(request, "frontend/reports/page.html", context)


def _body(report: Report) -> dict[str, Any]:
    """What the page shows: of a signed report what was kept when it was signed, and what has happened since."""
    since = {"newer": selectors.versions_since(report=report), "replaced_by": report.superseded_by.first()}
    if not report.files.filter(kind="html").exists():
        return {**report_page(report), **since}
    main = services.report_html(report=report).split(b'<main id="main">', 1)[1].split(b"</main>", 1)[0]
    frozen = mark_safe(main.decode())  # noqa: S308 - our own file, its hash compared  # nosec B308
    return {"report": report, "frozen": frozen, "chain_holds": chain_holds(report), **since}
