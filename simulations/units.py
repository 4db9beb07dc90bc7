"""The closed list of units: texts like ``200ms``, ``81/s``, ``4kB`` or ``50%`` become plain floats.

The engine knows seconds, messages per second, bytes and fractions only; every text is converted once, on reading.
"""

import math
import re
from typing import Annotated

from pydantic import BeforeValidator, Field

SECONDS = {"us": 1e-6, "ms": 1e-3, "s": 1.0, "min": 60.0, "h": 3600.0, "d": 86400.0}
PER_SECOND = {"/s": 1.0, "/min": 1 / 60, "/h": 1 / 3600, "/d": 1 / 86400}
BYTES = {
    "B": 1.0,
    "kB": 1e3,
    "MB": 1e6,
    "GB": 1e9,
    "KiB": 1024.0,
    "MiB": 1024.0**2,
    "GiB": 1024.0**3,
}
FRACTIONS = {"%": 0.01}

UNITS: dict[str, str] = {
    "s": "seconds",
    "/s": "messages per second",
    "B": "bytes",
    "1": "fraction or plain number",
    "messages": "messages",
    "threads": "threads",
    "servants": "servants",
    "instances": "instances",
    "CPUs": "CPUs",
    "sessions": "sessions",
    "consumers": "consumers",
    "producers": "producers",
    "connections": "connections",
    "conversations": "conversations",
    "beans": "bean instances",
    "attempts": "delivery attempts",
    "steps": "steps",
    "weight": "relative weight",
    "events": "events",
    "%": "percent",
}
"""Every unit a parameter or a metric may declare, and how it is spelled out."""

_WRITTEN: dict[str, tuple[dict[str, float], str]] = {
    "s": (SECONDS, "200ms"),
    "/s": (PER_SECOND, "81/s"),
    "B": (BYTES, "4kB"),
    "1": (FRACTIONS, "50%"),
}
"""How texts write a unit, and an example."""

_TEXT = re.compile(r"\s*([-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?)\s*([A-Za-z%/]*)\s*")


def parse_quantity(value: object, factors: dict[str, float], example: str) -> object:
    """Turn ``"200ms"`` into ``0.2``; numbers pass unchanged, so that pydantic can judge them.

    Raises ValueError, which names the text and the units allowed, when the text is no quantity.
    """
    if not isinstance(value, str):
        return value
    match = _TEXT.fullmatch(value)
    unit = match.group(2) if match else ""
    if match is None or (unit and unit not in factors):
        units = f" with one of the units {', '.join(factors)}" if factors else ""
        msg = f"{value!r} is not understood; write a number{units}, for example {example}"
        raise ValueError(msg)
    return float(match.group(1)) * (factors[unit] if unit else 1.0)


def parse_in(value: object, unit: str) -> object:
    """Turn a text into a number of ``unit``, a key of ``UNITS``; numbers pass unchanged. Raises ValueError."""
    return parse_quantity(value, *_WRITTEN.get(unit, ({}, "50")))


def whole_in(unit: str) -> BeforeValidator:
    """Return what reads a text as a whole number of ``unit``: 2.3kB is 2300, also where floats are not exact."""

    def parse(value: object) -> object:
        read = parse_in(value, unit)
        if isinstance(value, str) and isinstance(read, float) and math.isclose(read, round(read), rel_tol=1e-9):
            return round(read)
        return read

    return BeforeValidator(parse)


def _parser(factors: dict[str, float], example: str) -> BeforeValidator:
    def parse(value: object) -> object:
        return parse_quantity(value, factors, example)

    return BeforeValidator(parse)


Duration = Annotated[float, _parser(SECONDS, "200ms"), Field(ge=0, le=1e9, allow_inf_nan=False)]
"""Seconds, from 0 to 1e9."""
PositiveDuration = Annotated[float, _parser(SECONDS, "200ms"), Field(gt=0, le=1e9, allow_inf_nan=False)]
"""Seconds, above 0."""
Rate = Annotated[float, _parser(PER_SECOND, "81/s"), Field(ge=0, le=1e9, allow_inf_nan=False)]
"""Messages per second."""
PositiveRate = Annotated[float, _parser(PER_SECOND, "81/s"), Field(gt=0, le=1e9, allow_inf_nan=False)]
"""Messages per second, above 0."""
Size = Annotated[float, _parser(BYTES, "4kB"), Field(ge=0, le=1e15, allow_inf_nan=False)]
"""Bytes."""
PositiveSize = Annotated[float, _parser(BYTES, "4kB"), Field(gt=0, le=1e15, allow_inf_nan=False)]
"""Bytes, above 0."""
Share = Annotated[float, _parser(FRACTIONS, "50%"), Field(ge=0, le=1, allow_inf_nan=False)]
"""A fraction from 0 to 1."""
