"""Numbers as people read them."""

import pytest

from frontend.wording.numbers import setting_text
from simulations.analysis.estimates.summary import (
    Estimate,
    change_text,
    estimate_quantity,
    estimate_text,
    percent,
    quantity,
)
from simulations.experiment.words import plain


@pytest.mark.parametrize(
    ("value", "unit", "half", "text"),
    [
        (0.7017, "s", 0.0102, "702 ± 10 ms"),
        (2.1591, "s", 0.0123, "2.159 ± 0.012 s"),
        (67.5534, "/s", 0.06, "67.55 ± 0.06/s"),
        (118.8, "s", 0.0, "118.8 s"),
        (36, "messages", 0.0, "36 messages"),
        (0.0, "s", 0.0, "0 ms"),
        (24.94068, "%", 0.0, "24.94 %"),
        (2000.0, "B", 0.0, "2 kB"),
        (7200.0, "s", 0.0, "2 h"),
        (1234567.0, "events", 0.0, "1,234,567 events"),
    ],
)
def test_value_half_width_and_unit(value: float, unit: str, half: float, text: str) -> None:
    assert str(quantity(value, unit, half)) == text


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [(1, "messages", "1 message"), (1.0, "s", "1 s"), (0.001, "s", "1 ms"), (1, "CPUs", "1 CPU"), (81, "/s", "81/s")],
)
def test_one_of_a_thing_is_said_as_one(value: float, unit: str, text: str) -> None:
    assert setting_text(value, unit) == str(quantity(value, unit)) == text


def test_a_list_of_parts_is_said_without_brackets_and_keys_of_python() -> None:
    managers = [{"name": "orders-work", "fair_share": 50, "max_threads": None}]
    assert plain(managers) == "(name orders-work, fair share 50)"
    assert plain([]) == "none"


def test_the_wider_side_of_an_uneven_interval_is_shown() -> None:
    assert str(estimate_quantity(Estimate(1.0, 0.9, 1.3, "s"))) == "1.00 ± 0.30 s"


def test_a_fraction_is_a_percentage() -> None:
    assert estimate_text(Estimate(0.185, 0.183, 0.187, "1")) == "18.50 ± 0.20 %"
    assert estimate_text(Estimate(0.5, 0.4, 0.6, "s")) == "500 ± 100 ms"


def test_the_rounding_of_floats_is_no_interval() -> None:
    assert str(estimate_quantity(Estimate(2.0, 2.0 - 4e-16, 2.0 + 4e-16, "s"))) == "2 s"


def test_exact_numbers_have_no_half_width() -> None:
    assert str(estimate_quantity(Estimate(90.0, 90.0, 90.0, "/s", "formula"))) == "90/s"


def test_infinity_is_a_sign() -> None:
    assert str(quantity(float("inf"), "messages")) == "∞ messages"


def test_settings_read_like_words() -> None:
    values = {"on": True, "none": None, "kind surge, count 1,000": {"kind": "surge", "count": 1000, "at": None}}
    assert {text: plain(value) for text, value in values.items()} == {text: text for text in values}
    assert setting_text(0.2, "s") == "200 ms"
    assert percent(0.03149) == "3.15 %"


@pytest.mark.parametrize(
    ("change", "text"),
    [
        (Estimate(0.0248, 0.0219, 0.0278, "s"), "+24.8 ± 3.0 ms"),
        (Estimate(-4.73, -5.25, -4.21, "/s"), "−4.73 ± 0.52/s"),
        (Estimate(-0.001, -0.0017, -0.0003, "1"), "−0.100 ± 0.070 % points"),
        (Estimate(0.0, 0.0, 0.0, "threads"), "0 threads"),
    ],
)
def test_a_difference_shows_its_sign_and_the_wider_side_of_its_interval(change: Estimate, text: str) -> None:
    assert change_text(change) == text
