"""Addresses that name nothing, because no database could hold the name: a null character, half a surrogate pair."""

import sys
from collections.abc import Callable
from typing import Any

from django.core.exceptions import DisallowedHost
from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase
from django.utils.deprecation import MiddlewareMixin
from django.views import defaults

from planner.web.json_bodies import storable
from planner.web.problems import problem_of, problem_response

WRONG_HOST = "the header Host is not an address of this installation (ALLOWED_HOSTS, PUBLIC_URL)"
MESSAGE = "the address holds a character that no name has"


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponseBase:
    """Answer what Django refuses before a view: a problem for the API, Django's own page elsewhere."""
    if not request.path.startswith("/api/"):
        return defaults.bad_request(request, exception)
    is_host = isinstance(exception, DisallowedHost)
    return problem_response(request, 400, "bad_request", WRONG_HOST if is_host else "the request cannot be read")


def server_error(request: HttpRequest) -> HttpResponseBase:
    """Answer a defect outside the views with a number for the API, with Django's own page elsewhere."""
    if not request.path.startswith("/api/"):
        return defaults.server_error(request)
    defect = sys.exc_info()[1]
    return problem_of(defect if isinstance(defect, Exception) else RuntimeError("an unknown defect"), request)


class StorableAddress(MiddlewareMixin):
    """Answers 404 before a view asks the database: PostgreSQL refuses such texts, which would look like our defect.

    The API says which parameter of a query is wrong (422); a page has no place for that, so for it this is 404 too.
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
            return problem_response(request, 404, "not_found", MESSAGE)
        raise Http404(MESSAGE)
