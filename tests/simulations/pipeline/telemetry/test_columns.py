"""The page about telemetry says what the declarations say."""

import re
from pathlib import Path

import pytest

from simulations.pipeline.telemetry.columns import COLUMNS, REASONS, TelemetryRefused, check_columns

PAGE = (Path(__file__).parents[4] / "docs" / "telemetry.md").read_text()


def test_the_page_has_every_column_and_every_reason() -> None:
    columns = re.findall(r"^\| `(\w+)` \| (yes|no) \| (.+) \|$", PAGE, re.MULTILINE)
    assert columns == [(item.name, "yes" if item.required else "no", item.meaning) for item in COLUMNS]
    reasons = re.findall(r"^\| `(\w+)` \| ((?!yes \||no \|).+) \|$", PAGE, re.MULTILINE)
    assert dict(reasons) == REASONS


def test_missing_columns_are_named_with_what_was_meant() -> None:
    check_columns(["queue", "arrival", "start", "end", "colour"])
    with pytest.raises(TelemetryRefused, match=r"no column arrival \(is it 'arival'\?\) and no column queue"):
        check_columns(["arival", "start", "end"])
