"""Lists: what they may be narrowed to, how they are sorted, and pages that stay right while rows are added."""

from collections.abc import Sequence
from typing import Any

from django.core import signing
from django.db.models import QuerySet
from django.http import QueryDict
from django_filters import CharFilter, ChoiceFilter, DateFilter, FilterSet, ModelChoiceFilter, TypedChoiceFilter
from drf_spectacular.utils import OpenApiParameter
from rest_framework.filters import BaseFilterBackend
from rest_framework.pagination import Cursor, CursorPagination
from rest_framework.request import Request
from rest_framework.utils.urls import replace_query_param

from planner import selectors
from planner.api.reading import whole_of
from planner.models import RunKind, RunStatus
from simulations.declarations.problems import InvalidInput, Problem, nearest, problem
from simulations.platforms import PLATFORMS

BOOLS = [("true", "true"), ("false", "false")]
QUESTIONS = [item for item in RunKind.choices if item[0] != RunKind.RUN]


class RunFilter(FilterSet):  # type: ignore[misc]
    """Runs in one status."""

    status = ChoiceFilter(choices=RunStatus.choices, help_text="Where they stand.")


class ExperimentFilter(RunFilter):
    """Experiments of one type, in one status."""

    type = ChoiceFilter(field_name="kind", choices=QUESTIONS, help_text="What they ask.")


class BaselineFilter(FilterSet):  # type: ignore[misc]
    """Baselines of one application."""

    application = CharFilter(strip=False, help_text="Its name, as it was pinned.")


class ScenarioFilter(FilterSet):  # type: ignore[misc]
    """Scenarios of one platform, with a part of their name; archived ones only where they are asked for."""

    archived = TypedChoiceFilter(
        field_name="archived_at", lookup_expr="isnull", choices=BOOLS, coerce="false".__eq__, help_text="Archived ones."
    )
    platform = ChoiceFilter(choices=[(name, name) for name in PLATFORMS], help_text="What they simulate.")
    team = ModelChoiceFilter(
        queryset=lambda request: selectors.teams_list(user=request.user), help_text="Id of the team they belong to."
    )
    search = CharFilter(field_name="name", lookup_expr="icontains", strip=False, help_text="Part of the name.")

    def __init__(self, data: QueryDict, **more: Any) -> None:
        super().__init__({**data.dict(), "archived": data.get("archived") or "false"}, **more)


class EventFilter(FilterSet):  # type: ignore[misc]
    """Audit events whose action begins so, of one person, since a day."""

    action = CharFilter(lookup_expr="startswith", help_text="The beginning, for example `report.`.")
    person = CharFilter(field_name="actor__username", help_text="Who did it, as they sign in.")
    since = DateFilter(field_name="at", lookup_expr="date__gte", help_text="The first day, for example 2026-12-31.")


class Filters(BaseFilterBackend):
    """Narrows a list by the view's ``filterset_class``; a wrong value is named with the nearest known one."""

    def filter_queryset(self, request: Request, queryset: QuerySet[Any], view: Any) -> QuerySet[Any]:
        """Return the rows that were asked for; raises InvalidInput."""
        if view.filterset_class is None:
            return queryset
        filters = view.filterset_class(request.query_params, queryset=queryset, request=request)
        if filters.errors:
            raise InvalidInput(_unknown(name, filters) for name in filters.errors)
        rows: QuerySet[Any] = filters.qs
        return rows


def filter_parameters(view: Any) -> list[OpenApiParameter]:
    """Return the filters of a view's list for the OpenAPI document."""
    filters = view.filterset_class.base_filters if view.filterset_class else {}
    return [_parameter(name, **item.extra) for name, item in filters.items()]


def _unknown(name: str, filters: FilterSet) -> Problem:
    value = filters.data[name]
    if "choices" not in filters.filters[name].extra:
        is_team = "queryset" in filters.filters[name].extra
        remedy = "is no team of yours; GET /teams lists them" if is_team else "is no date; write it as 2026-12-31"
        return problem((name,), remedy, value=value)
    known = [key for key, _ in filters.filters[name].extra["choices"]]
    return problem((name,), f"unknown {name}; {nearest(value, known)}", value=value)


def _parameter(name: str, choices: Sequence[tuple[str, str]] = (), help_text: str = "", **_: Any) -> OpenApiParameter:
    kind, known = ("boolean", []) if choices == BOOLS else ("string", sorted(key for key, _ in choices))
    return OpenApiParameter(name, {"type": kind, **({"enum": known} if known else {})}, description=help_text)


DEFAULT_LIMIT = 50
MOST = 200


class Pages(CursorPagination):
    """The framework's cursors, signed for one list in one order; sorted as ``?sort=`` says. The view's ``sorts`` are
    the fields that may be named, the first with its sign being the default."""

    request: Request

    def get_page_size(self, request: Request) -> int:
        """Return the rows of a page; raises InvalidInput."""
        return whole_of(request, "limit", DEFAULT_LIMIT, least=1, most=MOST)

    def get_ordering(self, request: Request, queryset: QuerySet[Any], view: Any) -> tuple[str, str]:
        """Return the sorted field and the key; raises InvalidInput for a field that is not among the view's."""
        sort = request.query_params.get("sort", view.sorts[0])
        known = [item.lstrip("-") for item in view.sorts]
        if sort.removeprefix("-") not in known:
            raise InvalidInput.at(("sort",), f"cannot sort by that; {nearest(sort, known)}", value=sort)
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
            raise InvalidInput.at((self.cursor_query_param,), message, value=text) from None

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
