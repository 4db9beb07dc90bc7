"""Every error as RFC 9457 ``application/problem+json``: all wrong fields at once, never a trace."""

import json
import logging
import sys
from collections.abc import Mapping
from dataclasses import asdict
from http import HTTPStatus
from typing import Any
from uuid import uuid4

from django.core.exceptions import DisallowedHost, PermissionDenied, RequestDataTooBig, SuspiciousOperation
from django.db import OperationalError
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.template.loader import render_to_string
from django.utils.text import capfirst
from django.views import defaults
from redis import RedisError
from rest_framework import exceptions
from rest_framework.request import Request
from rest_framework.views import APIView

from planner import errors
from simulations.declarations.parameters import Declaration, parameters_of
from simulations.declarations.problems import InvalidInput, Problem
from simulations.platforms import PLATFORMS

CONTENT_TYPE = "application/problem+json"
AGAIN_LATER, RETRY_SECONDS = (202, 429, 503), 5
AWAY = "the database or the broker is not available; try again"
WRONG_HOST = "the header Host is not an address of this installation (ALLOWED_HOSTS, PUBLIC_URL)"
STATUS_OF: tuple[tuple[type[Exception] | tuple[type[Exception], ...], int], ...] = (
    ((errors.NotFound, Http404), 404),
    ((errors.Forbidden, PermissionDenied), 403),
    ((errors.QuotaReached, errors.Throttled), 429),
    (errors.Conflict, 409),
    (errors.Stale, 412),
    (errors.IdempotencyMismatch, 422),
    (errors.Unavailable, 503),
    (RequestDataTooBig, 413),
    (SuspiciousOperation, 400),
)

logger = logging.getLogger(__name__)


def problem_of(error: Exception, request: Request | HttpRequest) -> HttpResponse:
    """Return the answer to ``error``."""
    if isinstance(error, InvalidInput):
        data = _sent(request)
        wrong = [_field(item, data) for item in error.problems]
        noun = "value is" if len(wrong) == 1 else "values are"
        return problem_response(request, 422, "invalid_input", f"{len(wrong)} {noun} wrong", errors=wrong)
    if isinstance(error, exceptions.APIException):
        return _framework(error, request)
    if isinstance(error, OperationalError):
        logger.warning("the database is not available: %s", error)
        return problem_response(request, 503, "database_unavailable", AWAY)
    for kind, status in STATUS_OF:
        if isinstance(error, kind):
            code = getattr(error, "code", "") or HTTPStatus(status).phrase.lower().replace(" ", "_")
            wait = getattr(error, "wait", RETRY_SECONDS)
            return problem_response(request, status, code, str(error) or HTTPStatus(status).phrase, wait=wait)
    number = uuid4().hex[:12]
    logger.error("error %s at %s", number, request.path, exc_info=error)
    return problem_response(request, 500, "internal", f"Sluice failed; report the number {number}", id=number)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponseBase:
    """Answer what Django refuses before a view: a problem for the API, Django's own page elsewhere."""
    if not request.path.startswith("/api/"):
        return defaults.bad_request(request, exception)
    is_host = isinstance(exception, DisallowedHost)
    return problem_response(request, 400, "bad_request", WRONG_HOST if is_host else "the request cannot be read")


def server_error(request: HttpRequest) -> HttpResponseBase:
    """Answer a defect outside the views with a number for the API, with a page elsewhere; 503 without a service."""
    defect = sys.exc_info()[1]
    if request.path.startswith("/api/"):
        return problem_of(defect if isinstance(defect, Exception) else RuntimeError("an unknown defect"), request)
    is_away = isinstance(defect, OperationalError | RedisError)
    return refusal(request, 503, AWAY) if is_away else defaults.server_error(request)


def refusal(request: HttpRequest, status: int, reason: str, *, wait: int = RETRY_SECONDS) -> HttpResponse:
    """Say why outside the API: to scripts as JSON, to people on a page, which asks for nothing in the database."""
    about, headers = {"reason": f"{capfirst(reason)}."}, {"Retry-After": str(wait)} if status in AGAIN_LATER else {}
    if request.headers.get("Accept") == "application/json":
        return JsonResponse(about, status=status, headers=headers)
    return HttpResponse(render_to_string(f"{status}.html", about), status=status, headers=headers)


def problem_response(
    request: Request | HttpRequest, status: int, code: str, detail: str, *, wait: int = RETRY_SECONDS, **more: object
) -> HttpResponse:
    """Return a problem with ``more`` members."""
    body = {
        "type": f"urn:sluice:problem:{code}",
        "title": HTTPStatus(status).phrase,
        "status": status,
        "detail": detail,
        "instance": request.path,
        **more,
    }
    headers = {"Retry-After": str(wait)} if status in AGAIN_LATER else {}
    return HttpResponse(json.dumps(body), status=status, content_type=CONTENT_TYPE, headers=headers)


def _sent(request: Request | HttpRequest) -> Any:
    """The body; None where it cannot be read, which is not what this answer is about."""
    try:
        return request.data if isinstance(request, Request) else None
    except exceptions.APIException:
        return None


def _framework(error: exceptions.APIException, request: Request | HttpRequest) -> HttpResponse:
    codes = error.get_codes()
    code = codes if isinstance(codes, str) else "invalid"
    detail = str(error.detail)
    instead = _instead(error, request.parser_context["view"]) if isinstance(request, Request) else ""
    detail = f"{detail.rstrip('.')}; {instead}" if instead else detail
    return problem_response(request, error.status_code, code, detail)


def _instead(error: exceptions.APIException, view: APIView) -> str:
    """What the address takes instead of what the framework refused."""
    if isinstance(error, exceptions.MethodNotAllowed):
        return f"use {', '.join(view.allowed_methods)}"
    if isinstance(error, exceptions.UnsupportedMediaType):
        return f"send {', '.join(parser.media_type for parser in view.get_parsers())}"
    if isinstance(error, exceptions.NotAcceptable):
        return f"ask for {', '.join(dict.fromkeys(form.media_type for form in view.get_renderers()))}"
    if isinstance(error, exceptions.NotAuthenticated):
        return "send a token (Authorization: Bearer slc_…) or sign in"
    return ""


def _field(item: Problem, data: Any) -> dict[str, str]:
    declared = _declaration(item, data)
    return {
        **asdict(item),
        "allowed": _allowed_text(declared) if declared else "",
        "source": declared.quantity.source if declared else "",
    }


def _declaration(item: Problem, data: Any) -> Declaration | None:
    """The declared setting that a pointer like ``/queues/0/settings/maximum_sessions`` or ``/spec/queues/…`` names."""
    keys = item.pointer.split("/")[1:]
    if keys and keys[0] in ("spec", "scenario") and isinstance(data, Mapping):
        data, keys = data.get(keys[0]), keys[1:]
    platform = data.get("platform") if isinstance(data, Mapping) else None
    family = PLATFORMS.get(platform) if isinstance(platform, str) else None
    if family is None or len(keys) < 2 or keys[-2] != "settings":
        return None
    model = family.queue_parameters if keys[0] == "queues" else family.server_parameters
    return next((declared for declared in parameters_of(model) if declared.name == keys[-1]), None)


def _allowed_text(item: Declaration) -> str:
    """Return the choices or the limits of a setting in words; empty where there are none."""
    if item.choices:
        return ", ".join(item.choices)
    limits = (("at least", item.minimum), ("at most", item.maximum))
    return ", ".join(f"{word} {limit:.10g}" for word, limit in limits if limit is not None)
