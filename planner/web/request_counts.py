"""Counting answers by part of the product and status, for the operators' metrics. Nothing about who asked."""

from collections.abc import Callable, Iterator
from http import HTTPStatus

from django.http import HttpRequest
from django.http.response import HttpResponseBase

from planner.web.counters import counted, counts

AREAS = ("api", "pages", "admin")
STATUSES = tuple(status.value for status in HTTPStatus)


class RequestCount:
    """Middleware. It stands behind the static files, which are no work of ours."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer, and count the answer."""
        answer = self._get_response(request)
        counted(_key(_area(request.path), answer.status_code), seconds=None)
        return answer


def requests_counted() -> Iterator[tuple[str, int, int]]:
    """Yield area, status and number of answers of all web processes, where there are any."""
    keys = {_key(area, status): (area, status) for area in AREAS for status in STATUSES}
    found = counts(dict(keys))
    yield from ((*place, found[key]) for key, place in keys.items() if found.get(key))


def _area(path: str) -> str:
    first = path.split("/", 2)[1] if path.startswith("/") else ""
    return first if first in AREAS else "pages"


def _key(area: str, status: int) -> str:
    return f"answers:{area}:{status}"
