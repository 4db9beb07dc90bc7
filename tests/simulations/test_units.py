"""Texts with units become plain numbers; everything else is refused with the units that are allowed."""

import pytest
from pydantic import TypeAdapter, ValidationError

from simulations.units import Duration, PositiveRate, Rate, Share, Size

DURATION: TypeAdapter[float] = TypeAdapter(Duration)
RATE: TypeAdapter[float] = TypeAdapter(Rate)
SIZE: TypeAdapter[float] = TypeAdapter(Size)
SHARE: TypeAdapter[float] = TypeAdapter(Share)


@pytest.mark.parametrize(
    ("adapter", "text", "value"),
    [
        (DURATION, "200ms", 0.2), (DURATION, " 1.5 min ", 90.0), (DURATION, "250us", 0.00025), (DURATION, 3, 3.0),
        (DURATION, "2h", 7200.0), (DURATION, "1d", 86400.0), (DURATION, "4", 4.0), (DURATION, "1e-3s", 0.001),
        (RATE, "81/s", 81.0), (RATE, "6/min", 0.1), (RATE, "0", 0.0), (SIZE, "4kB", 4000.0), (SIZE, "2KiB", 2048.0),
        (SIZE, "3MB", 3e6), (SHARE, "50%", 0.5), (SHARE, 0.25, 0.25),
    ],
)  # fmt: skip
def test_quantities_are_read(adapter: TypeAdapter[float], text: object, value: float) -> None:
    assert adapter.validate_python(text) == pytest.approx(value)


@pytest.mark.parametrize(
    ("adapter", "text"),
    [
        (DURATION, "200 msec"), (DURATION, "fast"), (DURATION, "-1s"), (DURATION, float("nan")), (DURATION, "1e10s"),
        (DURATION, ""), (RATE, "5/week"), (RATE, float("inf")), (SIZE, "4kb"), (SHARE, "101%"), (SHARE, -0.1),
    ],
)  # fmt: skip
def test_what_is_no_quantity_is_refused(adapter: TypeAdapter[float], text: object) -> None:
    with pytest.raises(ValidationError):
        adapter.validate_python(text)


def test_the_refusal_names_the_units() -> None:
    with pytest.raises(ValidationError, match=r"us, ms, s, min, h, d, for example 200ms"):
        DURATION.validate_python("3 weeks")


def test_a_positive_rate_is_above_zero() -> None:
    with pytest.raises(ValidationError):
        TypeAdapter(PositiveRate).validate_python(0)
