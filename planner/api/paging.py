"""Lists in pages that stay right while rows are added: a cursor holds the place, not a count."""

from typing import Any

from django.core import signing
from django.db.models import QuerySet
from rest_framework.pagination import Cursor, CursorPagination
from rest_framework.request import Request
from rest_framework.utils.urls import replace_query_param

from planner.api.reading import whole_of
from simulations.declarations.problems import InvalidInput, nearest, problem

DEFAULT_LIMIT = 50
MOST = 200


class Pages(CursorPagination):
    """The framework's cursors, signed for one list in one order; sorted as ``?sort=`` says.

    The view's ``sorts`` are the fields that may be named, the first with its sign being the default.
    """

    request: Request

    def get_page_size(self, request: Request) -> int:
        """Return the rows of a page; raises InvalidInput."""
        return whole_of(request, "limit", DEFAULT_LIMIT, least=1, most=MOST)

    def get_ordering(self, request: Request, queryset: QuerySet[Any], view: Any) -> tuple[str, str]:
        """Return the sorted field and the key; raises InvalidInput for a field that is not among the view's."""
        sort = request.query_params.get("sort", view.sorts[0])
        known = [item.lstrip("-") for item in view.sorts]
        if sort.removeprefix("-") not in known:
            raise InvalidInput([problem(("sort",), f"cannot sort by that; {nearest(sort, known)}", value=sort)])
        return sort, "-pk" if sort.startswith("-") else "pk"

    def decode_cursor(self, request: Request) -> Cursor | None:
        """Return the place; raises InvalidInput for anything but a cursor of this list in this order."""
        text = request.query_params.get(self.cursor_query_param)
        if not text:
            return None
        try:
            return Cursor(*signing.loads(text, salt=self._salt))
        except signing.BadSignature:
            message = "is not a cursor of this list in this order; start again without one"
            raise InvalidInput([problem((self.cursor_query_param,), message, value=text)]) from None

    def encode_cursor(self, cursor: Cursor) -> str:
        """Return the address of the page that begins at this place."""
        text = signing.dumps(cursor, salt=self._salt)
        return str(replace_query_param(str(self.base_url), self.cursor_query_param, text))

    def get_schema_operation_parameters(self, view: Any) -> list[dict[str, Any]]:
        """Nothing: docs/api.md describes the parameters that all lists share."""
        return []

    @property
    def _salt(self) -> str:
        return f"{self.request.path} {self.ordering[0]}"
