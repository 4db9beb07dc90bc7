"""Revisions of scenarios in headers: ETag, If-None-Match, If-Match."""

import re

from django.utils.http import parse_etags
from rest_framework.request import Request

from planner.models import Scenario
from simulations.declarations.problems import InvalidInput, problem


def etag_of(scenario: Scenario) -> dict[str, str]:
    """Return the header of the present revision."""
    return {"ETag": f'"{scenario.revision}"'}


def is_known(request: Request, etag: str) -> bool:
    """Whether the caller has this revision; what was sent compressed came with a weak tag."""
    tags = parse_etags(request.headers.get("If-None-Match", ""))
    return tags == ["*"] or etag in [tag.removeprefix("W/") for tag in tags]


def revision_of(request: Request) -> int | None:
    """The revision of If-Match; None without the header or with ``*``. Raises InvalidInput for anything else."""
    header = request.headers.get("If-Match", "*").strip()
    if header == "*":
        return None
    match = re.fullmatch(r'(?:W/)?"(\d{1,9})"', header)
    if match is None:
        message = 'If-Match must be the ETag that was answered, for example "3"'
        raise InvalidInput([problem(("If-Match",), message, value=header)])
    return int(match.group(1))
