"""Middleware: answers are counted and travel compressed, and addresses that no database could hold name nothing."""

from collections.abc import Callable
from typing import Any

from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware
from django.utils.deprecation import MiddlewareMixin

from planner.web.counters import answer_counted
from planner.web.json_bodies import storable
from planner.web.problems import problem_response

EVENT_STREAM = "text/event-stream"
"""A compressor would hold events back until there are enough of them."""
UNSTORABLE = "the address holds a character that no name has"


class RequestCount:
    """Counts answers for the operators' metrics. It stands behind the static files, which are no work of ours."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer, and count the answer."""
        answer = self._get_response(request)
        answer_counted(request.path, answer.status_code)
        return answer


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
        self,
        request: HttpRequest,
        view_func: Callable[..., HttpResponseBase],
        view_args: tuple[Any, ...],
        view_kwargs: dict[str, Any],
    ) -> HttpResponseBase | None:
        """Refuse the address, or let the view answer. Raises Http404 for a page."""
        is_api = request.path.startswith("/api/")
        queries = [] if is_api else [text for values in request.GET.lists() for text in (values[0], *values[1])]
        if storable([*view_kwargs.values(), *queries]):
            return None
        if is_api:
            return problem_response(request, 404, "not_found", UNSTORABLE)
        raise Http404(UNSTORABLE)
