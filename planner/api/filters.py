"""What the lists may be narrowed to."""

from collections.abc import Sequence
from typing import Any

from django.db.models import QuerySet
from django.http import QueryDict
from django_filters import CharFilter, ChoiceFilter, FilterSet, TypedChoiceFilter
from drf_spectacular.plumbing import build_parameter_type
from rest_framework.filters import BaseFilterBackend
from rest_framework.request import Request

from planner.models import RunKind, RunStatus
from simulations.declarations.problems import InvalidInput, Problem, nearest, problem
from simulations.platforms import PLATFORMS

YES_OR_NO = [("true", "true"), ("false", "false")]


class RunFilter(FilterSet):  # type: ignore[misc]
    """Runs in one status."""

    status = ChoiceFilter(choices=RunStatus.choices)


class ExperimentFilter(RunFilter):
    """Experiments of one type, in one status."""

    type = ChoiceFilter(field_name="kind", choices=[item for item in RunKind.choices if item[0] != RunKind.RUN])


class BaselineFilter(FilterSet):  # type: ignore[misc]
    """Baselines of one application."""

    application = CharFilter(strip=False)


class ScenarioFilter(FilterSet):  # type: ignore[misc]
    """Scenarios of one platform, with a part of their name; archived ones only where they are asked for."""

    archived = TypedChoiceFilter(
        field_name="archived_at", lookup_expr="isnull", choices=YES_OR_NO, coerce=lambda text: text == "false"
    )
    platform = ChoiceFilter(choices=[(name, name) for name in PLATFORMS])
    search = CharFilter(field_name="name", lookup_expr="icontains", strip=False, help_text="Part of the name.")

    def __init__(self, data: QueryDict, **more: Any) -> None:
        super().__init__({**data.dict(), "archived": data.get("archived") or "false"}, **more)


class Filters(BaseFilterBackend):
    """Narrows a list by the view's ``filterset_class``; a wrong value is named with the nearest known one."""

    def filter_queryset(self, request: Request, queryset: QuerySet[Any], view: Any) -> QuerySet[Any]:
        """Return the rows that were asked for; raises InvalidInput."""
        if view.filterset_class is None:
            return queryset
        asked = view.filterset_class(request.query_params, queryset=queryset, request=request)
        if asked.errors:
            raise InvalidInput(_unknown(name, asked) for name in asked.errors)
        found: QuerySet[Any] = asked.qs
        return found

    def get_schema_operation_parameters(self, view: Any) -> list[dict[str, Any]]:
        """Describe the filters for the OpenAPI document."""
        filters = view.filterset_class.base_filters if view.filterset_class else {}
        return [_parameter(name, **item.extra) for name, item in filters.items()]


def _unknown(name: str, asked: FilterSet) -> Problem:
    value = asked.data[name]
    known = [key for key, _ in asked.filters[name].extra["choices"]]
    return problem((name,), f"unknown {name}; {nearest(value, known)}", value=value)


def _parameter(name: str, choices: Sequence[tuple[str, str]] = (), help_text: str = "", **_: Any) -> dict[str, Any]:
    kind, known = ("boolean", []) if choices == YES_OR_NO else ("string", [key for key, _ in choices])
    return build_parameter_type(name, {"type": kind}, "query", description=help_text, enum=known)
