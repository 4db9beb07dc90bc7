"""What the table of scenarios shows: filters, grouping and columns, read from an address and written back.

The tabs above the table are such views: those that everybody has, and the person's own.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any
from urllib.parse import urlencode

from django.http import QueryDict
from django.urls import reverse

from frontend.wording.numbers import TEXTS
from planner.models import SavedView

COLUMNS = TEXTS["scenario_columns"]
"""Columns that a view may have in addition to the name."""
GROUPS: Mapping[str, str] = {"platform": "platform", "tags": "tag", "verdict": "objective"}
"""What rows can be grouped by, with its name."""
VERDICTS: Mapping[str, str] = {"met": "met", "missed": "missed", "unresolved": "not resolved", "none": "not judged"}
"""States of the objectives, as an address names them and as people read them."""
MAKERS: Mapping[str, str] = {"me": "made by me", "product": "shipped examples"}
_CHOICES: Mapping[str, Mapping[str, str]] = {"slo": VERDICTS, "made": MAKERS, "group": GROUPS}
_LONGEST = 200


@dataclass(frozen=True)
class TableView:
    """A view of the table. Empty texts ask for everything; ``columns`` in the order of ``COLUMNS``."""

    q: str = ""
    platform: str = ""
    tag: str = ""
    team: str = ""
    slo: str = ""
    made: str = ""
    awaiting: bool = False
    archived: bool = False
    group: str = ""
    columns: tuple[str, ...] = tuple(COLUMNS)

    @property
    def narrowed(self) -> bool:
        """Whether a filter leaves anything out, the archive apart."""
        return bool(self.q or self.platform or self.tag or self.team or self.slo or self.made or self.awaiting)

    @property
    def query(self) -> str:
        """The query string that reads as this view; defaults are left out."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        asked = {name: value for name, value in values.items() if value != getattr(TableView, name)}
        if "columns" in asked:
            asked["col"] = asked.pop("columns") or ["name"]
        return urlencode({name: 1 if value is True else value for name, value in asked.items()}, doseq=True)

    @property
    def selection(self) -> dict[str, Any]:
        """The filters as keyword arguments of ``selectors.scenarios_list``."""
        return {
            "search": self.q,
            "platform": self.platform,
            "tag": self.tag,
            "team": self.team,
            "verdict": {"": None, "none": ""}.get(self.slo, self.slo),
            "shipped": {"me": False, "product": True}.get(self.made),
            "awaiting": self.awaiting,
            "archived": self.archived,
        }


BUILT_IN: Mapping[str, TableView] = {
    "All": TableView(),
    "Mine": TableView(made="me"),
    "Objective missed": TableView(slo="missed"),
    "Awaiting sign-off": TableView(awaiting=True),
}
"""Views that everybody has."""


def table_view(asked: QueryDict) -> TableView:
    """Return the view in a query string; unknown words are left out."""
    columns = tuple(name for name in COLUMNS if name in asked.getlist("col"))
    filters: dict[str, Any] = {
        name: asked.get(name, "").strip()[:_LONGEST] for name in ("q", "platform", "tag", "team")
    }
    filters |= {name: asked.get(name, "") if asked.get(name) in known else "" for name, known in _CHOICES.items()}
    filters |= {name: bool(asked.get(name)) for name in ("awaiting", "archived")}
    return TableView(**filters, columns=columns if "col" in asked else tuple(COLUMNS))


def table_context(table: TableView, chosen: SavedView | None, saved: Sequence[SavedView]) -> dict[str, Any]:
    """Return what the controls of the table need; ``chosen`` is the view whose address this is. Of each view: its name,
    its address, and whether the table stands that way."""
    built_in = [(name, view_address(it.query), chosen is None and table == it) for name, it in BUILT_IN.items()]
    own = [(view.name, view_address(f"view={view.pk}"), view == chosen) for view in saved]
    return {
        "table": table,
        "view": chosen,
        "views": [*built_in, *own],
        "all_columns": COLUMNS.items(),
        "groups": GROUPS.items(),
        "verdicts": VERDICTS.items(),
        "makers": MAKERS.items(),
        "width": 3 + len(table.columns),
    }


def view_address(query: str) -> str:
    """Return the address of a view; that of everything says so, since the bare one may open the worked questions."""
    return f"{reverse('scenarios')}?{query or 'view='}"
