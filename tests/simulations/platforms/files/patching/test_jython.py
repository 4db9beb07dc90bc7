"""The frame of scripts in Jython, tried in Python."""

from typing import Any

import pytest

from simulations.platforms.files.patching.jython import RUNNER, jython_script, literal

HELPERS: dict[str, Any] = {}
exec(RUNNER.removesuffix("run()\n"), HELPERS)  # noqa: S102 - our own text


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("true", True, True),
        ("1", 1.0, True),
        ("5.0", 5, True),
        (None, "", True),
        ("a", "A", True),
        ("5", 6, False),
        ("x", 1, False),
    ],
)
def test_values_are_equal_however_they_are_spelled(one: object, other: object, *, expected: bool) -> None:
    assert bool(HELPERS["same"](one, other)) is expected


@pytest.mark.parametrize(
    "value", ["PAY.ORDERS", "jms/Orders", "Bestellübung", "注文", 'it\'s "quoted" \\', ("a", ("ü",), 3)]
)
def test_a_literal_is_ascii_and_means_the_value(value: object) -> None:
    text = literal(value)
    assert text.isascii()
    assert eval(text) == value  # noqa: S307 - our own text


def test_a_script_is_ascii_and_compiles_whatever_its_comments_hold() -> None:
    script = jython_script(["made for Bestellübung\u2028"], [], "", [])
    assert script.isascii()
    compile(script, "script", "exec")
    assert script.startswith("# made for Bestell\\xfcbung\\u2028\n")
