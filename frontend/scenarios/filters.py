"""What the table of scenarios shows: filters, grouping and columns, read from an address and written back."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from django.http import QueryDict

COLUMNS: Mapping[str, str] = {
    "platform": "Platform",
    "setting": "Key setting",
    "answer": "p95 or throughput (±)",
    "trend": "p95 by version",
    "objective": "Objective",
    "headroom": "Headroom",
    "run": "Newest run",
    "changed": "Changed",
}
"""Columns that a view may have beside the name."""
GROUPS: Mapping[str, str] = {"platform": "platform", "tags": "tag", "verdict": "objective"}
"""What rows can be grouped by, with its name."""
VERDICTS: Mapping[str, str] = {"met": "met", "missed": "missed", "unresolved": "not resolved", "none": "not judged"}
"""States of the objectives, as an address names them and as people read them."""
MAKERS: Mapping[str, str] = {"me": "made by me", "product": "shipped examples"}
_CHOICES: Mapping[str, Mapping[str, str]] = {"slo": VERDICTS, "made": MAKERS, "group": GROUPS}
_LONGEST = 200


@dataclass(frozen=True)
class Wish:
    """A view of the table. Empty texts ask for everything; ``columns`` in the order of ``COLUMNS``."""

    q: str = ""
    platform: str = ""
    tag: str = ""
    slo: str = ""
    made: str = ""
    awaiting: bool = False
    archived: bool = False
    group: str = ""
    columns: tuple[str, ...] = tuple(COLUMNS)

    @property
    def narrowed(self) -> bool:
        """Whether a filter leaves anything out, the archive apart."""
        return bool(self.q or self.platform or self.tag or self.slo or self.made or self.awaiting)

    @property
    def query(self) -> str:
        """The query string that reads as this wish; what is not said is as always."""
        written = QueryDict(mutable=True)
        for field in fields(self):
            value, usual = getattr(self, field.name), field.default
            if value == usual:
                continue
            written.setlist("col" if field.name == "columns" else field.name, _written(value))
        return written.urlencode()

    @property
    def selection(self) -> dict[str, Any]:
        """The filters as keyword arguments of ``selectors.scenarios_list``."""
        return {
            "search": self.q,
            "platform": self.platform,
            "tag": self.tag,
            "verdict": {"": None, "none": ""}.get(self.slo, self.slo),
            "shipped": {"me": False, "product": True}.get(self.made),
            "awaiting": self.awaiting,
            "archived": self.archived,
        }


BUILT_IN: Mapping[str, Wish] = {
    "All": Wish(),
    "Mine": Wish(made="me"),
    "SLO broken": Wish(slo="missed"),
    "Awaiting sign-off": Wish(awaiting=True),
}
"""Views that everybody has."""


def wish_read(asked: QueryDict) -> Wish:
    """Return the wish in a query string; unknown words are as if they had not been said."""
    chosen = tuple(name for name in COLUMNS if name in asked.getlist("col"))
    said: dict[str, Any] = {name: asked.get(name, "").strip()[:_LONGEST] for name in ("q", "platform", "tag")}
    said |= {name: asked.get(name, "") if asked.get(name) in known else "" for name, known in _CHOICES.items()}
    said |= {name: bool(asked.get(name)) for name in ("awaiting", "archived")}
    return Wish(**said, columns=chosen if "col" in asked else tuple(COLUMNS))


def _written(value: object) -> list[str]:
    if isinstance(value, tuple):
        return list(value) or ["name"]
    return ["1" if value is True else str(value)]
