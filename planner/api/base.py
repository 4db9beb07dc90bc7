"""What every view shares: who may call, strict bodies, problems as answers, limits in headers, request ids."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import wraps
from typing import Any, ClassVar, TypeVar, cast
from uuid import uuid4

from django.contrib.auth.models import User
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from pydantic import BaseModel, ValidationError
from rest_framework.authentication import BaseAuthentication, SessionAuthentication
from rest_framework.parsers import BaseParser
from rest_framework.permissions import BasePermission
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle
from rest_framework.views import APIView

from planner.api.auth import ScopePermission, TokenAuthentication
from planner.api.negotiation import JSON, ByAddress, forms
from planner.api.throttle import ApiThrottle
from planner.api.uploads import fingerprint_of
from planner.services.idempotency import Answer, answer_kept, answer_once
from planner.web.json_bodies import StrictJsonParser, storable
from planner.web.problems import problem_of
from simulations.problems import InvalidInput, boolean_problems, problem, problems_of

MAX_KEY_LENGTH = 255
MAX_REQUEST_ID = 100
RETRY_AFTER = {"Retry-After": "1"}
In = TypeVar("In", bound=BaseModel)
Store = Callable[[], HttpResponse]
Handler = Callable[..., Store]


class ApiView(APIView):
    """Base of all views; subclasses say which scope each method needs."""

    authentication_classes: Sequence[type[BaseAuthentication]] = (TokenAuthentication, SessionAuthentication)
    permission_classes: Sequence[type[BasePermission]] = (ScopePermission,)
    parser_classes: Sequence[type[BaseParser]] = (StrictJsonParser,)
    renderer_classes: Sequence[type[BaseRenderer]] = forms(JSON)
    throttle_classes: Sequence[type[BaseThrottle]] = (ApiThrottle,)
    scopes: ClassVar[Mapping[str, str]] = {}

    def get_throttles(self) -> list[Any]:
        """Keep the throttles of this request for its headers."""
        self.throttles = super().get_throttles()
        return self.throttles

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Check the caller and the query; ``planner.web.addresses`` has checked the path."""
        super().initial(request, *args, **kwargs)
        wrong = [name for name, value in request.query_params.items() if not storable(value)]
        if wrong:
            raise InvalidInput(problem((name,), "holds a character that cannot be searched for") for name in wrong)

    def options(self, request: Request, *args: Any, **kwargs: Any) -> HttpResponse:  # type: ignore[override]
        """Answer with nothing but the header ``Allow``, which every answer has."""
        return HttpResponse(status=204)

    def handle_exception(self, exc: Exception) -> HttpResponseBase:  # type: ignore[override]
        """Answer every error as a problem; a 401 names the scheme."""
        answer = problem_of(exc, self.request)
        if answer.status_code == 401:
            answer["WWW-Authenticate"] = self.get_authenticate_header(self.request)
        return answer

    def finalize_response(  # type: ignore[override]
        self, request: Request, response: HttpResponseBase, *args: Any, **kwargs: Any
    ) -> HttpResponseBase:
        """Add the request's id and the limits."""
        answer = super().finalize_response(request, cast("Any", response), *args, **kwargs)
        given = request.headers.get("X-Request-ID", "")
        answer["X-Request-ID"] = given if given.isprintable() and 0 < len(given) <= MAX_REQUEST_ID else uuid4().hex
        for throttle in getattr(self, "throttles", ()):
            for name, value in throttle.headers().items():
                answer[name] = value
        return answer

    @property
    def caller(self) -> User:
        """The person who calls; permission has been checked."""
        return cast("User", self.request.user)


class FileView(ApiView):
    """Base of views whose address names a file: it has the one form that ``renderer_classes`` names."""

    scopes: ClassVar = {"GET": "export"}
    content_negotiation_class = ByAddress


def body_of(request: Request) -> dict[str, Any]:
    """Return the body, which must be a JSON object; raises InvalidInput. An empty body is an empty object."""
    data = request.data
    if hasattr(data, "lists"):  # what the framework makes of an empty body
        return {}
    if not isinstance(data, dict):
        raise InvalidInput([problem((), "the body must be a JSON object")])
    return data


def read_body(request: Request, model: type[In]) -> In:
    """Return the checked body; raises InvalidInput with every wrong field."""
    return read_values(body_of(request), model)


def read_values(values: Mapping[str, Any], model: type[In]) -> In:
    """Return ``values`` as ``model``; raises InvalidInput with every wrong field."""
    booleans = boolean_problems(values, model)
    known = {item.pointer for item in booleans}
    try:
        read = model.model_validate(values)
    except ValidationError as error:
        others = [item for item in problems_of(error, model, values) if item.pointer not in known]
        raise InvalidInput([*booleans, *others]) from error
    if booleans:
        raise InvalidInput(booleans)
    return read


def below(error: InvalidInput, key: str) -> InvalidInput:
    """Return the problems of a body's part with pointers into the whole body."""
    return InvalidInput(replace(item, pointer=f"/{key}{item.pointer}") for item in error.problems)


def whole_of(request: Request, name: str, default: int, *, least: int = 0, most: int = 10**9) -> int:
    """Return the whole number that a query gives; raises InvalidInput."""
    text = request.query_params.get(name, str(default))
    if text.isascii() and text.isdigit() and len(text) <= len(str(most)) and least <= int(text) <= most:
        return int(text)
    raise InvalidInput([problem((name,), f"must be a whole number from {least} to {most}", value=text)])


def answer(body: BaseModel, status: int = 200, headers: Mapping[str, str] | None = None) -> HttpResponse:
    """Return a JSON answer; numbers that do not exist are null."""
    return HttpResponse(body.model_dump_json(), status=status, content_type="application/json", headers=headers)


def under_way(body: BaseModel, address: str) -> HttpResponse:
    """Answer that something goes on: 202 with where to look, and when."""
    return answer(body, 202, {"Location": address, **RETRY_AFTER})


def idempotent(handler: Handler) -> Callable[..., HttpResponse]:
    """Give a creating POST the meaning of Idempotency-Key: the same request again gets the same answer.

    The handler reads and checks, which may take seconds in which nobody must wait for the database. What it returns
    stores and answers, in one transaction with the key.
    """

    @wraps(handler)
    def once(view: ApiView, request: Request, *args: Any, **kwargs: Any) -> HttpResponse:
        key = request.headers.get("Idempotency-Key", "")
        if not key:
            return handler(view, request, *args, **kwargs)()
        if len(key) > MAX_KEY_LENGTH:
            raise InvalidInput([problem(("Idempotency-Key",), f"longer than {MAX_KEY_LENGTH} characters")])

        asked = [
            request.method,
            request.get_full_path(),
            fingerprint_of(request) if request.FILES else body_of(request),
        ]
        found = answer_kept(owner=view.caller, key=key, request=asked)
        if found is None:
            store = handler(view, request, *args, **kwargs)
            found = answer_once(owner=view.caller, key=key, request=asked, produce=lambda: _as_kept(store()))
        return HttpResponse(
            json.dumps(found.body), status=found.status, content_type="application/json", headers=found.headers
        )

    return once


def _as_kept(made: HttpResponse) -> Answer:
    headers = {name: made[name] for name in ("Location", "ETag", "Retry-After") if name in made}
    return Answer(made.status_code, json.loads(made.content), headers)
