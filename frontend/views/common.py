"""What the views share."""

from collections.abc import Callable, Iterable
from functools import wraps
from typing import Any, Concatenate, ParamSpec

from django.contrib import messages
from django.contrib.auth.models import User
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string

from frontend.charts.chart import Chart
from planner.errors import Conflict, Forbidden, NotFound, Stale, Unavailable

P = ParamSpec("P")
View = Callable[Concatenate[HttpRequest, P], HttpResponse]
"""A view with its further arguments from the address."""


def person(request: HttpRequest) -> User:
    """Return who is logged in; the login middleware lets nobody else come here."""
    if not isinstance(request.user, User):
        raise Http404
    return request.user


def page(view: View[P]) -> View[P]:
    """Turn the planner's errors into answers: not yours 404, not there now 503, a conflict a message."""

    @wraps(view)
    def answer(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        try:
            return view(request, *args, **kwargs)
        except NotFound as error:
            raise Http404(str(error)) from error
        except Unavailable as error:
            return render(request, "503.html", {"reason": f"{str(error)[0].upper()}{str(error)[1:]}."}, status=503)
        except (Conflict, Forbidden, Stale) as error:
            messages.error(request, f"{str(error)[0].upper()}{str(error)[1:]}.")
            return redirect(request.headers.get("Referer", "/"))

    return answer


def painted(charts: Iterable[Chart], *, tables: bool = True) -> list[dict[str, Any]]:
    """Return the charts as data for a page that repaints them in place, with or without their tables."""
    return [
        {
            "key": chart.key,
            "sentence": chart.sentence,
            "figure": chart.figure,
            "table": render_to_string("frontend/partials/chart_table.html", {"chart": chart}) if tables else None,
        }
        for chart in charts
    ]
