"""Limits that no linter keeps: they serve readers, so nothing is hidden from them either."""

import re
from pathlib import Path

import pytest

from planner.settings.environment import BASE_DIR

LONGEST = 140
TEMPLATES = sorted(
    file for package in ("frontend", "planner") for file in (BASE_DIR / package / "templates").rglob("*.html")
)
PYTHON = sorted(
    file
    for folder in ("simulations", "planner", "frontend", "tests", "benchmarks", "docs")
    for file in (BASE_DIR / folder).rglob("*.py")
    if file != Path(__file__)
)
OWN_LIMITS = re.compile(r"\bdeadline=|suppress_health_check")
UNFORMATTED = re.compile(r"#\s*(fmt|yapf):\s*(off|skip|disable)")


def lines_with(files: list[Path], wrong: re.Pattern[str]) -> list[str]:
    return [
        f"{file.relative_to(BASE_DIR)}:{number}"
        for file in files
        for number, line in enumerate(file.read_text().splitlines(), start=1)
        if wrong.search(line)
    ]


def test_no_line_of_a_template_is_longer_than_a_window() -> None:
    assert len(TEMPLATES) > 50
    assert lines_with(TEMPLATES, re.compile(rf".{{{LONGEST + 1}}}")) == []


def test_no_python_escapes_the_formatter() -> None:
    assert lines_with(PYTHON, UNFORMATTED) == []


def test_only_the_profile_says_how_long_a_property_test_may_take() -> None:
    tests = [file for file in PYTHON if "hypothesis" in file.read_text()]
    assert {line.rpartition(":")[0] for line in lines_with(tests, OWN_LIMITS)} == {"tests/examples.py"}


@pytest.mark.parametrize(
    ("line", "found"), [("x = 1  # fmt: skip", True), ("#fmt:off", True), ("# the format: off by one", False)]
)
def test_what_counts_as_an_escape(line: str, found: bool) -> None:  # noqa: FBT001
    assert bool(UNFORMATTED.search(line)) is found
