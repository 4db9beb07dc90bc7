"""The steps of producer flow control, as the documentation's examples give them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulations.analysis.theory.flow_control import admitted, ascent, descent

DOWN = [
    500,
    397.164117,
    315.478672,
    250.593617,
    199.053585,
    158.113883,
    125.594322,
    99.763116,
    79.244660,
    62.946271,
    50,
]


def test_the_defaults_decay_in_ten_steps() -> None:
    assert descent(500, 50, 10) == pytest.approx(DOWN, abs=1e-6)


def test_the_text_book_example_halves() -> None:
    assert descent(100, 12.5, 3) == pytest.approx([100, 50, 25, 12.5], abs=1e-9)


def test_the_defaults_climb_by_45() -> None:
    assert ascent(500, 50, 10) == pytest.approx([50, 95, 140, 185, 230, 275, 320, 365, 410, 455, 500], abs=1e-9)


def test_messages_admitted_in_the_first_minute() -> None:
    assert admitted(descent(500, 50, 10), 60) == pytest.approx(13127.7, abs=0.05)
    assert admitted(ascent(500, 50, 10), 60) == pytest.approx(15150)


@given(st.floats(1, 1e6), st.floats(0.001, 1), st.integers(1, 200))
def test_limits_fall_from_maximum_to_minimum_and_back(maximum: float, part: float, steps: int) -> None:
    minimum = maximum * part
    down, up = descent(maximum, minimum, steps), ascent(maximum, minimum, steps)
    assert (down[0], down[-1]) == (maximum, minimum)
    assert (up[0], up[-1]) == (minimum, maximum)
    assert list(down) == sorted(down, reverse=True)
    assert list(up) == sorted(up)


def test_impossible_limits_are_refused() -> None:
    with pytest.raises(ValueError, match="minimum"):
        descent(50, 500, 10)
    with pytest.raises(ValueError, match="steps"):
        ascent(500, 50, 0)
    with pytest.raises(ValueError, match="interval"):
        admitted((500, 50), 0)
