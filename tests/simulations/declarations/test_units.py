"""Texts with units become plain numbers; everything else is refused with the units that are allowed."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter, ValidationError

from simulations.declarations.units import SECONDS, Duration, PositiveRate, Rate, Share, Size, parse_in
from tests.examples import examples

DURATION: TypeAdapter[float] = TypeAdapter(Duration)
RATE: TypeAdapter[float] = TypeAdapter(Rate)
SIZE: TypeAdapter[float] = TypeAdapter(Size)
SHARE: TypeAdapter[float] = TypeAdapter(Share)


@pytest.mark.parametrize(
    ("adapter", "text", "value"),
    [
        (DURATION, "200ms", 0.2),
        (DURATION, " 1.5 min ", 90.0),
        (DURATION, "250us", 0.00025),
        (DURATION, 3, 3.0),
        (DURATION, "2h", 7200.0),
        (DURATION, "1d", 86400.0),
        (DURATION, "4", 4.0),
        (DURATION, "1e-3s", 0.001),
        (RATE, "81/s", 81.0),
        (RATE, "6/min", 0.1),
        (RATE, "0", 0.0),
        (SIZE, "4kB", 4000.0),
        (SIZE, "2KiB", 2048.0),
        (SIZE, "3MB", 3e6),
        (SHARE, "50%", 0.5),
        (SHARE, 0.25, 0.25),
    ],
)
def test_quantities_are_read(adapter: TypeAdapter[float], text: object, value: float) -> None:
    assert adapter.validate_python(text) == pytest.approx(value)


WORTH = {
    **{("s", unit): factor for unit, factor in SECONDS.items()},
    **{("/s", f"/{unit}"): 1 / SECONDS[unit] for unit in ("s", "min", "h", "d")},
    **{("B", "kB"): Fraction(1000), ("B", "KiB"): Fraction(1024), ("1", "%"): Fraction(1, 100)},
}


@examples(200, nightly=20_000)
@given(st.decimals(0, 10**6, places=4), st.sampled_from(list(WORTH)))
def test_every_spelling_of_a_quantity_is_the_same_float(number: object, spelt: tuple[str, str]) -> None:
    """The float nearest to the exact product: the one of the same quantity without a unit."""
    kind, unit = spelt
    assert parse_in(f"{number}{unit}", kind) == float(Fraction(str(number)) * WORTH[spelt])


@pytest.mark.parametrize("text", ["1e400s", "1e999999999999ms", "-1e999999999999999999999999s"])
def test_what_is_too_large_for_a_float_is_refused_at_once(text: str) -> None:
    with pytest.raises(ValidationError):
        DURATION.validate_python(text)


@pytest.mark.parametrize(
    ("adapter", "text"),
    [
        (DURATION, "200 msec"),
        (DURATION, "fast"),
        (DURATION, "-1s"),
        (DURATION, float("nan")),
        (DURATION, "1e10s"),
        (DURATION, ""),
        (RATE, "5/week"),
        (RATE, float("inf")),
        (SIZE, "4kb"),
        (SHARE, "101%"),
        (SHARE, -0.1),
    ],
)
def test_what_is_no_quantity_is_refused(adapter: TypeAdapter[float], text: object) -> None:
    with pytest.raises(ValidationError):
        adapter.validate_python(text)


def test_the_refusal_names_the_units() -> None:
    with pytest.raises(ValidationError, match=r"us, ms, s, min, h, d, for example 200ms"):
        DURATION.validate_python("3 weeks")


def test_the_refusal_repeats_only_the_beginning_of_a_long_text() -> None:
    with pytest.raises(ValueError, match=r"^'x{76}\.\.\. is not understood") as refused:
        parse_in("x" * 10_000, "s")
    assert len(str(refused.value)) < 300


def test_a_positive_rate_is_above_zero() -> None:
    with pytest.raises(ValidationError):
        TypeAdapter(PositiveRate).validate_python(0)
