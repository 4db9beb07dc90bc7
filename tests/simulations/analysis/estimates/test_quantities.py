"""Numbers as people read them: the unit that suits their size, as many digits as their interval supports."""

import math
from dataclasses import replace

import pytest

from simulations.analysis.estimates.summary import (
    Estimate,
    change_text,
    estimate_text,
    percent,
    precision_text,
    quantity,
    scale_of,
    significant,
)


@pytest.mark.parametrize(
    ("size", "unit", "name"),
    [
        (0.0, "s", "ms"),
        (0.0009, "s", "µs"),
        (0.001, "s", "ms"),
        (-1.0, "s", "s"),
        (179.9, "s", "s"),
        (180.0, "s", "min"),
        (3600.0, "s", "h"),
        (999.0, "B", "B"),
        (1e6, "B", "MB"),
        (5.0, "weight", ""),
        (5.0, "messages", "messages"),
    ],
)
def test_the_unit_suits_the_size(size: float, unit: str, name: str) -> None:
    assert scale_of(size, unit).unit == name


@pytest.mark.parametrize(
    ("value", "half", "text"),
    [
        (1234.5678, 0.0, "1,235"),
        (0.123456, 0.0, "0.1235"),
        (2.0, 0.0, "2"),
        (12.3456, 0.123, "12.35"),
        (12.3, 4.0, "12.3"),
        (1234.0, 250.0, "1,230"),
        (15.029756, 0.000022, "15.03"),
        (-0.3, 30.0, "0"),
        (0.00007, 0.00011, "0.00007"),
        (0.0, 0.0, "0"),
        (math.inf, 0.0, "∞"),
        (-math.inf, 0.0, "-∞"),
    ],
)
def test_the_interval_decides_the_digits(value: float, half: float, text: str) -> None:
    assert significant(value, half) == text


def test_a_quantity_is_written_with_its_half_width_and_unit() -> None:
    assert str(quantity(0.25, "s", 0.01)) == "250 ± 10 ms"
    assert str(quantity(0.125, "1")) == "12.5 %"
    assert str(quantity(81.0, "/s")) == "81/s"
    assert [str(quantity(number, "threads")) for number in (1.0, 2.0)] == ["1 thread", "2 threads"]
    assert str(quantity(1.0, "s")) == "1 s"


@pytest.mark.parametrize(
    ("value", "half", "text"),
    [
        (15.029756, 0.000022, "15.03 ± 0.01"),
        (392.2584, 0.0053, "392.3 ± 0.1"),
        (6097.0, 168.0, "6,100 ± 170"),
        (34.79, 0.9, "34.79 ± 0.90"),
        (0.0, 0.0123, "0.000 ± 0.012"),
        (5.0, math.inf, "5.000 ± ∞"),
    ],
)
def test_no_digit_is_written_that_nobody_can_use(value: float, half: float, text: str) -> None:
    assert str(quantity(value, "", half)) == text


def test_estimates_and_changes_have_their_interval_and_sign() -> None:
    estimate = Estimate(0.5, 0.48, 0.53, "s")
    assert estimate_text(estimate) == "500 ± 30 ms"
    assert estimate_text(None) == "–"
    assert change_text(estimate) == "+500 ± 30 ms"
    assert change_text(-estimate) == "−500 ± 30 ms"
    assert change_text(Estimate(0.0959, 0.0941, 0.0977, "1")) == "+9.59 ± 0.18 % points"


def test_a_sure_difference_with_a_longer_side_is_its_two_ends() -> None:
    uneven = Estimate(0.051, 0.013, 0.107, "s")
    assert [change_text(uneven), change_text(-uneven)] == ["+13 to +110 ms", "−13 to −110 ms"]
    assert change_text(replace(uneven, low=-0.001)) == "+51 ± 56 ms"


def test_fractions_are_percentages_of_three_digits() -> None:
    assert [percent(share) for share in (0.12345, 1.0, 0.0)] == ["12.3 %", "100 %", "0 %"]
    assert precision_text(0.02) == "± 2 %"
    assert precision_text(1.3e-6) == "± less than 0.01 %"


def test_the_ends_of_a_range_have_one_unit() -> None:
    assert [str(quantity(end, "s", beside=4925.0)) for end in (2483.0, 4925.0)] == ["0.6897 h", "1.368 h"]
    assert str(quantity(2483.0, "s")) == "41.38 min"
