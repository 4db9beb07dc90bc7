"""The closed list of units: on reading, texts like ``200ms``, ``81/s``, ``4kB`` or ``50%`` become plain floats."""

import math
import re
from collections.abc import Mapping
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal
from fractions import Fraction
from functools import partial
from typing import Annotated

from pydantic import BeforeValidator, Field

from simulations.declarations.problems import short

Factors = Mapping[str, Fraction]
"""Unit as it is written -> what one of it is worth, exactly."""

SECONDS: Factors = {
    **{"us": Fraction(1, 10**6), "ms": Fraction(1, 1000), "s": Fraction(1)},
    **{"min": Fraction(60), "h": Fraction(3600), "d": Fraction(86400)},
}
PER_SECOND: Factors = {f"/{unit}": 1 / SECONDS[unit] for unit in ("s", "min", "h", "d")}
BYTES: Factors = {
    **{"B": Fraction(1), "kB": Fraction(10**3), "MB": Fraction(10**6), "GB": Fraction(10**9)},
    **{"KiB": Fraction(2**10), "MiB": Fraction(2**20), "GiB": Fraction(2**30)},
}
FRACTIONS: Factors = {"%": Fraction(1, 100)}

_COUNTED = ("messages", "threads", "servants", "instances", "CPUs", "sessions", "consumers", "producers", "connections")
UNITS: dict[str, str] = {
    **{"s": "seconds", "/s": "messages per second", "B": "bytes", "1": "fraction or plain number", "%": "percent"},
    **{"beans": "bean instances", "attempts": "delivery attempts", "weight": "relative weight"},
    **{unit: unit for unit in (*_COUNTED, "conversations", "steps", "events")},
}
"""Every unit a parameter or a metric may declare, and how it is spelled out."""

_WRITTEN: dict[str, tuple[Factors, str]] = {
    "s": (SECONDS, "200ms"),
    "/s": (PER_SECOND, "81/s"),
    "B": (BYTES, "4kB"),
    "1": (FRACTIONS, "50%"),
}
"""How texts write a unit, and an example."""

_TEXT = re.compile(r"\s*([-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?)\s*([A-Za-z%/]*)\s*")


_DIGITS = Context(prec=60, Emax=MAX_EMAX, Emin=MIN_EMIN, traps=[])
"""Digits enough that only the step to a float rounds; what is too large becomes infinite, as in floats."""


def parse_in(value: object, unit: str) -> object:
    """Turn a text into a number of ``unit``, a key of ``UNITS``; numbers pass unchanged, so that pydantic judges them.

    Two spellings of a quantity are the same float: 35.7ms is 0.0357 and 57% is 0.57, to the bit. Raises ValueError,
    which names the text and the units allowed, when the text is no quantity.
    """
    if not isinstance(value, str):
        return value
    factors, example = _WRITTEN.get(unit, ({}, "50"))
    match = _TEXT.fullmatch(value)
    written = match.group(2) if match else ""
    if match is None or (written and written not in factors):
        units = f" with {'one of the units ' * (len(factors) > 1)}{', '.join(factors)}" if factors else ""
        raise ValueError(f"{short(value)} is not understood; write a number{units}, for example {example}")
    factor = factors[written] if written else Fraction(1)
    number = _DIGITS.create_decimal(match.group(1))
    return float(_DIGITS.divide(_DIGITS.multiply(number, Decimal(factor.numerator)), Decimal(factor.denominator)))


def whole_in(unit: str) -> BeforeValidator:
    """Return what reads a text as a whole number of ``unit``: 2.3kB is 2300, also where floats are not exact."""

    def parse(value: object) -> object:
        read = parse_in(value, unit)
        if isinstance(value, str) and isinstance(read, float) and math.isclose(read, round(read), rel_tol=1e-9):
            return round(read)
        return read

    return BeforeValidator(parse)


def _read_in(unit: str) -> BeforeValidator:
    return BeforeValidator(partial(parse_in, unit=unit))


def _in_a_year(value: object) -> object:
    """Growth a month as growth a year, anything else as it is."""
    share, monthly, _ = str(value).partition("a month")
    return (1.0 + float(str(parse_in(share.strip(), "1")))) ** 12 - 1.0 if monthly else value


Duration = Annotated[float, _read_in("s"), Field(ge=0, le=1e9, allow_inf_nan=False)]
"""Seconds, from 0 to 1e9."""
LongDuration = Annotated[float, _read_in("s"), Field(ge=0, le=(2**63 - 1) / 1000, allow_inf_nan=False)]
"""Seconds, from 0 to the milliseconds that a long integer holds."""
PositiveDuration = Annotated[float, _read_in("s"), Field(gt=0, le=1e9, allow_inf_nan=False)]
"""Seconds, above 0."""
Rate = Annotated[float, _read_in("/s"), Field(ge=0, le=1e9, allow_inf_nan=False)]
"""Messages per second."""
PositiveRate = Annotated[float, _read_in("/s"), Field(gt=0, le=1e9, allow_inf_nan=False)]
"""Messages per second, above 0."""
Size = Annotated[float, _read_in("B"), Field(ge=0, le=1e15, allow_inf_nan=False)]
"""Bytes."""
PositiveSize = Annotated[float, _read_in("B"), Field(gt=0, le=1e15, allow_inf_nan=False)]
"""Bytes, above 0."""
Share = Annotated[float, _read_in("1"), Field(ge=0, le=1, allow_inf_nan=False)]
"""A fraction from 0 to 1."""
Growth = Annotated[float, _read_in("1"), BeforeValidator(_in_a_year), Field(ge=0.001, le=10, allow_inf_nan=False)]
"""What is added to something in a year, as a fraction of it: 0.3 for 30 %; also as a text such as 3% a month."""
