"""Values are written as the tools of the vendors write them."""

import pytest

from simulations.platforms.files.patching.shell import plain


@pytest.mark.parametrize(
    ("value", "factor", "written"),
    [
        (True, 1.0, "true"),
        (18, 1.0, "18"),
        (0.25, 1000.0, "250"),
        (0.1, 3.0, "0.3"),
        (2.5, 1.0, "2.5"),
        (40_000_000.5, 1000.0, "40000000500"),
        ("x", 9.0, "x"),
    ],
)
def test_values_are_written_as_the_tools_do(value: object, factor: float, written: str) -> None:
    assert plain(value, factor) == written
