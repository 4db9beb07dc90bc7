"""ETags: what a caller has read, so that nobody changes what somebody else has changed since."""

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar, cast

from django.db import transaction
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.utils.cache import get_conditional_response
from django.utils.http import parse_etags
from rest_framework.request import Request

from planner.api.base import Listed, Shown, answer
from planner.errors import Stale
from planner.models.report import payload_digest
from simulations.declarations.problems import InvalidInput

Answer = TypeVar("Answer", HttpResponse, None)


class Tagged(Listed, Shown):
    """Shows one object with its ETag; what is ``guarded`` changes it only while it is what If-Match names."""

    def etag(self, row: Any) -> str:
        """Return the tag of what lists say of the object, which is all that can change."""
        return f'"{payload_digest(self.line.of(row).model_dump(mode="json"))[:32]}"'

    def tagged(self, row: Any) -> HttpResponse:
        """Answer the object with its tag."""
        return answer(self.body.of(row), headers={"ETag": self.etag(row)})

    def retrieve(self, request: Request, **_: Any) -> HttpResponseBase:
        """Answer the object."""
        row = self.get_object()
        shown = get_conditional_response(request._request, etag=self.etag(row), response=self.tagged(row))
        return cast("HttpResponse", shown)

    def is_matched(self, row: Any) -> bool:
        """Whether If-Match names the object as it is, False without one. Raises Stale where it names another,
        InvalidInput where it names none."""
        text = self.request.headers.get("If-Match", "*").strip()
        # What was sent compressed came with a weak tag.
        tags = [tag.removeprefix("W/") for tag in parse_etags(text)]
        if not tags:
            raise InvalidInput.at(("If-Match",), 'must be the ETag that was answered, for example "3"', value=text)
        if tags != ["*"] and self.etag(row) not in tags:
            raise Stale(self.etag(row))
        return tags != ["*"]


def guarded(handler: Callable[..., Answer]) -> Callable[..., Answer]:
    """Give a handler that changes its object the meaning of If-Match: nothing else changes it in between."""

    @wraps(handler)
    def compared(view: Tagged, request: Request, **address: Any) -> Answer:
        row = view.get_object()
        if not view.is_matched(row):
            return handler(view, request, **address)
        with transaction.atomic():
            type(row)._default_manager.select_for_update().only("pk").get(pk=row.pk)
            view.is_matched(view.get_object())
            return handler(view, request, **address)

    compared.is_guarded = True  # type: ignore[attr-defined]
    return compared
