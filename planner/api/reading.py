"""What a request says: its query, its body as a checked model, its uploaded files."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from hashlib import file_digest
from typing import IO, TYPE_CHECKING, Any, TypeVar, cast

from django.core.exceptions import SuspiciousOperation
from pydantic import BaseModel
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request

from planner.web.body_limit import most_bytes
from planner.web.json_bodies import BadBody, BodyTooLarge, storable
from simulations.declarations.problems import InvalidInput, boolean_problems, validated

if TYPE_CHECKING:
    from django.http import QueryDict
    from rest_framework.parsers import DataAndFiles


In = TypeVar("In", bound=BaseModel)


def body_of(request: Request) -> dict[str, Any]:
    """Return the body, a JSON object or fields beside files; raises InvalidInput. An empty body is an empty object."""
    data = request.data
    if hasattr(data, "lists"):  # fields, and what the framework makes of an empty body
        return dict(fields_of(request))
    if not isinstance(data, dict):
        raise InvalidInput.at((), "the body must be a JSON object")
    return data


def read_body(request: Request, model: type[In]) -> In:
    """Return the checked body; raises InvalidInput with every wrong field."""
    return read_values(body_of(request), model)


def read_values(values: Mapping[str, Any], model: type[In]) -> In:
    """Return ``values`` as ``model``; raises InvalidInput with every wrong field."""
    return validated(model, values, boolean_problems(values, model))


@contextmanager
def pointing(place: Callable[[str], str]) -> Iterator[None]:
    """Give problems that arise inside pointers into the body that was sent: ``place`` leads from theirs to it."""
    try:
        yield
    except InvalidInput as error:
        raise InvalidInput(replace(item, pointer=place(item.pointer)) for item in error.problems) from error


def whole_of(request: Request, name: str, default: int, *, least: int = 0, most: int = 10**9) -> int:
    """Return the whole number that a query gives; raises InvalidInput."""
    text = request.query_params.get(name, str(default))
    if text.isascii() and text.isdigit() and len(text) <= len(str(most)) and least <= int(text) <= most:
        return int(text)
    raise InvalidInput.at((name,), f"must be a whole number from {least} to {most}", value=text)


class UploadParser(MultiPartParser):
    """``multipart/form-data`` with files; too many parts or bytes are refused before anything reads them."""

    def parse(
        self, stream: IO[Any], media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> "DataAndFiles[Any, Any]":
        """Return fields and files; raises BadBody and BodyTooLarge."""
        request = (parser_context or {})["request"]
        announced, most = str(request.META.get("CONTENT_LENGTH") or "0"), most_bytes(request.path)
        if not announced.isdigit() or int(announced) > most:
            raise BodyTooLarge(f"the body is larger than {most} bytes")
        try:
            parts = super().parse(stream, media_type, dict(parser_context or {}))
        except SuspiciousOperation as error:
            raise BodyTooLarge(f"the body has too many or too large parts: {error}") from None
        if not storable(dict(parts.data.lists())):
            raise BadBody("a field holds a null character or half a surrogate pair, which cannot be stored")
        return parts


def fields_of(request: Request) -> dict[str, str]:
    """Return the fields that are no files; of a repeated one the last counts."""
    sent = cast("QueryDict", request.data)
    return {name: str(values[-1]) for name, values in sent.lists() if values and name not in request.FILES}


def files_of(request: Request) -> list[tuple[str, bytes]]:
    """Return file name and content of every part that is a file, in the order they were sent."""
    return [(part.name or "", b"".join(part.chunks())) for _, parts in request.FILES.lists() for part in parts]


def fingerprint_of(request: Request) -> list[Any]:
    """Return what tells two uploads apart: the fields, and a hash of each file."""
    parts = [part for _, parts in request.FILES.lists() for part in parts]
    return [fields_of(request), [[part.name, file_digest(part.open(), "sha256").hexdigest()] for part in parts]]
