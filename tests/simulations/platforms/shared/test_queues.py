"""How numbers are written in sentences."""

import pytest

from simulations.platforms.shared.queues import number


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0"),
        (81.0, "81"),
        (0.2634, "0.2634"),
        (4.2, "4.2"),
        (1 / 3, "0.3333"),
        (99.996, "100"),
        (1000.4, "1000"),
        (9999.9, "10000"),
        (17_170.4, "17170"),
        (-1500.2, "-1500"),
        (1e9 + 0.5, "1000000000"),
        (1e-5, "0.00001"),
        (100.0, "100"),
        (2e14, "200000000000000"),
    ],
)
def test_numbers_keep_their_size(value: float, text: str) -> None:
    assert number(value) == text
