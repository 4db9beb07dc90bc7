"""What differs between two versions, in the vendor's names and with units."""

from dataclasses import dataclass
from typing import Any

from frontend.wording.numbers import setting_text
from frontend.wording.setting_names import setting_titles, setting_units
from planner import selectors
from planner.models import ScenarioVersion


@dataclass(frozen=True)
class ShownDifference:
    """One value that differs, as people read it; a dash where a version has no such value."""

    path: str
    title: str
    before: str
    after: str


def shown_differences(before: ScenarioVersion, after: ScenarioVersion) -> tuple[ShownDifference, ...]:
    """Return only what differs."""
    old, new = before.parsed, after.parsed
    titles, units = {**setting_titles(old), **setting_titles(new)}, {**setting_units(old), **setting_units(new)}
    return tuple(
        ShownDifference(
            path=item.path,
            title=titles.get(item.path, _words(item.path)),
            before=_text(item.before, units.get(item.path, "1")),
            after=_text(item.after, units.get(item.path, "1")),
        )
        for item in selectors.versions_diff(before=before, after=after)
    )


def _words(path: str) -> str:
    return path.replace("_", " ").replace(".", " · ")


def _text(value: Any, unit: str) -> str:
    return "–" if value is None else setting_text(value, unit)
