"""What every view shares: who may call, strict bodies, problems as answers, forms."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import wraps
from typing import Any, ClassVar, NoReturn, TypeVar, cast

from django.contrib.auth.models import User
from django.core.exceptions import ImproperlyConfigured
from django.db import transaction
from django.db.models import Model, QuerySet
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from pydantic import BaseModel
from rest_framework.authentication import BaseAuthentication, SessionAuthentication
from rest_framework.negotiation import DefaultContentNegotiation
from rest_framework.parsers import BaseParser
from rest_framework.permissions import SAFE_METHODS, BasePermission
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle
from rest_framework.views import APIView
from rest_framework.viewsets import GenericViewSet

from planner import selectors
from planner.api.auth import ApiThrottle, ScopePermission, TokenAuthentication
from planner.api.lists import Filters, Pages
from planner.api.openapi import ApiSchema, operation_of
from planner.api.reading import body_of, fingerprint_of
from planner.api.schemas.common import Out, page_of
from planner.errors import Throttled
from planner.models import Role, Scenario
from planner.services.rows import Answer, answer_kept, answer_once
from planner.web.json_bodies import StrictJsonParser, storable
from planner.web.problems import problem_of
from simulations.declarations.problems import InvalidInput, problem

JSON = "application/json"
READ = {"GET": "read"}
READ_WRITE = {"GET": "read", "POST": "write", "PATCH": "write", "DELETE": "write"}
MAX_KEY_LENGTH = 255
RETRY_AFTER = {"Retry-After": "1"}
NEWEST_FIRST = ("-created_at",)
BY_INDEX = ("index",)
Row = TypeVar("Row", bound=Model)
Store = Callable[[], HttpResponse]
Handler = Callable[..., Store]


def forms(*media_types: str) -> tuple[type[BaseRenderer], ...]:
    """Return the ``renderer_classes`` of a view that answers in these forms, the first by default. The framework only
    chooses by them; views write their answers themselves."""
    return tuple(
        type("Form", (BaseRenderer,), {"media_type": media_type, "format": media_type.rpartition("/")[2]})
        for media_type in media_types
    )


class ByAddress(DefaultContentNegotiation):
    """For addresses that have one form, such as ``.csv``: they say it, whatever ``Accept`` lists."""

    def select_renderer(  # type: ignore[override]
        self, request: Request, renderers: Sequence[BaseRenderer], format_suffix: str | None = None
    ) -> tuple[BaseRenderer, str]:
        """Return the one there is."""
        return renderers[0], str(renderers[0].media_type)


DOWNLOAD: Mapping[str, Any] = {"scopes": {"GET": "export"}, "content_negotiation_class": ByAddress}
"""Of actions whose address names a file: it has the one form that ``renderer_classes`` names."""


class ApiView(APIView):
    """Base of all views; ``scopes`` says which scope each method needs, and nothing is allowed that it leaves out."""

    authentication_classes: Sequence[type[BaseAuthentication]] = (TokenAuthentication, SessionAuthentication)
    permission_classes: Sequence[type[BasePermission]] = (ScopePermission,)
    parser_classes: Sequence[type[BaseParser]] = (StrictJsonParser,)
    renderer_classes: Sequence[type[BaseRenderer]] = forms(JSON)
    throttle_classes: Sequence[type[BaseThrottle]] = (ApiThrottle,)
    scopes: ClassVar[Mapping[str, str]] = {}

    @classmethod
    def as_view(cls, actions: Any = None, **initkwargs: Any) -> Any:
        """Return the view for an address; raises ImproperlyConfigured for a method that names no scope."""
        resource: tuple[Any, ...] = () if actions is None else (actions,)
        served = actions or [name for name in cls.http_method_names if hasattr(cls, name)]
        missing = {name.upper() for name in served} - initkwargs.get("scopes", cls.scopes).keys() - {"OPTIONS"}
        if missing and any(issubclass(item, ScopePermission) for item in cls.permission_classes):
            raise ImproperlyConfigured(f"{cls.__name__} names no scope for {', '.join(sorted(missing))}")
        return super().as_view(*resource, **initkwargs)

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Check the caller, and that query and body hold only what the OpenAPI document names; raises InvalidInput.
        ``planner.web.middleware`` has checked the path, and each view checks the body that it takes."""
        super().initial(request, *args, **kwargs)
        query = request.query_params
        wrong = [name for name, value in query.items() if not storable(value)]
        if wrong:
            raise InvalidInput(problem((name,), "holds a character that cannot be searched for") for name in wrong)
        unknown = self._unknown_in_query() if query else []
        if request.method not in SAFE_METHODS and not self._takes_body():
            unknown += [(name, "unknown key; this request takes no body") for name in body_of(request)]
        if unknown:
            raise InvalidInput(problem((name,), message, code="unknown_parameter") for name, message in unknown)

    def _unknown_in_query(self) -> list[tuple[str, str]]:
        request = self.request
        operation = operation_of(request.resolver_match.route if request.resolver_match else "", str(request.method))
        if operation is None:
            return []
        query = request.query_params
        known = {item["name"]: item["schema"] for item in operation.get("parameters", ()) if item["in"] == "query"}
        known_ones = f"known here: {', '.join(sorted(known))}" if known else "this address takes none"
        several = {name for name, schema in known.items() if schema.get("type") == "array"}
        twice = [name for name in known if len(query.getlist(name)) > 1 and name not in several]
        unknown = [(name, f"unknown parameter; {known_ones}") for name in query if name not in known]
        return unknown + [(name, "is given more than once; give it once") for name in twice]

    def _takes_body(self) -> bool:
        """Whether the action says that something is sent. The document says the same, but making it takes a second."""
        handler = getattr(self, getattr(self, "action", None) or str(self.request.method).lower(), None)
        schema = getattr(handler, "kwargs", {}).get("schema", ApiSchema)()
        schema.view, schema.method, schema.path = self, self.request.method, self.request.path
        return handler is None or schema.get_request_serializer() is not None

    def throttled(self, request: Request, wait: float) -> NoReturn:
        """Refuse whoever asks too often in our words; raises Throttled."""
        raise Throttled(f"more than {ApiThrottle.most} requests within a minute", wait)

    def options(self, request: Request, *args: Any, **kwargs: Any) -> None:  # type: ignore[override]
        """Answer with nothing but the header ``Allow``, which every answer has."""

    def finalize_response(  # type: ignore[override]
        self, request: Request, response: HttpResponseBase | None, *args: Any, **kwargs: Any
    ) -> HttpResponseBase:
        """Answer 204 where a handler returns nothing."""
        answered = HttpResponse(status=204) if response is None else response
        return super().finalize_response(request, answered, *args, **kwargs)  # type: ignore[arg-type]

    def handle_exception(self, exc: Exception) -> HttpResponseBase:  # type: ignore[override]
        """Answer every error as a problem; a 401 names the scheme."""
        answer = problem_of(exc, self.request)
        if answer.status_code == 401:
            answer["WWW-Authenticate"] = self.get_authenticate_header(self.request)
        return answer

    @property
    def caller(self) -> User:
        """The person who calls; permission has been checked."""
        return cast("User", self.request.user)


class ApiViewSet(ApiView, GenericViewSet[Any]):
    """Base of all resources: their lists have filters and pages.

    Attributes:
        selector: finds the caller's object by the parameter of the address, ``lookup_url_kwarg``.
        sorts: the fields that ``?sort=`` may name, the first with its sign being the default.
        further_parsers: action -> how its body may be read, too.
        further_forms: action -> which form its answer may have, too.
    """

    selector: ClassVar[Callable[..., Any]]
    pagination_class = Pages
    filter_backends = (Filters,)
    filterset_class: ClassVar[Any] = None
    sorts: Sequence[str] = NEWEST_FIRST
    further_parsers: ClassVar[Mapping[str, Sequence[type[BaseParser]]]] = {}
    further_forms: ClassVar[Mapping[str, Sequence[type[BaseRenderer]]]] = {}

    def get_object(self) -> Any:
        """Return the object that the address names; raises NotFound, and Forbidden as ``allowed``."""
        name = str(self.lookup_url_kwarg)
        return self.allowed(type(self).selector(user=self.caller, **{name: self.kwargs[name]}))

    def allowed(self, row: Row) -> Row:
        """Return what the caller sees; raises Forbidden where this request changes it and their role only reads."""
        if self.request.method not in SAFE_METHODS and self.scopes.get(str(self.request.method)) != "read":
            selectors.role_check(row, Role.PLANNER, user=self.caller)
        return row

    def get_parsers(self) -> list[Any]:
        """Return how the body of this action may be read."""
        return [*super().get_parsers(), *self._of_action(self.further_parsers)]

    def get_renderers(self) -> list[Any]:
        """Return which forms the answer of this action may have."""
        return [*super().get_renderers(), *self._of_action(self.further_forms)]

    def _of_action(self, further: Mapping[str, Sequence[Callable[[], Any]]]) -> Iterator[Any]:
        return (made() for name in self.action_map.values() for made in further.get(name, ()))

    def parent_scenario(self) -> Scenario:
        """Return the scenario whose id the address begins with; raises NotFound, and Forbidden as ``allowed``."""
        return self.allowed(selectors.scenario_get(user=self.caller, scenario_id=self.kwargs["scenario_id"]))

    def listed(self, rows: QuerySet[Any], line: type[Out]) -> HttpResponse:
        """Answer one page of the rows, each as a ``line``; raises InvalidInput."""
        return self.paged(rows, lambda page, following: page_of(line)(items=line.all_of(page), next=following))

    def paged(self, rows: QuerySet[Row], body: Callable[[list[Row], str | None], BaseModel]) -> HttpResponse:
        """Answer one page of the rows as ``body`` makes it of them and the next page's address; raises InvalidInput."""
        page = cast("list[Row]", self.paginate_queryset(rows))
        following = cast("Pages", self.paginator).get_next_link()
        return answer(body(page, following), headers={"Link": f'<{following}>; rel="next"'} if following else {})

    def creates(self, store: Callable[..., Model], body: type[Out], **values: Any) -> Store:
        """Return what stores something new of checked ``values`` and answers with it as ``body`` and where it is."""
        return lambda: created(body.of(store(**values)), f"{self.basename}s")

    def shown_once(self, row: Model, body: BaseModel) -> HttpResponse:
        """Answer with something new whose secret nobody can read again."""
        return answer(body, 201, {"Location": f"{self.request.path}/{row.pk}", "Cache-Control": "no-store"})

    def as_file(self, action: str) -> HttpResponseBase:
        """Answer with the file of another action, in its form and with the scope that it needs."""
        view: Callable[..., HttpResponseBase] = type(self).as_view({"get": action}, **getattr(self, action).kwargs)
        return view(self.request._request, **self.kwargs)


class Listed(ApiViewSet):
    """Has a list: of what ``lister`` finds of the caller's, one ``line`` each."""

    lister: ClassVar[Callable[..., QuerySet[Any]]]
    line: ClassVar[type[Out]]

    def rows(self) -> QuerySet[Any]:
        """Return the rows of the list, before its filters."""
        return type(self).lister(user=self.caller)

    def list(self, request: Request, **_: Any) -> HttpResponse:
        """Answer one page of the list."""
        return self.listed(self.filter_queryset(self.rows()), self.line)


class Shown(ApiViewSet):
    """Shows one object as ``body``."""

    body: ClassVar[type[Out]]

    def retrieve(self, request: Request, **_: Any) -> HttpResponseBase:
        """Answer the object."""
        return answer(self.body.of(self.get_object()))


def answer(body: BaseModel, status: int = 200, headers: Mapping[str, str] | None = None) -> HttpResponse:
    """Return a JSON answer; numbers that do not exist are null."""
    return HttpResponse(body.model_dump_json(), status=status, content_type="application/json", headers=headers)


def created(body: Any, collection: str, status: int = 201, headers: Mapping[str, str] | None = None) -> HttpResponse:
    """Answer with something new and where it is."""
    return answer(body, status, {"Location": f"/api/v1/{collection}/{body.id}", **(headers or {})})


def under_way(body: BaseModel, address: str) -> HttpResponse:
    """Answer 202: the work goes on; where to look for it, and when."""
    return answer(body, 202, {"Location": address, **RETRY_AFTER})


def idempotent(handler: Handler) -> Callable[..., HttpResponse]:
    """Give a creating POST the meaning of Idempotency-Key: the same request again gets the same answer.

    The handler reads and checks, which may take seconds, before any transaction begins. The function that it returns
    stores and answers, in one transaction, with the key where there is one.
    """

    @wraps(handler)
    def once(view: ApiView, request: Request, *args: Any, **kwargs: Any) -> HttpResponse:
        key = request.headers.get("Idempotency-Key", "")
        if not key:
            return transaction.atomic(handler(view, request, *args, **kwargs))()
        if len(key) > MAX_KEY_LENGTH:
            raise InvalidInput.at(("Idempotency-Key",), f"longer than {MAX_KEY_LENGTH} characters")

        identity = [
            request.method,
            request.get_full_path(),
            fingerprint_of(request) if request.FILES else body_of(request),
        ]
        reply = answer_kept(owner=view.caller, key=key, request=identity)
        if reply is None:
            store = handler(view, request, *args, **kwargs)
            reply = answer_once(owner=view.caller, key=key, request=identity, produce=lambda: _as_kept(store()))
        headers = {**reply.headers, **({"Idempotent-Replayed": "true"} if reply.replayed else {})}
        return HttpResponse(
            json.dumps(reply.body), status=reply.status, content_type="application/json", headers=headers
        )

    once.is_idempotent = True  # type: ignore[attr-defined]
    return once


def _as_kept(made: HttpResponse) -> Answer:
    headers = {name: made[name] for name in ("Location", "ETag", "Retry-After") if name in made}
    return Answer(made.status_code, json.loads(made.content), headers)
