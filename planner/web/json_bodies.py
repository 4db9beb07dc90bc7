"""Reading bodies: strict JSON of limited size."""

import json
import sys
from collections import Counter
from collections.abc import Mapping
from typing import IO, Any, NoReturn

from django.conf import settings
from rest_framework.exceptions import APIException
from rest_framework.parsers import BaseParser

from simulations.declarations.problems import short

MOST_LEVELS = 64
"""Objects and lists inside each other: far more than any body needs, far fewer than the interpreter can follow."""
TOO_DEEP = f"the body is nested deeper than {MOST_LEVELS} levels"


class BadBody(APIException):
    """400: the body is not JSON."""

    status_code = 400
    default_code = "malformed"


class BodyTooLarge(APIException):
    """413: the body is larger than the installation allows."""

    status_code = 413
    default_code = "too_large"


class StrictJsonParser(BaseParser):
    """JSON as its standard says: no NaN, no infinity, no key twice."""

    media_type = "application/json"

    def parse(
        self, stream: IO[Any], media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> Any:
        """Return the values; raises BadBody and BodyTooLarge."""
        most = settings.ENVIRONMENT.max_body_bytes
        content = stream.read(most + 1)
        if len(content) > most:
            raise BodyTooLarge(f"the body is larger than {most} bytes")
        return strict_json(content)


class MergePatchParser(StrictJsonParser):
    """JSON Merge Patch (RFC 7396)."""

    media_type = "application/merge-patch+json"


def strict_json(content: bytes) -> Any:
    """Return the values of a JSON text; raises BadBody that says where it stops making sense."""
    try:
        values = json.loads(content.decode(), parse_constant=_refuse_constant, object_pairs_hook=_without_repeats)
    except UnicodeDecodeError:
        raise BadBody("the body is not UTF-8 text") from None
    except RecursionError:
        raise BadBody(TOO_DEEP) from None
    except json.JSONDecodeError as error:
        raise BadBody(f"not JSON: {error.msg} in line {error.lineno}, column {error.colno}") from None
    except ValueError:
        raise BadBody(f"not JSON: a number has more than {sys.get_int_max_str_digits()} digits") from None
    if _too_deep(values, MOST_LEVELS):
        raise BadBody(TOO_DEEP)
    if not storable(values):
        raise BadBody("a text holds a null character or half a surrogate pair, which cannot be stored")
    return values


def _too_deep(values: Any, levels: int) -> bool:
    if not isinstance(values, dict | list):
        return False
    inside = values.values() if isinstance(values, dict) else values
    return levels == 0 or any(_too_deep(item, levels - 1) for item in inside)


def storable(values: Any) -> bool:
    """Whether every text in ``values`` can be stored by all databases."""
    if isinstance(values, str):
        return "\0" not in values and not any("\ud800" <= letter <= "\udfff" for letter in values)
    if isinstance(values, dict):
        return all(storable(key) and storable(value) for key, value in values.items())
    return all(storable(item) for item in values) if isinstance(values, list) else True


def merge_patch(target: Any, patch: Any) -> Any:
    """Return ``target`` changed by ``patch`` as RFC 7396 says: null removes, objects merge, all else replaces."""
    if not isinstance(patch, dict):
        return patch
    merged = dict(target) if isinstance(target, dict) else {}
    for key, value in patch.items():
        if value is None:
            merged.pop(key, None)
        else:
            merged[key] = merge_patch(merged.get(key), value)
    return merged


def _refuse_constant(name: str) -> NoReturn:
    raise BadBody(f"not JSON: {name} is not a number that JSON knows")


def _without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    values = dict(pairs)
    if len(values) < len(pairs):
        twice = next(name for name, count in Counter(name for name, _ in pairs).items() if count > 1)
        raise BadBody(f"not JSON: the key {short(twice)} is there twice")
    return values
