"""Middleware: answers are logged, counted and travel compressed; addresses that no database could hold name nothing."""

import logging
import re
import time
from collections.abc import Callable, Mapping
from http import HTTPStatus
from uuid import uuid4

from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware
from django.utils.deprecation import MiddlewareMixin
from django.utils.functional import SimpleLazyObject
from structlog.contextvars import bound_contextvars

from planner.web.counters import answer_counted
from planner.web.json_bodies import storable
from planner.web.problems import problem_response

EVENT_STREAM = "text/event-stream"
"""A compressor would hold events back until there are enough of them."""
REQUEST_ID = re.compile(r"[\w-]{1,64}", re.ASCII)
UNSTORABLE = "the address holds a character that no name has"

logger = logging.getLogger(__name__)


class AccessLog:
    """Logs and counts answers, and gives each request an id, which all its events and tasks carry. It stands behind the
    static files, which are no work of ours. A proxy's ``X-Request-ID`` is kept."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer, and say so."""
        given = request.headers.get("X-Request-ID", "")
        number = given if REQUEST_ID.fullmatch(given) else uuid4().hex[:16]
        began = time.perf_counter()
        with bound_contextvars(request_id=number):
            answer = self._get_response(request)
            answer_counted(request.path, answer.status_code)
            _log(request, answer, milliseconds=1e3 * (time.perf_counter() - began))
        answer.headers["X-Request-ID"] = number
        return answer


def _log(request: HttpRequest, answer: HttpResponseBase, *, milliseconds: float) -> None:
    """Log the answer; what pages ask for every few seconds is no news."""
    polled = request.headers.get("HX-Request") or request.path.startswith("/api/v1/health/")
    match, user = request.resolver_match, request.__dict__.get("_cached_user") or request.__dict__.get("user")
    about = {
        "method": request.method,
        "path": f"/{match.route}" if match and any("secret" in name for name in match.kwargs) else request.path,
        "status": answer.status_code,
        "ms": round(milliseconds, 1),
        # An answer that did not ask who calls does not begin to ask here.
        "user_id": None if isinstance(user, SimpleLazyObject) else getattr(user, "pk", None),
        "address": request.META.get("REMOTE_ADDR"),
    }
    is_news = not polled or answer.status_code >= HTTPStatus.BAD_REQUEST
    logger.log(logging.INFO if is_news else logging.DEBUG, "answered", extra=about)


class TextCompression(GZipMiddleware):
    """Compresses texts, not files that are compressed themselves.

    The CSRF secret in a page is masked differently in each answer, and Django adds a random number of bytes to each
    compressed one, so that sizes tell nothing about secrets.
    """

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        """Return the answer, compressed if it is text and the client understands gzip."""
        kind = response.headers.get("Content-Type", "").partition(";")[0]
        is_text = kind.startswith("text/") or kind.endswith("json")
        return super().process_response(request, response) if is_text and kind != EVENT_STREAM else response


class StorableAddress(MiddlewareMixin):
    """Answers 404 to a null character or half a surrogate pair before a view asks the database.

    PostgreSQL refuses such texts, which would look like our defect. The API says which parameter of a query is wrong
    (422); a page has no place for that, so for it this is 404 too.
    """

    def process_view(
        self, request: HttpRequest, view: object, args: object, kwargs: Mapping[str, object]
    ) -> HttpResponseBase | None:
        """Refuse the address, or let the view answer. Raises Http404 for a page."""
        is_api = request.path.startswith("/api/")
        if storable([*kwargs.values(), {} if is_api else dict(request.GET.lists())]):
            return None
        if is_api:
            return problem_response(request, 404, "not_found", UNSTORABLE)
        raise Http404(UNSTORABLE)
