"""Lists in pages that stay right while rows are added: a cursor holds the place, not a count."""

import base64
import binascii
import json
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Any, TypeVar

from django.core.exceptions import ValidationError
from django.db.models import Model, Q, QuerySet
from django.http import HttpResponse
from pydantic import BaseModel
from rest_framework.request import Request

from planner.api.base import answer, whole_of
from planner.web.json_bodies import storable
from simulations.problems import InvalidInput, nearest, problem

DEFAULT_LIMIT = 50
MOST = 200
NEWEST_FIRST = ("-created_at",)
Row = TypeVar("Row", bound=Model)


def page(
    request: Request,
    rows: QuerySet[Row],
    out: Callable[[list[Row], str | None], BaseModel],
    *,
    sorts: Sequence[str] = NEWEST_FIRST,
) -> HttpResponse:
    """Answer one page. ``sorts``: the fields that ``?sort=`` may name, the first with its sign being the default.

    Raises InvalidInput for an unknown sort, limit or cursor.
    """
    limit, sort = whole_of(request, "limit", DEFAULT_LIMIT, least=1, most=MOST), _sort(request, sorts)
    ordered = rows.order_by(sort, "-pk" if sort.startswith("-") else "pk")
    found = list(_after(ordered, request, sort)[: limit + 1])
    following = _next_url(request, found[limit - 1], sort) if len(found) > limit else None
    headers = {"Link": f'<{following}>; rel="next"'} if following else {}
    return answer(out(found[:limit], following), headers=headers)


def listed(
    request: Request,
    rows: QuerySet[Row],
    body: type[BaseModel],
    item: Callable[[Row], BaseModel],
    *,
    sorts: Sequence[str] = NEWEST_FIRST,
) -> HttpResponse:
    """Answer one page as ``body``, whose ``items`` are one for each row; ``page`` says what else there is to know."""
    return page(request, rows, lambda found, following: body(items=list(map(item, found)), next=following), sorts=sorts)


def _sort(request: Request, sorts: Sequence[str]) -> str:
    sort = request.query_params.get("sort", sorts[0])
    known = [item.lstrip("-") for item in sorts]
    if sort.removeprefix("-") not in known:
        raise InvalidInput([problem(("sort",), f"cannot sort by that; {nearest(sort, known)}", value=sort)])
    return sort


def _after(rows: QuerySet[Row], request: Request, sort: str) -> QuerySet[Row]:
    cursor = request.query_params.get("cursor", "")
    if not cursor:
        return rows
    try:
        value, key = _place(rows.model, sort, json.loads(base64.urlsafe_b64decode(cursor.encode())))
        field, beyond = sort.lstrip("-"), "lt" if sort.startswith("-") else "gt"
        further = Q(**{f"{field}__{beyond}": value}) | Q(**{field: value, f"pk__{beyond}": key})
        return rows.filter(further)
    except (ValueError, TypeError, OverflowError, RecursionError, binascii.Error, ValidationError):
        message = "is not a cursor of this list in this order; start again without one"
        raise InvalidInput([problem(("cursor",), message, value=cursor)]) from None


def _place(model: type[Model], sort: str, place: Any) -> tuple[Any, Any]:
    """The values of the sorted field and of the key as the database takes them; raises ValueError and others."""
    order, value, key = place
    if order != sort or not storable(place):
        raise ValueError("no row can have this place")
    field: Any = model._meta.get_field(sort.lstrip("-"))
    value = field.to_python(value)
    if isinstance(value, datetime):
        value = value.astimezone(UTC)
    return value, model._meta.pk.to_python(key)


def _next_url(request: Request, last: Model, sort: str) -> str:
    value: Any = getattr(last, sort.lstrip("-"))
    place = json.dumps([sort, value if isinstance(value, str | int) else value.isoformat(), last.pk])
    query = request.query_params.copy()
    query["cursor"] = base64.urlsafe_b64encode(place.encode()).decode()
    return f"{request.build_absolute_uri(request.path)}?{query.urlencode()}"
