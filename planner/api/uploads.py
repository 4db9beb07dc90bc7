"""Reading uploaded files: multipart bodies of limited size, and what tells two of them apart."""

import hashlib
from collections.abc import Mapping
from typing import IO, TYPE_CHECKING, Any, cast

from django.conf import settings
from django.core.exceptions import SuspiciousOperation
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request

from planner.configuration.uploads import MAX_TOTAL_BYTES
from planner.web.body_limit import AROUND_FILES
from planner.web.json_bodies import BadBody, BodyTooLarge, storable

if TYPE_CHECKING:
    from django.core.files.uploadedfile import UploadedFile
    from django.http import QueryDict
    from rest_framework.parsers import DataAndFiles


class UploadParser(MultiPartParser):
    """``multipart/form-data`` with files; too many parts or bytes are refused before anything reads them."""

    def most_bytes(self) -> int:
        """Largest body that is read."""
        return MAX_TOTAL_BYTES + AROUND_FILES

    def parse(
        self, stream: IO[Any], media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> "DataAndFiles[Any, Any]":
        """Return fields and files; raises BadBody and BodyTooLarge."""
        announced = str((parser_context or {})["request"].META.get("CONTENT_LENGTH") or "0")
        if not announced.isdigit() or int(announced) > self.most_bytes():
            raise BodyTooLarge(f"the body is larger than {self.most_bytes()} bytes")
        try:
            found = super().parse(stream, media_type, dict(parser_context or {}))
        except SuspiciousOperation as error:
            raise BodyTooLarge(f"the body has too many or too large parts: {error}") from None
        if not all(storable(value) for values in found.data.lists() for value in (values[0], *values[1])):
            raise BadBody("a field holds a null character or half a surrogate pair, which cannot be stored")
        return found


class LogUploadParser(UploadParser):
    """The same for a log of messages, which may be much larger and is kept on disk while it comes in."""

    def most_bytes(self) -> int:
        """Largest body that is read."""
        most: int = settings.ENVIRONMENT.max_upload_bytes
        return most


def fields_of(request: Request) -> dict[str, str]:
    """Return the fields that are no files; of a repeated one the last counts."""
    if not hasattr(request.data, "lists"):  # what the framework makes of a missing body
        return {}
    sent = cast("QueryDict", request.data)
    return {name: str(values[-1]) for name, values in sent.lists() if values and name not in request.FILES}


def files_of(request: Request) -> list[tuple[str, bytes]]:
    """Return file name and content of every part that is a file, in the order they were sent."""
    found = []
    for _, parts in request.FILES.lists():
        for part in parts:
            part.seek(0)
            found.append((part.name or "", part.read()))
    return found


def fingerprint_of(request: Request) -> list[Any]:
    """Return what tells two uploads apart: the fields, and a hash of each file."""
    files = [[part.name, _digest(part)] for _, parts in request.FILES.lists() for part in parts]
    return [fields_of(request), files]


def _digest(part: "UploadedFile[bytes]") -> str:
    digest = hashlib.sha256()
    for chunk in part.chunks():
        digest.update(chunk)
    part.seek(0)
    return digest.hexdigest()
