"""ETags: what a caller has read, so that nobody changes what somebody else has changed since."""

from collections.abc import Callable
from functools import wraps
from hashlib import sha256
from typing import Any

from django.db import transaction
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.utils.http import parse_etags
from rest_framework.request import Request

from planner.api.base import Listed, Shown, answer
from planner.errors import Stale
from simulations.declarations.problems import InvalidInput, problem


class Tagged(Listed, Shown):
    """Shows one object with its ETag; what is ``guarded`` changes it only while it is what If-Match names."""

    def etag(self, row: Any) -> str:
        """Return the tag of what lists say of the object, which is all that can change."""
        return f'"{sha256(self.line.of(row).model_dump_json().encode()).hexdigest()[:32]}"'

    def tagged(self, row: Any) -> HttpResponse:
        """Answer the object with its tag."""
        return answer(self.body.of(row), headers={"ETag": self.etag(row)})

    def retrieve(self, request: Request, **_: Any) -> HttpResponseBase:
        """Answer the object."""
        row = self.get_object()
        if self.names("If-None-Match", row):
            return HttpResponse(status=304, headers={"ETag": self.etag(row)})
        return self.tagged(row)

    def names(self, header: str, row: Any) -> bool:
        """Whether the header has the object's tag, or ``*``; raises InvalidInput for what is no tag."""
        text = self.request.headers.get(header, "")
        # What was sent compressed came with a weak tag.
        tags = [tag.removeprefix("W/") for tag in parse_etags(text)]
        if text and not tags:
            message = f'{header} must be the ETag that was answered, for example "3"'
            raise InvalidInput([problem((header,), message, value=text)])
        return tags == ["*"] or self.etag(row) in tags

    def is_matched(self, row: Any) -> bool:
        """Whether If-Match names the object as it is, False without one; raises Stale where it names another."""
        asked = self.request.headers.get("If-Match", "*").strip() != "*"
        if asked and not self.names("If-Match", row):
            raise Stale(self.etag(row))
        return asked


def guarded(handler: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Give a handler that changes its object the meaning of If-Match: nothing else changes it in between."""

    @wraps(handler)
    def compared(view: Tagged, request: Request, **address: Any) -> HttpResponse:
        row = view.get_object()
        if not view.is_matched(row):
            return handler(view, request, **address)
        with transaction.atomic():
            type(row)._default_manager.select_for_update().only("pk").get(pk=row.pk)
            view.is_matched(view.get_object())
            return handler(view, request, **address)

    compared.is_guarded = True  # type: ignore[attr-defined]
    return compared
