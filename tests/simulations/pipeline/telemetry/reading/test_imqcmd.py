"""Rows of the tool's table are told from its headings, rules, words and other tables."""

import re

import pytest

from simulations.pipeline.telemetry.reading.imqcmd import LIKE_A_ROW, OTHER_TABLE, ROW

NUMBERS = "120 118 88320 86848 2 9 4 1 6 2 0"


@pytest.mark.parametrize(
    ("line", "stamp"),
    [
        (NUMBERS, None),
        (f"   {NUMBERS}  ", None),
        (f"2026-01-05T00:00:05Z {NUMBERS}", "2026-01-05T00:00:05Z"),
        (f"1767571205.000  {NUMBERS}", "1767571205.000"),
        (NUMBERS.replace(" 2 9", " -2 9"), None),
    ],
)
def test_a_row_has_eleven_numbers_and_perhaps_an_instant(line: str, stamp: str | None) -> None:
    found = re.match(ROW, line)
    assert found is not None
    assert (found[1], found[2].split()) == (stamp, line.split()[-11:])
    assert re.search(LIKE_A_ROW, line)


@pytest.mark.parametrize("line", [f"{NUMBERS} 7 8", NUMBERS.replace("118", "many"), "120 118 88320 86848 2"])
def test_a_row_that_is_damaged_is_still_meant_as_one(line: str) -> None:
    assert re.match(ROW, line) is None
    assert re.search(LIKE_A_ROW, line)


@pytest.mark.parametrize(
    "line", ["-" * 77, "  Msgs      Msg Bytes         Msg Count", "In   Out    In     Out    Current  Peak  Avg", ""]
)
def test_headings_and_rules_are_no_rows(line: str) -> None:
    assert re.match(ROW, line) is None
    assert not re.search(LIKE_A_ROW, line)


def test_tables_of_brokers_and_services_have_six_to_ten_numbers() -> None:
    matching = [size for size in range(1, 14) if re.match(OTHER_TABLE, " ".join(["7"] * size))]
    assert matching == [6, 7, 8, 9, 10]
