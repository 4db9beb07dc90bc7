"""Putting answers aside to compare them, and taking them out again."""

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_POST

from frontend.site.base import back_to_list, page
from frontend.site.basket import basket_add, basket_keys, basket_remove


@require_POST
@page
def basket(request: HttpRequest) -> HttpResponse:
    """``action`` is add, remove or empty; ``id`` (or ``scenario``, from the table) names what is meant.

    The answer is the button that does the opposite, for the page to put in place, or the page that was left.
    """
    keys = [*request.POST.getlist("id"), *request.POST.getlist("scenario")]
    match request.POST.get("action"):
        case "add":
            held = basket_add(request, keys)
        case "remove":
            held = basket_remove(request, keys)
        case "empty":
            held = basket_remove(request, basket_keys(request))
        case _:
            raise Http404("this can be done to no basket")
    if request.headers.get("HX-Request"):
        context = {"basket_key": keys[0] if keys else "", "in_basket": bool(keys) and keys[0] in held, "swapped": True}
        return render(request, "frontend/compare/basket_toggle.html", context)
    if request.POST["action"] == "add" and not keys:
        messages.error(request, "Choose at least one scenario.")
    else:
        messages.success(request, _told(len(held)))
    return back_to_list(request)


def _told(count: int) -> str:
    if count < 2:
        return f"{'One answer is' if count else 'Nothing is'} put aside to compare; a comparison takes two to six."
    return f"{count} answers are put aside to compare: see Compare above."
