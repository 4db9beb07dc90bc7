"""JSON that somebody types into a field or a button sends along, read as strictly as the API reads bodies."""

import json
from collections.abc import Iterable
from typing import Any

from planner.web.json_bodies import BadBody, strict_json


def json_or_text(text: str) -> Any:
    """Return the value, or the text itself where it is none."""
    try:
        return strict_json(text.encode())
    except BadBody:
        return text


def values_read(text: str) -> list[Any]:
    """Return the values of a list that is written with commas."""
    return [json_or_text(part.strip()) for part in text.split(",") if part.strip()]


def values_text(values: Iterable[Any]) -> str:
    """Write values as ``values_read`` reads them."""
    return ", ".join(value if isinstance(value, str) else json.dumps(value) for value in values)
