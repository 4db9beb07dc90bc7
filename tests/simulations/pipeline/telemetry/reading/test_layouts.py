"""What a log holds is recognised by its columns, and the page about telemetry says what the declarations say."""

import re
from pathlib import Path

import pytest

from simulations.pipeline.telemetry.reading.layouts import (
    COUNTS,
    GAUGES,
    LAYOUTS,
    MESSAGES,
    OUTCOMES,
    Layout,
    TelemetryRefused,
    layout_of,
)

PAGE = (Path(__file__).parents[5] / "docs" / "telemetry.md").read_text()
PARTS = dict(re.findall(r"^### [^\n]*\(`(\w+)`\)$\n(.*?)(?=^##)", PAGE, re.MULTILINE | re.DOTALL))


@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda layout: layout.key)
def test_the_page_has_every_column_of_every_layout(layout: Layout) -> None:
    columns = re.findall(r"^\| `(\w+)` \| (yes|no) \| (.+) \|$", PARTS[layout.key], re.MULTILINE)
    assert columns == [(item.name, "yes" if item.required else "no", item.meaning) for item in layout.columns]


@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda layout: layout.key)
def test_the_page_has_every_reason(layout: Layout) -> None:
    for reason, meaning in layout.reasons.items():
        assert f"| `{reason}` | {meaning} |" in PAGE


@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda layout: layout.key)
def test_each_layout_is_recognised_by_its_own_columns(layout: Layout) -> None:
    assert layout_of(["colour", *layout.required]) is layout
    assert layout_of(list(reversed(layout.names))) is layout


@pytest.mark.parametrize("layout", [item for item in LAYOUTS if item.samples], ids=lambda layout: layout.key)
def test_every_column_of_samples_has_a_place_in_the_common_schema(layout: Layout) -> None:
    roles = [column.role for column in layout.columns]
    assert set(roles) <= {"time", "queue", "instance", *COUNTS, *GAUGES}
    assert (roles.count("time"), roles.count("queue")) == (1, 1)


def test_the_reason_of_an_unknown_outcome_names_those_that_are_known() -> None:
    assert MESSAGES.reasons["unknown_outcome"].endswith(", ".join(OUTCOMES))


def test_missing_columns_are_named_with_what_was_meant() -> None:
    with pytest.raises(TelemetryRefused, match=r"no column arrival \(is it 'arival'\?\) and no column queue"):
        layout_of(["arival", "start", "end"])
    with pytest.raises(TelemetryRefused, match=r"no column MessagesReceivedCount \(is it 'messagesreceived'\?\)"):
        layout_of(["timestamp", "destination", "MessagesReceived", "MessagesCurrentCount"])


def test_what_is_neither_is_told_what_can_be_read() -> None:
    with pytest.raises(TelemetryRefused) as refused:
        layout_of(["colour", "size"])
    assert "it has: colour, size" in str(refused.value)
    for layout in LAYOUTS:
        assert f"{layout.title} ({', '.join(layout.required)})" in str(refused.value)
