"""The chosen rows of the scenario table as CSV, numbers in base units."""

from collections.abc import Iterable

from frontend.scenarios.page import ScenarioRow

HEADINGS = (
    *("id", "name", "version", "platform", "tags", "key setting", "at"),
    *("metric value", "low", "high", "unit"),
    *("objective", "headroom", "newest run", "state", "changed since"),
    "changed",
)


def csv_lines(rows: Iterable[ScenarioRow]) -> list[list[str]]:
    """Return the headings and one line of texts per row."""
    return [list(HEADINGS), *([_kept(value) for value in _line(row)] for row in rows)]


def _line(row: ScenarioRow) -> list[object]:
    found, estimate = row.scenario, row.estimate
    numbers = [estimate.value, estimate.low, estimate.high, estimate.unit] if estimate else ["", "", "", ""]
    about = [found.pk, found.name, found.version.number, row.platform, " ".join(found.tags), row.setting, row.at]
    headroom = row.headroom.text if row.headroom else ""
    run = [row.verdict, headroom, row.run.pk if row.run else "", row.state, "yes" if row.stale else ""]
    return [*about, *numbers, *run, found.updated_at.isoformat(timespec="seconds")]


def _kept(value: object) -> str:
    """A text that begins like a formula is kept a text by spreadsheets when an apostrophe leads it."""
    text = str(value)
    return f"'{text}" if isinstance(value, str) and text[:1] in ("=", "+", "-", "@") else text
